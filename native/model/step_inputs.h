#pragma once
// What a graph is told of a step: plain arrays, made without ggml.

#include <cstdint>
#include <span>
#include <vector>

#include "core/ids.h"

namespace pd {

// Everything that a graph depends on. Equal shapes share a graph.
struct StepShape {
  std::uint32_t sequences = 1;
  std::uint32_t tokens = 1;     // of each sequence
  std::uint32_t kv_tokens = 0;  // that each token sees at most, masked: a multiple of kv_tokens_step
  enum class Logits { none, last, all } logits = Logits::all;

  std::uint32_t rows() const { return sequences * tokens; }
  auto operator<=>(const StepShape&) const = default;
};

// A padded token is gathered too: 256 of them more cost 3, 6 and 8 % of a step of 1, 8 and 16 rows (measured with
// SmolLM2-135M). 64 is a tile of the CPU's attention; CUDA's fast kernels will want 256.
constexpr std::uint32_t kv_tokens_step = 64;

// Consecutive tokens of one sequence.
struct StepSequence {
  std::span<const PageId> pages;
  std::uint32_t position = 0;  // of tokens[0]
  std::span<const TokenId> tokens;
};

// The smallest multiple of kv_tokens_step in which the last token sees all tokens before it and itself.
std::uint32_t kv_tokens_for(std::span<const StepSequence> sequences);

struct StepInputs {
  std::vector<std::int32_t> tokens;     // (rows)
  std::vector<std::int32_t> positions;  // (rows)
  std::vector<std::int64_t> cells;      // (rows): where keys and values are written
  std::vector<std::int32_t> pages;      // (sequences, kv_tokens / page_tokens): what is gathered
  std::vector<std::uint16_t> mask;      // (sequences, tokens, kv_tokens), F16: 0 or minus infinity
};

// Where the shape has more sequences or tokens than are given, the last one is computed twice: the same
// values are written to the same cell again.
StepInputs inputs_of(std::span<const StepSequence> sequences, const StepShape& shape);

}  // namespace pd
