#pragma once
// What both sides of the engine bench do alike: the cases, the tokens, the clock and the talk.

#include <time.h>

#include <cstdint>
#include <cstdio>
#include <iostream>
#include <string>

namespace rows {

constexpr std::int32_t prompt_tokens = 512;   // of prefill-512
constexpr std::int32_t context_tokens = 256;  // in the cache before the first decode step
constexpr std::int32_t steps = 32;
constexpr std::int32_t sequences_max = 16;
constexpr std::int32_t prompt_sequence = sequences_max;  // prefill-512 has one of its own

inline std::int32_t prompt_token(std::int32_t sequence, std::int32_t position) {
  return 100 + (position * 37 + sequence) % 40'000;
}
inline std::int32_t decode_token(std::int32_t sequence, std::int32_t step) { return 500 + step + sequence; }

// Of the whole process: compute threads count, waiting does not.
inline double cpu_seconds() {
  timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

// Answers each line on stdin ("prefill-512", "decode-b8") with "TOKENS CPU_SECONDS".
template <typename Side>
int serve(Side& side) {
  for (std::string name; std::getline(std::cin, name);) {
    const bool prefills = name == "prefill-512";
    const std::int32_t batch = prefills ? 1 : std::stoi(name.substr(name.find("-b") + 2));
    if (!prefills) side.fill(batch);
    const double began = cpu_seconds();
    if (prefills) {
      side.prefill();
    } else {
      side.decode(batch);
    }
    const double used = cpu_seconds() - began;
    std::printf("%d %.6f\n", prefills ? prompt_tokens : batch * steps, used);
    std::fflush(stdout);
  }
  return 0;
}

}  // namespace rows
