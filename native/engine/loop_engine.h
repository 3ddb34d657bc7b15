#pragma once
// The parts of one engine, in the order in which they depend on each other, and the callers' door to them.

#include <memory>

#include "core/faults.h"
#include "engine/engine.h"
#include "engine/loop.h"
#include "engine/side.h"
#include "engine/steady_clock.h"
#include "model/model.h"
#include "model/runner.h"
#include "model/tokenizer.h"

namespace pd {

class LoopEngine final : public Engine {
 public:
  LoopEngine(const EngineOptions& options, OnStep on_step);
  ~LoopEngine() override { loop_->stop(); }

  const ModelInfo& model() const override { return info_; }
  std::uint16_t bootstrap_port() const override { return side_->bootstrap_port(); }
  std::vector<TokenId> tokenize(const std::string& text, bool special) const override;
  std::string piece(TokenId token) const override;

  std::optional<Failure> submit(Request request) override;
  void abort(const std::string& id, const Failure& why) override;
  void finish(const std::string& id) override;
  void abort_room(Room room, const Failure& why) override;

  EngineState state() const override;
  std::vector<RequestRecord> requests() const override;
  std::optional<RequestRecord> request(const std::string& id) const override;

  bool set_fault(const std::string& name, bool on) override;
  std::vector<std::pair<std::string, bool>> faults() const override;
  void drain(bool on) override;
  void stop() override;

 private:
  EngineOptions options_;
  SteadyClock clock_;
  Wake wake_{clock_};
  mutable Faults faults_;
  std::unique_ptr<Model> model_;
  std::unique_ptr<Tokenizer> tokenizer_;
  ModelInfo info_;
  Incarnation incarnation_;
  std::unique_ptr<Region> region_;
  PagePool pool_;
  std::unique_ptr<Runner> runner_;
  Admission admission_;
  Inbox inbox_;
  FlightRecorder recorder_;
  StateBoard board_;
  Lifecycle lifecycle_;
  std::unique_ptr<Side> side_;
  std::unique_ptr<Loop> loop_;
};

}  // namespace pd
