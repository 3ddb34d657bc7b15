#pragma once
// What both sides' transition functions have in common. A transition function is pure: it changes one
// copyable state and returns what is to be done. Shells perform it; the explorer in the tests does too.

#include <optional>

#include "core/failure.h"
#include "core/transfer_state.h"
#include "transfer/deadlines.h"
#include "transfer/frame.h"

namespace pd {

// When, and under which rules, a transition happens.
struct Moment {
  Nanos now = 0;
  Deadlines deadlines{};
  bool ignore_deadlines = false;  // fault
  bool never_send = false;        // fault
};

// A deadline that applies now.
enum class DeadlineKind : std::uint8_t { bootstrap, waiting, inflight, queue };
struct Due {
  DeadlineKind kind;
  Nanos at;
};
const char* name_of(DeadlineKind kind);
FailureCode failure_of(DeadlineKind kind);

// Events of both sides.
struct GiveUp { Failure why; };           // aborted here, link lost, peer not reached
struct TimePassed {};                     // looks at the deadline; only marks
struct Agreed { TransferState lowest; };  // of all ranks' votes: the one event that writes `state`

// What is done with the pages that a room was given.
enum class PageHands : std::uint8_t { none, pinned, held };

// Effects of both sides.
struct Send { Frame frame; };  // to the room's peer
struct PinPages {};
struct UnpinPages {};
struct HoldPages {};  // the pins become holds
struct UnholdPages {};
struct TellFailed { Failure why; };
struct TellSafe {};  // nobody touches the pages any more; the room may be forgotten

// "2.5 s"
std::string seconds(Nanos duration);
// What the other side said, as our own failure: an abort stays one, the rest is peer_failed with its words.
Failure peer_failure(const std::string& peer, const Failed& said);

}  // namespace pd
