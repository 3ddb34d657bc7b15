#pragma once
// Which sequences run next. Pure: the same load gives the same batch.
//
// Rows have first claim on free pages; one that finds none skips the step. A step takes at least one
// whole chunk of the first prompt; more join while the step is expected to stay short. While rows run, a
// step takes exactly one chunk, so that a long prompt and the rows alternate.

#include <optional>

#include "scheduler/batch.h"
#include "scheduler/load.h"

namespace pd {

constexpr Nanos step_budget = 250 * nanos_per_ms;

// None: there is nothing to do, or nothing that could be done before pages come free.
std::optional<Batch> next_batch(const Load& load);

// Tokens of the chunk that begins at `position`: to the next line of the grid or the prompt's end.
std::uint32_t chunk_length(std::uint32_t position, std::uint32_t rows_total);

}  // namespace pd
