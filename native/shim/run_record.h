#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "shim/process.h"

namespace pd {

// How the child ended. `words` where it never ran.
struct Exit {
  std::optional<int> code;
  std::optional<std::string> signal;
  std::optional<std::string> words;
};

// `<run>/NAME.json`: src/contract/run-record.ts has the same fields.
struct RunRecord {
  std::string name;
  int64_t generation = 0;
  std::string boot;
  std::string pid_space;
  Identity shim;
  std::optional<Identity> child;
  pid_t session = 0;
  int64_t began_unix_ms = 0;
  std::optional<Exit> exit;
  bool empty = false;
  uint64_t dropped_bytes = 0;
};

std::string record_text(const RunRecord& record);

// Whether the shim or the child of a record that this program wrote still lives.
bool record_lives(std::string_view text);

}  // namespace pd
