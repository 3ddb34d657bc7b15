#pragma once
// Walks every order in which things can happen, breadth first, and remembers each world by its
// fingerprint. The first world that is wrong is reported with the shortest way to it.

#include "transfer/support/world.h"

namespace pd {

struct Found {
  std::string words;  // what is wrong; empty: nothing
  std::string path;   // how it came to be, one move a line
  std::size_t worlds = 0, moves = 0;
  std::uint32_t depth = 0;  // of the deepest world
  bool complete = false;    // there was no world left to visit
};

Found explore(const Rules& rules, std::uint32_t depth_max);

}  // namespace pd
