// runner_rows MODEL: the engine's own runner, one thread, paged F16 cache.

#include <algorithm>
#include <exception>
#include <vector>

#include "kv/page_pool.h"
#include "kv/region.h"
#include "model/model.h"
#include "model/runner.h"
#include "rows.h"

namespace {

constexpr std::uint32_t pages_each = pd::pages_for(rows::prompt_tokens);

class RunnerSide {
 public:
  explicit RunnerSide(const std::string& path)
      : model_(pd::Model::load(path, pd::WeightPolicy::fast)),
        region_(pd::Region::create(layout(), model_->fingerprint(), 1)),
        pool_(*region_, pd::PageOrder::contiguous),
        runner_(pd::Runner::create(*model_, *region_, {.threads = 1})) {
    for (std::int32_t i = 0; i <= rows::prompt_sequence; ++i) sequences_.push_back(pool_.take(pages_each).value());
  }

  void prefill() { compute_prompt(rows::prompt_sequence, rows::prompt_tokens); }

  // Once: decode writes behind the context, and the next time over that.
  void fill(std::int32_t batch) {
    for (; filled_ < batch; ++filled_) compute_prompt(filled_, rows::context_tokens);
  }

  void decode(std::int32_t batch) {
    std::vector<pd::DecodeRow> batch_rows(static_cast<std::size_t>(batch));
    for (std::int32_t step = 0; step < rows::steps; ++step) {
      for (std::int32_t i = 0; i < batch; ++i) {
        batch_rows[static_cast<std::size_t>(i)] = {.pages = sequences_[static_cast<std::size_t>(i)],
                                                   .position = static_cast<std::uint32_t>(rows::context_tokens + step),
                                                   .token = rows::decode_token(i, step)};
      }
      look_at(runner_->decode(batch_rows));
    }
  }

 private:
  pd::KvLayout layout() const {
    const pd::ModelShape& shape = model_->shape();
    return {.layers = shape.layers,
            .kv_heads = shape.kv_heads,
            .head_dim = shape.head_dim,
            .pages = pages_each * (rows::prompt_sequence + 1)};
  }

  void compute_prompt(std::int32_t sequence, std::int32_t tokens) {
    std::vector<pd::TokenId> prompt(static_cast<std::size_t>(tokens));
    for (std::int32_t i = 0; i < tokens; ++i) prompt[static_cast<std::size_t>(i)] = rows::prompt_token(sequence, i);
    for (std::uint32_t at = 0; at < prompt.size(); at += pd::chunk_tokens) {
      const std::size_t count = std::min<std::size_t>(pd::chunk_tokens, prompt.size() - at);
      look_at(runner_->prefill({.pages = sequences_[static_cast<std::size_t>(sequence)],
                                .position = at,
                                .tokens = std::span(prompt).subspan(at, count),
                                .wants_logits = at + count == prompt.size()},
                               [](std::uint32_t) {}));
    }
  }

  // Greedy, as the peer does it, so that the logits are read on both sides.
  void look_at(const pd::RunResult& result) {
    const std::size_t vocab = model_->shape().vocab;
    for (std::size_t at = 0; at + vocab <= result.logits.size(); at += vocab) {
      const auto row = result.logits.subspan(at, vocab);
      best_ = std::max_element(row.begin(), row.end()) - row.begin();
    }
  }

  std::unique_ptr<pd::Model> model_;
  std::unique_ptr<pd::Region> region_;
  pd::PagePool pool_;
  std::unique_ptr<pd::Runner> runner_;
  std::vector<pd::KvPages> sequences_;
  std::int32_t filled_ = 0;
  volatile std::ptrdiff_t best_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  try {
    RunnerSide side(argv[1]);
    return rows::serve(side);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "runner_rows: %s\n", error.what());
    return 1;
  }
}
