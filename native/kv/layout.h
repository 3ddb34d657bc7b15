#pragma once
// How keys and values lie in a pool: [layer][page][token][K row | V row], F16. This is the whole
// contract between two engines that copy pages from each other.

#include <cstddef>
#include <cstdint>

namespace pd {

constexpr std::uint32_t page_tokens = 16;

struct KvLayout {
  std::uint32_t layers = 0;
  std::uint32_t kv_heads = 0;
  std::uint32_t head_dim = 0;
  std::uint32_t pages = 0;

  std::size_t row_bytes() const { return std::size_t{2} * kv_heads * head_dim; }  // one K or one V row
  std::size_t token_bytes() const { return 2 * row_bytes(); }                     // K row and V row
  std::size_t page_bytes() const { return page_tokens * token_bytes(); }          // of one layer
  std::size_t layer_bytes() const { return page_bytes() * pages; }
  std::size_t pages_bytes() const { return layer_bytes() * layers; }   // all layers
  std::size_t offset(std::uint32_t layer, std::uint32_t page) const {  // from the first page
    return layer * layer_bytes() + page * page_bytes();
  }
  bool operator==(const KvLayout&) const = default;
};

constexpr std::uint32_t pages_for(std::uint32_t tokens) { return (tokens + page_tokens - 1) / page_tokens; }

}  // namespace pd
