#include "core/sampler.h"

#include <algorithm>
#include <cmath>

#include "core/check.h"

namespace pd {
namespace {

// splitmix64: neighbouring positions of one seed must not give related numbers.
std::uint64_t mix(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

// In [0, 1), with 53 random bits.
double uniform(std::uint64_t seed, std::uint32_t position) {
  return static_cast<double>(mix(mix(seed) ^ position) >> 11) * 0x1p-53;
}

}  // namespace

TokenId sample(std::span<const float> logits, const Sampling& sampling, std::uint32_t position) {
  PD_CHECK(!logits.empty(), "a row of logits has one number for each token");
  const auto best = std::max_element(logits.begin(), logits.end());  // the first of equals
  const auto greedy = static_cast<TokenId>(best - logits.begin());
  if (!(sampling.temperature > 0.0f)) return greedy;

  const auto weight = [&](float logit) { return std::exp((double{logit} - *best) / sampling.temperature); };
  double total = 0;
  for (const float logit : logits) total += weight(logit);
  double left = uniform(sampling.seed, position) * total;
  for (std::size_t i = 0; i < logits.size(); ++i) {
    left -= weight(logits[i]);
    if (left < 0) return static_cast<TokenId>(i);
  }
  return greedy;  // rounding left a crumb beyond the last token, or the logits are not numbers
}

}  // namespace pd
