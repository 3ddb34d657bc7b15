#include "transfer/net/bytes.h"

#include <algorithm>

namespace pd {

void ByteWriter::put(std::uint64_t value, int bytes) {
  for (int i = 0; i < bytes; ++i) bytes_.push_back(static_cast<std::uint8_t>(value >> (8 * i)));
}

void ByteWriter::bytes(std::span<const std::uint8_t> value) {
  u32(static_cast<std::uint32_t>(value.size()));
  bytes_.insert(bytes_.end(), value.begin(), value.end());
}

void ByteWriter::text(std::string_view value, std::size_t bytes_max) {
  std::size_t end = std::min(value.size(), bytes_max);
  if (end < value.size()) {
    while (end > 0 && (static_cast<std::uint8_t>(value[end]) & 0xc0) == 0x80) --end;  // not inside a character
  }
  bytes({reinterpret_cast<const std::uint8_t*>(value.data()), end});
}

std::span<const std::uint8_t> ByteReader::take(std::size_t bytes) {
  if (bytes > rest_.size()) {
    fail("ends " + std::to_string(bytes - rest_.size()) + " bytes too early");
    return {};
  }
  const std::span<const std::uint8_t> taken = rest_.first(bytes);
  rest_ = rest_.subspan(bytes);
  return taken;
}

std::uint64_t ByteReader::get(std::size_t bytes) {
  std::uint64_t value = 0;
  int shift = 0;
  for (const std::uint8_t byte : take(bytes)) {
    value |= std::uint64_t{byte} << shift;
    shift += 8;
  }
  return value;
}

bool ByteReader::flag() {
  const std::uint8_t value = u8();
  if (value > 1) fail("has " + std::to_string(value) + " where 0 or 1 was expected");
  return value == 1;
}

Digest ByteReader::digest() {
  Digest value{};
  std::ranges::copy(take(value.size()), value.begin());
  return value;
}

std::vector<std::uint8_t> ByteReader::bytes(std::size_t bytes_max) {
  const std::uint32_t size = count(1);
  if (size > bytes_max) fail("has a field of " + std::to_string(size) + " bytes, at most " + std::to_string(bytes_max));
  if (fault_) return {};
  const std::span<const std::uint8_t> taken = take(size);
  return {taken.begin(), taken.end()};
}

std::string ByteReader::text(std::size_t bytes_max) {
  const std::vector<std::uint8_t> value = bytes(bytes_max);
  return {value.begin(), value.end()};
}

std::uint32_t ByteReader::count(std::size_t element_bytes) {
  const std::uint32_t elements = u32();
  if (elements > rest_.size() / element_bytes) {
    fail("counts " + std::to_string(elements) + " elements, and has bytes for " +
         std::to_string(rest_.size() / element_bytes));
  }
  return fault_ ? 0 : elements;
}

void ByteReader::fail(std::string words) {
  if (!fault_) fault_ = std::move(words);
  rest_ = {};
}

std::optional<std::string> ByteReader::fault() {
  if (!rest_.empty()) fail("has " + std::to_string(rest_.size()) + " bytes too many");
  return fault_;
}

}  // namespace pd
