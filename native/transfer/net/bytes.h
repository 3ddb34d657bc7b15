#pragma once
// Little-endian numbers into and out of a frame. A reader never goes beyond its bytes: after the first
// thing that does not fit it gives zeros, and `fault` says what was wrong.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/hash.h"

namespace pd {

class ByteWriter {
 public:
  void u8(std::uint8_t value) { bytes_.push_back(value); }
  void u16(std::uint16_t value) { put(value, 2); }
  void u32(std::uint32_t value) { put(value, 4); }
  void u64(std::uint64_t value) { put(value, 8); }
  void digest(const Digest& value) { bytes_.insert(bytes_.end(), value.begin(), value.end()); }
  void bytes(std::span<const std::uint8_t> value);           // with their count before them
  void text(std::string_view value, std::size_t bytes_max);  // cut where it is longer: words for people

  std::vector<std::uint8_t> take() { return std::move(bytes_); }

 private:
  void put(std::uint64_t value, int bytes);

  std::vector<std::uint8_t> bytes_;
};

class ByteReader {
 public:
  explicit ByteReader(std::span<const std::uint8_t> bytes) : rest_(bytes) {}

  std::uint8_t u8() { return static_cast<std::uint8_t>(get(1)); }
  std::uint16_t u16() { return static_cast<std::uint16_t>(get(2)); }
  std::uint32_t u32() { return static_cast<std::uint32_t>(get(4)); }
  std::uint64_t u64() { return get(8); }
  bool flag();  // 0 or 1, nothing else
  Digest digest();
  std::vector<std::uint8_t> bytes(std::size_t bytes_max);
  std::string text(std::size_t bytes_max);
  // How many elements of `element_bytes` follow: never more than there are bytes for.
  std::uint32_t count(std::size_t element_bytes);

  void fail(std::string words);
  void skip_rest() { rest_ = {}; }
  // What was wrong, bytes that are left over among it.
  std::optional<std::string> fault();

 private:
  std::uint64_t get(std::size_t bytes);
  std::span<const std::uint8_t> take(std::size_t bytes);

  std::span<const std::uint8_t> rest_;
  std::optional<std::string> fault_;
};

}  // namespace pd
