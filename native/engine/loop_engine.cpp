#include "engine/loop_engine.h"

#include "core/check.h"
#include "engine/assembly.h"

namespace pd {
namespace {

constexpr std::size_t tombstones_max = 1024;  // waiting for the loop; beyond it none is kept

constexpr const char* fault_names[] = {"never-send", "park-copy-thread", "ignore-deadlines"};

}  // namespace

std::unique_ptr<Engine> Engine::start(const EngineOptions& options, OnStep on_step) {
  return std::make_unique<LoopEngine>(options, std::move(on_step));
}

LoopEngine::LoopEngine(const EngineOptions& options, OnStep on_step)
    : options_(options),
      model_(Model::load(options.model_path, options.weights_as_stored ? WeightPolicy::as_stored : WeightPolicy::fast)),
      tokenizer_(Tokenizer::load(options.model_path)),
      info_(info_of(*model_, *tokenizer_, options, layout_of(model_->shape(), options.pool_bytes))),
      incarnation_(draw_incarnation()),
      region_(Region::create(layout_of(model_->shape(), options.pool_bytes), model_->fingerprint(), incarnation_)),
      pool_(*region_, options.scattered_pages ? PageOrder::scattered : PageOrder::contiguous),
      runner_(Runner::create(*model_, *region_, {.threads = info_.threads})),
      admission_(limits_of(options, info_)),
      inbox_(2 * std::size_t{options.requests_max}, tombstones_max),
      lifecycle_(clock_, pool_, admission_, recorder_),
      side_(make_side({.options = options_,
                       .model = *model_,
                       .region = *region_,
                       .pool = pool_,
                       .clock = clock_,
                       .faults = faults_,
                       .wake = wake_,
                       .lifecycle = lifecycle_,
                       .recorder = recorder_,
                       .incarnation = incarnation_})),
      loop_(std::make_unique<Loop>(LoopParts{.options = options_,
                                             .clock = clock_,
                                             .wake = wake_,
                                             .inbox = inbox_,
                                             .admission = admission_,
                                             .recorder = recorder_,
                                             .board = board_,
                                             .pool = pool_,
                                             .runner = *runner_,
                                             .tokenizer = *tokenizer_,
                                             .lifecycle = lifecycle_,
                                             .side = *side_,
                                             .on_step = std::move(on_step)})) {
  lifecycle_.state().role = options.role;
  lifecycle_.state().incarnation = incarnation_;
  loop_->start();
}

std::vector<TokenId> LoopEngine::tokenize(const std::string& text, bool special) const {
  return tokenizer_->tokenize(text, special);
}

std::string LoopEngine::piece(TokenId token) const { return tokenizer_->piece(token); }

std::optional<Failure> LoopEngine::submit(Request request) {
  if (std::optional<Failure> refused = admission_.enter(request)) return refused;
  const bool taken = inbox_.push(SubmitMessage{std::move(request)});
  PD_CHECK(taken, "the inbox is full although every request in it was admitted");
  wake_.call();
  return std::nullopt;
}

void LoopEngine::abort(const std::string& id, const Failure& why) {
  if (!admission_.may_abort(id)) return;
  const bool taken = inbox_.push(AbortMessage{id, why});
  PD_CHECK(taken, "the inbox is full although each request is aborted once");
  wake_.call();
}

void LoopEngine::finish(const std::string& id) {
  if (!admission_.may_abort(id)) return;
  const bool taken = inbox_.push(FinishMessage{id});
  PD_CHECK(taken, "the inbox is full although each request is ended once");
  wake_.call();
}

void LoopEngine::abort_room(Room room, const Failure& why) {
  if (const std::optional<std::string> id = admission_.id_of(room)) return abort(*id, why);
  if (!inbox_.push(AbortRoomMessage{room, why})) return;
  wake_.call();
}

EngineState LoopEngine::state() const {
  EngineState state = board_.read(clock_.now(), wake_.age());
  state.draining = admission_.draining();
  return state;
}

std::vector<RequestRecord> LoopEngine::requests() const { return recorder_.list(clock_.now()); }

std::optional<RequestRecord> LoopEngine::request(const std::string& id) const {
  return recorder_.find(id, clock_.now());
}

bool LoopEngine::set_fault(const std::string& name, bool on) {
  std::atomic<bool>* fault = fault_named(faults_, name);
  if (fault == nullptr || !options_.allow_faults) return false;
  *fault = on;
  wake_.call();
  return true;
}

std::vector<std::pair<std::string, bool>> LoopEngine::faults() const {
  std::vector<std::pair<std::string, bool>> faults;
  for (const char* name : fault_names) faults.emplace_back(name, fault_named(faults_, name)->load());
  return faults;
}

void LoopEngine::drain(bool on) {
  admission_.drain(on);
  wake_.call();
}

void LoopEngine::stop() { loop_->stop(); }

}  // namespace pd
