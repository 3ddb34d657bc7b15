#pragma once
// The length before each frame, and frames out of a stream of bytes.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace pd {

// `payload` with its length before it.
std::vector<std::uint8_t> with_length(std::vector<std::uint8_t> payload);

// Bytes in, payloads out. Memory grows with what has arrived, never with what a length promises.
class FrameReader {
 public:
  explicit FrameReader(std::uint32_t payload_bytes_max) : payload_bytes_max_(payload_bytes_max) {}

  void allow(std::uint32_t payload_bytes_max) { payload_bytes_max_ = payload_bytes_max; }
  void append(std::span<const std::uint8_t> bytes);
  // The next whole payload; valid until the next call of append or next.
  std::optional<std::span<const std::uint8_t>> next();
  // The length that is next in line, when it is one that no frame has.
  std::optional<std::uint32_t> bad_length() const;

 private:
  std::optional<std::uint32_t> length() const;

  std::uint32_t payload_bytes_max_;
  std::vector<std::uint8_t> buffer_;
  std::size_t begin_ = 0;  // what lies before has been given out
};

}  // namespace pd
