#pragma once
// One room on the prefill side, as a copyable value with a pure transition function.

#include <variant>
#include <vector>

#include "kv/page_pool.h"
#include "transfer/transition.h"

namespace pd {

struct SenderState {
  Key key;           // decode is 0 until it has presented
  std::string peer;  // for people
  Digest prompt_hash{};
  std::uint32_t prompt_tokens = 0;

  TransferState vote = TransferState::bootstrapping;   // this rank's. Failed is sticky
  TransferState state = TransferState::bootstrapping;  // what all ranks agreed on. Terminal never changes
  std::optional<Failure> failure;
  bool failure_is_peers = false;  // it knows already

  KvPages pages;
  PageHands hands = PageHands::none;
  bool reader_gone = false;                        // proof that decode reads our pages no more
  bool safe = false;                               // over: nothing changes any more
  std::vector<std::uint32_t> computed, announced;  // (layer): rows 0..n

  Nanos added = 0;
  std::optional<Nanos> presented, credited, reserved, began, finished, committed, ended;

  bool bound() const { return key.decode != 0; }
  bool terminal() const { return is_terminal(state); }
  PrefillStage stage() const;
  std::uint32_t rows_computed() const;  // summed over layers
  std::uint32_t rows_sent() const;
};

SenderState new_sender(Room room, Incarnation prefill, const Digest& prompt_hash, std::uint32_t prompt_tokens,
                       std::uint32_t layers, Nanos now);

// From decode: Present, Reserved, Committed, Done, Drained, Failed, Abort. From this engine:
struct PagesGiven {
  KvPages pages;
  std::vector<std::uint64_t> generations;
};  // its first chunk is about to run
struct LayerComplete { std::uint32_t layer, rows; };
struct PrefillFinished {
  TokenId first_token;
  std::optional<FinishReason> reason;
};
struct ReaderGone {};  // its process has ended
using SenderEvent = std::variant<Present, Reserved, Committed, Done, Drained, Failed, Abort, PagesGiven, LayerComplete,
                                 PrefillFinished, ReaderGone, GiveUp, TimePassed, Agreed>;

struct TellReserved {};
struct TellSuccess {};
using SenderEffect =
    std::variant<Send, PinPages, UnpinPages, HoldPages, UnholdPages, TellReserved, TellSuccess, TellFailed, TellSafe>;

std::vector<SenderEffect> advance(SenderState& sender, const SenderEvent& event, const Moment& moment);

// None while it waits for nobody but this engine.
std::optional<Due> due(const SenderState& sender, const Deadlines& deadlines);

}  // namespace pd
