#pragma once
// Computes rows over a model and a page pool. One form of attention: flash_attn_ext over gathered pages.
// Graphs are cached by shape. All calls from the loop thread; abort() from any.

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "core/ids.h"
#include "kv/page_pool.h"
#include "model/model.h"

namespace pd {

// Prefill: consecutive tokens of one sequence, never across a multiple of chunk_tokens.
constexpr std::uint32_t chunk_tokens = 256;

struct PrefillChunk {
  std::span<const PageId> pages;    // of the whole sequence
  std::uint32_t position = 0;       // of tokens[0]
  std::span<const TokenId> tokens;  // at most chunk_tokens, inside one cell of the grid
  bool wants_logits = false;        // of the last token
};

struct DecodeRow {
  std::span<const PageId> pages;
  std::uint32_t position = 0;
  TokenId token = 0;
};

enum class RunStatus { done, aborted };

struct RunResult {
  RunStatus status = RunStatus::done;
  std::span<const float> logits;  // (rows that wanted them, vocab); valid until the next call
};

struct RunnerOptions { std::uint32_t threads = 1; };

class Runner {
 public:
  static std::unique_ptr<Runner> create(Model& model, Region& region, const RunnerOptions& options);
  virtual ~Runner() = default;

  // on_layer(l): keys and values of layer l are complete for all tokens of the chunk.
  virtual RunResult prefill(const PrefillChunk& chunk, const std::function<void(std::uint32_t layer)>& on_layer) = 0;
  virtual RunResult decode(std::span<const DecodeRow> rows) = 0;
  // From any thread: the running call ends as `aborted` at its next node. Nothing of it counts.
  virtual void abort() = 0;
};

}  // namespace pd
