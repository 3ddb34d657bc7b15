#pragma once
// Why a request failed. The code is for programs, the words are for people.

#include <string>

namespace pd {

enum class FailureCode {
  aborted,            // the client, the router or an operator asked
  bootstrap_timeout,  // the other side never answered
  waiting_timeout,    // the other side showed no progress
  inflight_timeout,   // prefill is done, the KV transfer is not
  peer_lost,          // the other engine is gone, or came back as another incarnation
  peer_failed,        // the other side failed it; the words are its words
  peer_refused,       // handshake: version, fingerprint, secret or back end
  kv_corruption,      // a checksum or a page generation did not match
  prompt_mismatch,    // both legs did not read the same prompt
  duplicate_room,     // a live request has this room
  too_long,           // prompt + max_tokens can never fit
  queue_full,
  queue_timeout,   // waited too long for a batch: not a transfer failure
  pool_exhausted,  // no page is free for the next token, and nobody who runs will free one
  draining,
  shutdown,
};

const char* name_of(FailureCode code);  // "inflight-timeout"

struct Failure {
  FailureCode code = FailureCode::aborted;
  std::string words;  // what was expected and what was found
};

}  // namespace pd
