#include "model/step_inputs.h"

#include <algorithm>

#include "core/check.h"
#include "kv/layout.h"

namespace pd {
namespace {

constexpr std::uint16_t minus_infinity = 0xfc00;  // F16

void append(StepInputs& inputs, const StepSequence& sequence, const StepShape& shape) {
  const std::uint32_t pages = shape.kv_tokens / page_tokens;
  const std::uint32_t end = sequence.position + static_cast<std::uint32_t>(sequence.tokens.size());
  PD_CHECK(!sequence.tokens.empty() && sequence.tokens.size() <= shape.tokens, "a step has room for each token");
  PD_CHECK(pages_for(end) <= sequence.pages.size(), "a sequence has a page for each of its tokens");
  PD_CHECK(end <= shape.kv_tokens, "a step sees all tokens of a sequence");

  for (std::uint32_t i = 0; i < shape.tokens; ++i) {
    const std::uint32_t at = std::min(i, static_cast<std::uint32_t>(sequence.tokens.size()) - 1);
    const std::uint32_t position = sequence.position + at;
    inputs.tokens.push_back(sequence.tokens[at]);
    inputs.positions.push_back(static_cast<std::int32_t>(position));
    const std::int64_t page = sequence.pages[position / page_tokens];
    inputs.cells.push_back(page * page_tokens + position % page_tokens);
    inputs.mask.insert(inputs.mask.end(), position + 1, 0);
    inputs.mask.insert(inputs.mask.end(), shape.kv_tokens - position - 1, minus_infinity);
  }
  // Behind its end a sequence gathers its own first page, masked: what others wrote is never read.
  for (std::uint32_t i = 0; i < pages; ++i) {
    inputs.pages.push_back(static_cast<std::int32_t>(sequence.pages[i < pages_for(end) ? i : 0]));
  }
}

}  // namespace

std::uint32_t kv_tokens_for(std::span<const StepSequence> sequences) {
  std::uint32_t most = 0;
  for (const StepSequence& sequence : sequences) {
    most = std::max(most, sequence.position + static_cast<std::uint32_t>(sequence.tokens.size()));
  }
  return (most + kv_tokens_step - 1) / kv_tokens_step * kv_tokens_step;
}

StepInputs inputs_of(std::span<const StepSequence> sequences, const StepShape& shape) {
  PD_CHECK(!sequences.empty() && sequences.size() <= shape.sequences, "a step has room for each sequence");
  StepInputs inputs;
  inputs.mask.reserve(std::size_t{shape.rows()} * shape.kv_tokens);
  for (std::uint32_t i = 0; i < shape.sequences; ++i) {
    append(inputs, sequences[std::min<std::size_t>(i, sequences.size() - 1)], shape);
  }
  return inputs;
}

}  // namespace pd
