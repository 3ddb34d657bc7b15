#pragma once
// One request on its way through this engine. Loop thread only.

#include <optional>
#include <variant>

#include "core/request.h"
#include "engine/entry.h"
#include "kv/page_pool.h"
#include "scheduler/load.h"

namespace pd {

using Ending = std::variant<FinishReason, Failure>;

struct Sequence {
  SequenceNumber number = 0;
  Request request;
  Entry entry;
  KvPages pages;                       // its sequence reference
  std::uint32_t rows = 0;              // in its pages: computed here, or landed
  TokenId last_token = 0;              // drawn, its row not computed yet
  std::optional<FinishReason> reason;  // prefill: its first token already ends the answer
  bool lent = false;                   // a transfer may still read or write its pages
  std::optional<Ending> ending;        // decided and final; carried out when no call is running
  bool changed = true;                 // its record, since it was last published

  Room room() const { return request.bootstrap ? request.bootstrap->room : 0; }
  std::uint32_t prompt_tokens() const { return static_cast<std::uint32_t>(request.prompt.size()); }
};

}  // namespace pd
