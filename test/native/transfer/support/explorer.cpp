#include "transfer/support/explorer.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "transfer/support/world_checks.h"
#include "transfer/support/world_moves.h"

namespace pd {

namespace {

struct Visit {
  std::uint32_t before;  // index of the visit that led here
  Move move;
};

class Explorer {
 public:
  Explorer(const Rules& rules, std::uint32_t depth_max) : rules_(rules), depth_max_(depth_max) {}

  Found run() {
    std::vector<std::pair<World, std::uint32_t>> level{{new_world(rules_), 0}}, next;
    visits_.push_back({0, {}});
    while (!level.empty() && found_.depth < depth_max_ && found_.words.empty()) {
      for (const auto& [world, index] : level) visit(world, index, next);
      level = std::exchange(next, {});
      if (!level.empty()) ++found_.depth;
    }
    found_.worlds = visits_.size();
    found_.complete = level.empty() && found_.words.empty();
    return found_;
  }

 private:
  void visit(const World& world, std::uint32_t index, std::vector<std::pair<World, std::uint32_t>>& next) {
    if (!found_.words.empty()) return;
    const std::vector<Move> moves = moves_of(world, rules_);
    // Where something still goes on by itself, the world after it is judged instead: it is visited too.
    const bool quiet =
        std::none_of(moves.begin(), moves.end(), [](const Move& move) { return goes_on_by_itself(move.kind); });
    std::string stall = quiet ? stall_of(world, rules_) : "";
    if (!stall.empty()) return report(std::move(stall), index);
    for (const Move& move : moves) {
      World after = world;
      make(after, move, rules_);
      check(after);
      ++found_.moves;
      if (!seen_.insert(std::hash<std::string>{}(fingerprint_of(after))).second) continue;
      visits_.push_back({index, move});
      const auto now = static_cast<std::uint32_t>(visits_.size() - 1);
      if (!after.violation.empty()) return report(after.violation, now);
      next.emplace_back(std::move(after), now);
    }
  }

  void report(std::string words, std::uint32_t index) {
    found_.words = std::move(words);
    for (; index != 0; index = visits_[index].before) found_.path = words_of(visits_[index].move) + "\n" + found_.path;
  }

  Rules rules_;
  std::uint32_t depth_max_;
  std::unordered_set<std::size_t> seen_;
  std::vector<Visit> visits_;
  Found found_;
};

}  // namespace

Found explore(const Rules& rules, std::uint32_t depth_max) { return Explorer(rules, depth_max).run(); }

}  // namespace pd
