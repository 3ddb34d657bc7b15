#pragma once
// One room on the decode side, as a copyable value with a pure transition function.

#include <variant>
#include <vector>

#include "kv/page_pool.h"
#include "transfer/backend.h"
#include "transfer/transition.h"

namespace pd {

// What the copy worker may have in its hands.
enum class Worker : std::uint8_t { idle, planned, cancelled };

struct ReceiverState {
  Key key;           // prefill is 0 until there is a connection
  std::string peer;  // for people
  Digest prompt_hash{};
  std::uint32_t prompt_tokens = 0;

  TransferState vote = TransferState::bootstrapping;   // this rank's. Failed is sticky
  TransferState state = TransferState::bootstrapping;  // what all ranks agreed on. Terminal never changes
  std::optional<Failure> failure;
  bool failure_is_peers = false;  // it knows already

  KvPages pages;
  PageHands hands = PageHands::none;
  Worker worker = Worker::idle;
  bool safe = false;                                 // over: nothing changes any more
  std::vector<std::uint32_t> ready, posted, landed;  // (layer): watermarks, rows 0..n
  std::uint32_t layers_landed = 0;                   // layers with all rows
  std::uint64_t bytes_done = 0;
  std::optional<Final> final_word;

  PrefillStage stage = PrefillStage::bootstrap;  // as prefill reported last
  std::uint32_t rows_computed = 0, rows_sent = 0;
  std::uint64_t steps = 0;  // of the whole prefill engine
  Nanos lease_from = 0;     // when it last showed progress

  Nanos arrived = 0;
  std::optional<Nanos> presented, credited, reserved, first_ready, prefill_finished, committed, ended;

  bool bound() const { return key.prefill != 0; }
  bool terminal() const { return is_terminal(state); }
  std::uint64_t rows_landed() const;  // summed over layers
};

ReceiverState new_receiver(Room room, Incarnation decode, const Digest& prompt_hash, std::uint32_t prompt_tokens,
                           std::uint32_t layers, Nanos now);

// From prefill: Credit, Source, Ready, Final, Failed, Abort. From the worker: Evidence. From this engine:
struct PeerFound {
  Incarnation prefill;
  std::string name;
};
struct PagesTaken { KvPages pages; };
struct ProgressSeen {
  ProgressEntry entry;
  std::uint64_t steps;  // of the whole prefill engine
};
using ReceiverEvent = std::variant<Credit, Source, Ready, Final, Failed, Abort, Evidence, PeerFound, PagesTaken,
                                   ProgressSeen, GiveUp, TimePassed, Agreed>;

struct PlanPull { PullPlan plan; };
struct PostPull { Pull pull; };
struct CancelPull {};  // `drained` follows
struct ForgetPull {};  // all has landed
struct TellCredit {};
struct TellCommit {
  TokenId first_token;
  std::optional<FinishReason> finish_reason;
};
struct CountAckLost {};
using ReceiverEffect = std::variant<Send, PinPages, UnpinPages, HoldPages, UnholdPages, PlanPull, PostPull, CancelPull,
                                    ForgetPull, TellCredit, TellCommit, TellFailed, TellSafe, CountAckLost>;

std::vector<ReceiverEffect> advance(ReceiverState& receiver, const ReceiverEvent& event, const Moment& moment);

// None once it is decided.
std::optional<Due> due(const ReceiverState& receiver, const Deadlines& deadlines);

}  // namespace pd
