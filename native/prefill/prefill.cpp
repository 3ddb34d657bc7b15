#include "prefill/prefill.h"

#include "core/sampler.h"

namespace pd {

ChunkResult run_chunk(Runner& runner, const PromptChunk& chunk,
                      const std::function<void(std::uint32_t layer)>& on_layer) {
  const bool last = chunk.position + chunk.count == chunk.prompt.size();
  const RunResult result = runner.prefill({.pages = chunk.pages,
                                           .position = chunk.position,
                                           .tokens = chunk.prompt.subspan(chunk.position, chunk.count),
                                           .wants_logits = last},
                                          on_layer);
  if (result.status == RunStatus::aborted) return {.status = RunStatus::aborted, .first_token = std::nullopt};
  if (!last) return {};
  const auto drawn_at = static_cast<std::uint32_t>(chunk.prompt.size());
  return {.status = RunStatus::done, .first_token = sample(result.logits, chunk.sampling, drawn_at)};
}

}  // namespace pd
