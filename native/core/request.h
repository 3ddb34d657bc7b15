#pragma once
// What a client asked for, after TypeScript has checked and tokenised it.

#include <optional>
#include <string>
#include <vector>

#include "core/ids.h"

namespace pd {

// How the next token is drawn. temperature 0 is greedy and ignores the seed.
struct Sampling {
  float temperature = 0.0f;
  std::uint64_t seed = 0;
};

// Where the other half of a disaggregated request is found. The prefill leg has only the room.
struct Bootstrap {
  std::string host;  // decode only: where the prefill engine's bootstrap port listens
  std::uint16_t port = 0;
  Room room = 0;
};

struct Request {
  std::string id;                // unique among the live requests of this engine
  std::vector<TokenId> prompt;   // never empty
  std::uint32_t tokens_max = 0;  // of the answer; at least 1
  Sampling sampling;
  bool stops_at_end = true;            // false: the end-of-text token does not end the answer (benches)
  std::optional<Bootstrap> bootstrap;  // none: role `both`
  std::string traceparent;             // opaque, kept for the record
};

// Why an answer ended. `stop` is the model's own end token; a stop string is TypeScript's affair.
enum class FinishReason { stop, length };

const char* name_of(FinishReason reason);

}  // namespace pd
