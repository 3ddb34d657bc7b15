#include "decode/decode.h"

#include "core/sampler.h"

namespace pd {

StepResult run_step(Runner& runner, std::span<const RunningSequence> sequences) {
  std::vector<DecodeRow> rows;
  rows.reserve(sequences.size());
  for (const RunningSequence& sequence : sequences) rows.push_back({sequence.pages, sequence.position, sequence.token});

  const RunResult result = runner.decode(rows);
  if (result.status == RunStatus::aborted) return {.status = RunStatus::aborted, .tokens = {}};

  const std::size_t vocab = result.logits.size() / rows.size();
  StepResult step;
  step.tokens.reserve(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::span<const float> logits = result.logits.subspan(i * vocab, vocab);
    step.tokens.push_back(sample(logits, sequences[i].sampling, rows[i].position + 1));
  }
  return step;
}

}  // namespace pd
