#pragma once
// What two engines say to each other before they speak of rooms. A hello has no incarnations before it:
// it brings them. A hello of another protocol version is read up to its version, and no further.

#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "core/hash.h"
#include "transfer/wire.h"

namespace pd {

constexpr std::uint16_t protocol_version = 1;
constexpr std::uint32_t handshake_bytes_max = 8192;

struct Hello {
  std::uint16_t version = protocol_version;
  Incarnation incarnation = 0;
  Digest fingerprint{};
  std::string fingerprint_words;
  std::vector<std::string> backends;
};
struct Challenge { Digest nonce; };
struct Proof { Digest mac; };
struct Refusal { std::string words; };
struct ShmOffer {
  std::string path;
  Digest nonce;
  std::uint32_t pages;
};  // where P hands over its memory
struct ShmMapped {};  // D has it

using HandshakeFrame = std::variant<Hello, Challenge, Proof, Refusal, ShmOffer, ShmMapped>;

struct ReceivedHandshake {
  Incarnations incarnations;  // zero with a hello
  HandshakeFrame frame;
};

std::vector<std::uint8_t> encode_handshake(const HandshakeFrame& frame, const Incarnations& incarnations);
std::variant<ReceivedHandshake, Malformed> decode_handshake(std::span<const std::uint8_t> payload);

}  // namespace pd
