#pragma once
// Ranks of one tensor-parallel group agree on every request's state in every iteration, by MIN over the
// state's number. No rank ever drops an entry on its own.

#include <cstdint>
#include <memory>
#include <span>
#include <variant>

#include "core/hash.h"
#include "core/ids.h"
#include "core/transfer_state.h"

namespace pd {

struct RankDigest {  // must be equal on all ranks, else they do not speak of the same requests
  std::uint64_t iteration = 0;
  std::uint32_t count = 0;
  Digest keys{};  // hash of the keys in order
  bool operator==(const RankDigest&) const = default;
};

struct RankLost { const char* why; };

class Ranks {
 public:
  virtual ~Ranks() = default;
  virtual std::uint32_t size() const = 0;
  // Replaces each vote by the lowest of all ranks. RankLost is fatal for the whole engine.
  [[nodiscard]] virtual std::variant<std::monostate, RankLost> all_reduce_min(const RankDigest& digest,
                                                                              std::span<TransferState> votes,
                                                                              Nanos limit) = 0;
};

std::unique_ptr<Ranks> solo_rank();  // a group of one: costs nothing

}  // namespace pd
