#pragma once
// One round of voting: this rank's vote for each room goes in, the lowest of all ranks comes out.

#include <optional>
#include <vector>

#include "transfer/ranks.h"

namespace pd {

struct Ballot {
  Room room = 0;
  TransferState vote = TransferState::bootstrapping;
};

// `ballots` in order of rooms. The digest is over rooms: incarnations differ from rank to rank.
[[nodiscard]] std::optional<RankLost> reduce(Ranks& ranks, std::uint64_t iteration, std::vector<Ballot>& ballots);

}  // namespace pd
