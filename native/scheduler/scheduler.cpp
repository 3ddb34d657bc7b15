#include "scheduler/scheduler.h"

#include <algorithm>

#include "kv/layout.h"
#include "model/runner.h"

namespace pd {
namespace {

// Takes what growth needs out of pages_free.
void add_rows(const Load& load, std::uint32_t& pages_free, Batch& batch) {
  for (const RowLoad& row : load.rows) {
    const std::uint32_t needed = row.rows < row.pages * page_tokens ? 0 : 1;
    if (needed > pages_free) continue;
    pages_free -= needed;
    batch.rows.push_back(row.number);
  }
}

std::uint32_t prompts_begun(const Load& load) {
  return static_cast<std::uint32_t>(std::ranges::count_if(load.prompts, &PromptLoad::has_pages));
}

void add_chunks(const Load& load, std::uint32_t pages_free, Batch& batch) {
  std::uint32_t begun = prompts_begun(load);
  // An empty engine keeps nothing back: a prompt that needs the whole pool must be able to begin.
  const std::uint32_t kept = load.rows.empty() && begun == 0 ? 0 : load.pages_kept;
  const Nanos budget = load.rows.empty() ? step_budget : 0;
  Nanos spent = 0;

  for (const PromptLoad& prompt : load.prompts) {
    if (!prompt.has_pages) {
      const std::uint32_t needed = pages_for(prompt.rows_total);
      if (needed + kept > pages_free || begun >= load.prompts_max) return;  // nobody overtakes
      pages_free -= needed;
      ++begun;
    }
    for (std::uint32_t position = prompt.rows_computed; position < prompt.rows_total;) {
      const std::uint32_t count = chunk_length(position, prompt.rows_total);
      spent += load.token_cost * count;
      const bool joins = load.token_cost > 0 && spent <= budget;
      if (!batch.chunks.empty() && !joins) return;
      batch.chunks.push_back({prompt.number, position, count});
      position += count;
    }
  }
}

}  // namespace

std::optional<Batch> next_batch(const Load& load) {
  Batch batch;
  std::uint32_t pages_free = load.pages_free;
  add_rows(load, pages_free, batch);
  add_chunks(load, pages_free, batch);
  if (!batch.rows.empty() || !batch.chunks.empty()) return batch;
  // A single row waits instead: it is the oldest, and what others hold comes free without its end.
  if (load.rows.size() < 2) return std::nullopt;
  batch.victim = load.rows.back().number;
  return batch;
}

std::uint32_t chunk_length(std::uint32_t position, std::uint32_t rows_total) {
  return std::min(rows_total - position, chunk_tokens - position % chunk_tokens);
}

}  // namespace pd
