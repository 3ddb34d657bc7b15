#pragma once
// The part that this engine plays in a request's way: prefill, decode or both. Whatever a side hears it
// turns into marks and queue places; it never computes, and never ends a sequence under a running call.
// Loop thread only.

#include <cstdint>
#include <optional>

#include "engine/record.h"
#include "engine/sequence.h"
#include "kv/page_pool.h"
#include "transfer/deadlines.h"

namespace pd {

class Side {
 public:
  virtual ~Side() = default;

  virtual Stage first_stage() const = 0;
  virtual void admit(Sequence& sequence) = 0;
  virtual void abort(Sequence& sequence, const Failure& why) = 0;
  virtual void abort_unknown(Room room, const Failure& why) = 0;

  // Prompts: not called on role decode.
  virtual void prompt_begins(Sequence& sequence) = 0;  // its pages are taken
  virtual void layer_complete(Sequence& sequence, std::uint32_t layer, std::uint32_t rows) = 0;
  virtual void prompt_computed(Sequence& sequence, TokenId first_token, std::optional<FinishReason> reason) = 0;

  virtual void advance(std::uint64_t steps) = 0;  // network, evidence, deadlines, ranks
  virtual Nanos next_deadline() const = 0;
  virtual void close() = 0;          // the last call: gives ports and sockets back
  virtual bool at_rest() const = 0;  // no transfer is live, and nobody waits for our proof

  virtual void refresh(Sequence& sequence) const = 0;  // the transfer's part of its record
  virtual void describe(EngineState& state) const = 0;
  virtual void add_owners(PagePool::Owners& owners) const = 0;  // pins and holds
  virtual std::uint16_t bootstrap_port() const = 0;             // 0: it does not listen
};

}  // namespace pd
