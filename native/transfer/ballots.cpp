#include "transfer/ballots.h"

#include "transfer/limits.h"

namespace pd {

namespace {

Digest digest_of_rooms(const std::vector<Ballot>& ballots) {
  std::vector<std::uint8_t> bytes;
  bytes.reserve(ballots.size() * sizeof(Room));
  for (const Ballot& ballot : ballots) {
    for (unsigned shift = 0; shift < 64; shift += 8) bytes.push_back(static_cast<std::uint8_t>(ballot.room >> shift));
  }
  return sha256(bytes);
}

}  // namespace

std::optional<RankLost> reduce(Ranks& ranks, std::uint64_t iteration, std::vector<Ballot>& ballots) {
  if (ranks.size() == 1) return std::nullopt;  // our votes are the lowest
  const RankDigest digest{iteration, static_cast<std::uint32_t>(ballots.size()), digest_of_rooms(ballots)};
  std::vector<TransferState> votes;
  votes.reserve(ballots.size());
  for (const Ballot& ballot : ballots) votes.push_back(ballot.vote);
  const auto result = ranks.all_reduce_min(digest, votes, limits::rank_limit);
  if (const RankLost* lost = std::get_if<RankLost>(&result)) return *lost;
  for (std::size_t i = 0; i < ballots.size(); ++i) ballots[i].vote = votes[i];
  return std::nullopt;
}

}  // namespace pd
