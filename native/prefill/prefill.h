#pragma once
// Runs one chunk of a prompt, and draws the first token after the last one.

#include <cstdint>
#include <functional>
#include <optional>
#include <span>

#include "core/request.h"
#include "model/runner.h"

namespace pd {

struct PromptChunk {
  std::span<const PageId> pages;    // of the whole prompt
  std::span<const TokenId> prompt;  // all of it
  std::uint32_t position = 0, count = 0;
  Sampling sampling;
};

struct ChunkResult {
  RunStatus status = RunStatus::done;
  std::optional<TokenId> first_token;  // after the prompt's last chunk
};

// on_layer(l): keys and values of layer l are complete for all tokens of the chunk.
ChunkResult run_chunk(Runner& runner, const PromptChunk& chunk,
                      const std::function<void(std::uint32_t layer)>& on_layer);

}  // namespace pd
