#pragma once
// What two engines say to each other about one room, after the handshake. Names and meanings are the
// wire's; see design.md in this folder.

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/failure.h"
#include "core/hash.h"
#include "core/ids.h"
#include "core/request.h"

namespace pd {

struct Present {
  Key key;
  Digest prompt_hash;
  std::uint32_t prompt_tokens;
};  // D knows the room
struct Credit { Key key; };  // P: reserve now
struct Reserved {
  Key key;
  std::uint32_t pages;
  std::uint32_t skip;
};  // D: WaitingForInput; skip is 0 for now
struct Source {
  Key key;
  std::vector<PageId> pages;
  std::vector<std::uint64_t> generations;
};  // P: where its pages are (shm)
struct Ready {
  Key key;
  std::uint32_t layer;
  std::uint32_t rows;
  std::optional<std::uint64_t> checksum;
};  // watermark: rows 0..rows
enum class PrefillStage : std::uint8_t { bootstrap, waiting, running, inflight };
struct ProgressEntry {
  Key key;
  PrefillStage stage;
  std::uint32_t rows_computed;
  std::uint32_t rows_sent;
};
struct Progress {
  std::uint64_t steps;
  std::vector<ProgressEntry> entries;
};  // once a second a connection
struct Final {
  Key key;
  std::uint32_t prompt_tokens;
  Digest prompt_hash;
  TokenId first_token;
  std::optional<FinishReason> finish_reason;  // set: D answers without waiting for KV
  std::vector<std::uint8_t> logprobs;         // opaque for now, empty
};
struct Committed { Key key; };  // D has verified everything
struct Done { Key key; };       // D's copy thread touches P's pages no more
struct Failed {
  Key key;
  FailureCode code;
  std::string why;
};
struct Abort { Key key; };
struct Drained { Key key; };  // my side reads or writes nothing for it any more

using Frame =
    std::variant<Present, Credit, Reserved, Source, Ready, Progress, Final, Committed, Done, Failed, Abort, Drained>;

}  // namespace pd
