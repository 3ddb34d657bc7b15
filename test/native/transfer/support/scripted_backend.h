#pragma once
#include <utility>

#include "transfer/backend.h"
#include "transfer/support/log.h"

namespace pd {

// A copy worker that does what the test says: it moves nothing.
class ScriptedBackend final : public Backend {
 public:
  explicit ScriptedBackend(Log& log) : log_(log) {}
  const char* name() const override { return "scripted"; }
  void plan(PullPlan plan) override { log_.add("plan(" + std::to_string(plan.from.size()) + ")"); }
  void post(const Pull& pull) override {
    log_.add("pull(" + std::to_string(pull.layer) + "," + std::to_string(pull.first) + "+" +
             std::to_string(pull.count) + ")");
  }
  void cancel(const Key&) override { log_.add("cancel"); }
  void forget(const Key&) override { log_.add("forget"); }
  std::vector<Evidence> poll() override { return std::exchange(evidence, {}); }
  std::vector<Evidence> evidence;

 private:
  Log& log_;
};

}  // namespace pd
