#pragma once
// SHA-256 and HMAC-SHA-256 (FIPS 180-4, RFC 2104): the prompt hash, the layout fingerprint and the
// proof that a peer knows the fleet's secret.

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "core/ids.h"

namespace pd {

using Digest = std::array<std::uint8_t, 32>;

Digest sha256(std::span<const std::uint8_t> bytes);
Digest hmac_sha256(std::span<const std::uint8_t> key, std::span<const std::uint8_t> bytes);

// Compares in constant time: for proofs.
bool same_digest(const Digest& a, const Digest& b);

// Of the token ids as little-endian 32-bit numbers: both legs must have read the same prompt.
Digest hash_of(std::span<const TokenId> prompt);

}  // namespace pd
