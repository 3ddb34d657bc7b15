#pragma once
// The maximum of every book of the transfer layer, in one place.

#include <cstddef>
#include <cstdint>

#include "core/ids.h"

namespace pd::limits {

constexpr std::size_t rooms_max = 16'384;            // live or not yet safe, one side of one engine
constexpr std::size_t tombstones_max = 4'096;        // rooms that ended before their other leg came
constexpr std::size_t presents_max = 4'096;          // decode was here first
constexpr std::size_t commits_max = 4'096;           // remembered, to tell a lost ack from a failure
constexpr std::size_t progress_entries_max = 1'024;  // a link and turn; the rest follows in the next turns
constexpr Nanos progress_every = nanos_per_second;
constexpr std::uint32_t redials_max = 6;          // after a lost link: the peer may hold pages until it hears of us
constexpr Nanos redial_first = nanos_per_second;  // doubles each time
constexpr Nanos rank_limit = 10 * nanos_per_second;

}  // namespace pd::limits
