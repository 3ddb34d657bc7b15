#include "transfer/support/words.h"

namespace pd {

namespace {

struct Words {
  std::string operator()(const Present&) { return "present"; }
  std::string operator()(const Credit&) { return "credit"; }
  std::string operator()(const Reserved& said) { return "reserved(" + std::to_string(said.pages) + ")"; }
  std::string operator()(const Source& said) { return "source(" + std::to_string(said.pages.size()) + ")"; }
  std::string operator()(const Ready& said) {
    return "ready(" + std::to_string(said.layer) + "," + std::to_string(said.rows) + ")";
  }
  std::string operator()(const Progress& said) {
    std::string text = "progress(" + std::to_string(said.steps);
    for (const ProgressEntry& entry : said.entries) {
      text += ';' + std::to_string(entry.key.room) + ':' + std::to_string(static_cast<int>(entry.stage));
      text += ',' + std::to_string(entry.rows_computed) + ',' + std::to_string(entry.rows_sent);
    }
    return text + ")";
  }
  std::string operator()(const Final& said) {
    return said.finish_reason ? "final(" + std::string(name_of(*said.finish_reason)) + ")" : "final";
  }
  std::string operator()(const Committed&) { return "committed"; }
  std::string operator()(const Done&) { return "done"; }
  std::string operator()(const Failed& said) { return std::string("failed(") + name_of(said.code) + ")"; }
  std::string operator()(const Abort&) { return "abort"; }
  std::string operator()(const Drained&) { return "drained"; }
};

}  // namespace

std::string words_of(const Frame& frame) { return std::visit(Words{}, frame); }

}  // namespace pd
