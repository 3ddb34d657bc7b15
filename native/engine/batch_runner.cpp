#include "engine/batch_runner.h"

#include "decode/decode.h"
#include "engine/answer.h"
#include "prefill/prefill.h"

namespace pd {

void BatchRunner::run(const Batch& batch) {
  if (batch.victim) fail_victim(*batch.victim);
  for (const ChunkPlan& plan : batch.chunks) {
    run_chunk(plan);
    parts_.attend();
    parts_.lifecycle.sweep();
    if (parts_.stopping()) return;
  }
  run_rows(batch.rows);
  parts_.lifecycle.sweep();
}

void BatchRunner::run_chunk(const ChunkPlan& plan) {
  Sequence* sequence = parts_.lifecycle.sequences().find(plan.number);
  // It may have ended, or lost an aborted chunk, since the batch was planned.
  if (sequence == nullptr || sequence->ending || sequence->rows != plan.position) return;
  if (sequence->pages.empty() && !begin_prompt(*sequence)) return;

  const auto on_layer = [&](std::uint32_t layer) {
    if (!sequence->ending) parts_.side.layer_complete(*sequence, layer, plan.position + plan.count);
    parts_.attend();
    if (sequence->ending || parts_.stopping()) parts_.runner.abort();  // its only row
  };
  const Nanos began = parts_.clock.now();
  const ChunkResult result = pd::run_chunk(parts_.runner,
                                           {.pages = sequence->pages,
                                            .prompt = sequence->request.prompt,
                                            .position = plan.position,
                                            .count = plan.count,
                                            .sampling = sequence->request.sampling},
                                           on_layer);
  if (sequence->ending || result.status == RunStatus::aborted) return;

  const Nanos now = parts_.clock.now();
  measure(plan.count, now - began);
  RequestRecord& record = sequence->entry.record;
  sequence->rows = record.rows_computed = plan.position + plan.count;
  sequence->changed = true;
  if (!result.first_token) return;
  record.prefill_ended_unix_ms = sequence->entry.unix_ms(now);
  parts_.lifecycle.state().prompt_tokens_total += sequence->prompt_tokens();
  ++parts_.lifecycle.state().generated_tokens_total;
  const bool is_end = parts_.tokenizer.is_end(*result.first_token);
  parts_.side.prompt_computed(*sequence, *result.first_token, ending_of(sequence->request, 0, is_end));
}

bool BatchRunner::begin_prompt(Sequence& sequence) {
  std::optional<KvPages> pages = parts_.pool.take(pages_for(sequence.prompt_tokens()));
  if (!pages) return false;  // gone since the batch was planned: it stays first in the queue
  sequence.pages = std::move(*pages);
  RequestRecord& record = sequence.entry.record;
  record.pages = static_cast<std::uint32_t>(sequence.pages.size());
  parts_.lifecycle.enter(sequence, Stage::running);
  record.prefill_began_unix_ms = sequence.entry.unix_ms(sequence.entry.stage_began);
  parts_.side.prompt_begins(sequence);
  return true;
}

void BatchRunner::run_rows(const std::vector<SequenceNumber>& numbers) {
  std::vector<Sequence*> sequences;
  std::vector<RunningSequence> rows;
  for (const SequenceNumber number : numbers) {
    Sequence* sequence = parts_.lifecycle.sequences().find(number);
    if (sequence == nullptr || sequence->ending || !grow(*sequence)) continue;
    sequences.push_back(sequence);
    rows.push_back({.pages = sequence->pages,
                    .position = sequence->rows,
                    .token = sequence->last_token,
                    .sampling = sequence->request.sampling});
  }
  if (rows.empty()) return;

  const StepResult step = run_step(parts_.runner, rows);
  if (step.status == RunStatus::aborted) return;
  parts_.attend();  // what was aborted meanwhile gets no token
  for (std::size_t i = 0; i < sequences.size(); ++i) {
    Sequence& sequence = *sequences[i];
    if (sequence.ending) continue;
    sequence.entry.record.rows_computed = ++sequence.rows;
    ++parts_.lifecycle.state().generated_tokens_total;
    const TokenId token = step.tokens[i];
    const std::uint32_t outputs = sequence.entry.record.output_tokens;
    const std::optional<FinishReason> reason = ending_of(sequence.request, outputs, parts_.tokenizer.is_end(token));
    parts_.lifecycle.token(sequence, token, reason);
    if (reason) parts_.lifecycle.end(sequence, *reason);
  }
}

bool BatchRunner::grow(Sequence& sequence) {
  if (sequence.rows < sequence.pages.size() * page_tokens) return true;
  const std::optional<KvPages> page = parts_.pool.take(1);
  if (!page) return false;  // it skips the step
  sequence.pages.push_back(page->front());
  ++sequence.entry.record.pages;
  return true;
}

void BatchRunner::fail_victim(SequenceNumber number) {
  Sequence* sequence = parts_.lifecycle.sequences().find(number);
  if (sequence == nullptr) return;
  parts_.lifecycle.end(*sequence, Failure{FailureCode::pool_exhausted,
                                          "all " + std::to_string(parts_.pool.pages_total()) +
                                              " pages are in use and no running request can go on; this one came last. "
                                              "Ask again later, or give the engine a larger pool"});
}

// A quarter of the newest figure: one chunk on a busy machine does not change the plan.
void BatchRunner::measure(std::uint32_t tokens, Nanos took) {
  const Nanos cost = std::max<Nanos>(1, took / tokens);
  token_cost_ = token_cost_ == 0 ? cost : (3 * token_cost_ + cost) / 4;
}

}  // namespace pd
