#include "transfer/net/framing.h"

namespace pd {
namespace {

constexpr std::size_t length_bytes = 4;

}  // namespace

std::vector<std::uint8_t> with_length(std::vector<std::uint8_t> payload) {
  std::vector<std::uint8_t> bytes;
  bytes.reserve(length_bytes + payload.size());
  for (std::size_t i = 0; i < length_bytes; ++i) bytes.push_back(static_cast<std::uint8_t>(payload.size() >> (8 * i)));
  bytes.insert(bytes.end(), payload.begin(), payload.end());
  return bytes;
}

void FrameReader::append(std::span<const std::uint8_t> bytes) {
  buffer_.erase(buffer_.begin(), buffer_.begin() + static_cast<std::ptrdiff_t>(begin_));
  begin_ = 0;
  buffer_.insert(buffer_.end(), bytes.begin(), bytes.end());
}

std::optional<std::span<const std::uint8_t>> FrameReader::next() {
  const std::optional<std::uint32_t> bytes = length();
  if (!bytes || bad_length() || buffer_.size() - begin_ - length_bytes < *bytes) return std::nullopt;
  const std::span<const std::uint8_t> payload(buffer_.data() + begin_ + length_bytes, *bytes);
  begin_ += length_bytes + *bytes;
  return payload;
}

std::optional<std::uint32_t> FrameReader::bad_length() const {
  const std::optional<std::uint32_t> bytes = length();
  return bytes && (*bytes == 0 || *bytes > payload_bytes_max_) ? bytes : std::nullopt;
}

std::optional<std::uint32_t> FrameReader::length() const {
  if (buffer_.size() - begin_ < length_bytes) return std::nullopt;
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < length_bytes; ++i) value |= std::uint32_t{buffer_[begin_ + i]} << (8 * i);
  return value;
}

}  // namespace pd
