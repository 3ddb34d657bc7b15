#pragma once
// One sequence over a runner and a pool, driven by hand: prefill on the grid, then greedy decode.

#include <algorithm>
#include <functional>
#include <span>
#include <stdexcept>
#include <vector>

#include "core/sampler.h"
#include "kv/page_pool.h"
#include "model/runner.h"

namespace pd {

class Lane {
 public:
  Lane(Runner& runner, PagePool& pool, std::uint32_t tokens_max)
      : runner_(runner), pages_(pool.take(pages_for(tokens_max)).value()) {}

  const KvPages& pages() const { return pages_; }
  std::uint32_t length() const { return length_; }

  // The logits behind the prompt.
  std::vector<float> prefill(
      std::span<const TokenId> prompt, const std::function<void(std::uint32_t)>& on_layer = [](std::uint32_t) {}) {
    std::vector<float> logits;
    while (!prompt.empty()) {
      const std::size_t count = std::min<std::size_t>(prompt.size(), chunk_tokens - length_ % chunk_tokens);
      const RunResult result = runner_.prefill(
          {.pages = pages_, .position = length_, .tokens = prompt.first(count), .wants_logits = count == prompt.size()},
          on_layer);
      if (result.status == RunStatus::aborted) throw std::runtime_error("aborted");
      logits.assign(result.logits.begin(), result.logits.end());
      length_ += static_cast<std::uint32_t>(count);
      prompt = prompt.subspan(count);
    }
    return logits;
  }

  DecodeRow row(TokenId token) { return {.pages = pages_, .position = length_++, .token = token}; }

  // The token behind `first`, then the one behind that, and so on, `first` not counted.
  std::vector<TokenId> greedy(TokenId first, std::size_t count) {
    std::vector<TokenId> tokens;
    for (TokenId token = first; tokens.size() < count; tokens.push_back(token)) {
      const DecodeRow next = row(token);
      token = sample(runner_.decode({&next, 1}).logits, {}, length_);
    }
    return tokens;
  }

 private:
  Runner& runner_;
  KvPages pages_;
  std::uint32_t length_ = 0;
};

}  // namespace pd
