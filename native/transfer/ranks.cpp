#include "transfer/ranks.h"

namespace pd {

namespace {

class SoloRank final : public Ranks {
 public:
  std::uint32_t size() const override { return 1; }
  std::variant<std::monostate, RankLost> all_reduce_min(const RankDigest&, std::span<TransferState>, Nanos) override {
    return {};
  }
};

}  // namespace

std::unique_ptr<Ranks> solo_rank() { return std::make_unique<SoloRank>(); }

}  // namespace pd
