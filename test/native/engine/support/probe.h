#pragma once
// An engine over a tiny random model, and what it has said about each request.

#include <chrono>
#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "engine/engine.h"

namespace pd {

// Far beyond anything that a loaded machine needs: who waits this long has hung.
constexpr std::chrono::seconds patience{120};

struct Answer {
  std::vector<TokenId> tokens;
  bool committed = false;
  std::optional<FinishReason> reason;
  std::optional<Failure> failure;
  std::uint32_t output_tokens = 0;
  bool over() const { return reason || failure; }
};

class Probe {
 public:
  explicit Probe(const EngineOptions& options)
      : engine_(Engine::start(options, [this](std::vector<Event> events) { hear(events); })) {}

  Engine& engine() { return *engine_; }
  Engine* operator->() { return engine_.get(); }
  void destroy() { engine_.reset(); }

  // Waits for the end of the answer.
  Answer answer(const std::string& id) {
    return wait_for(id, [](const Answer& answer) { return answer.over(); });
  }

  Answer first_token(const std::string& id) {
    return wait_for(id, [](const Answer& answer) { return !answer.tokens.empty() || answer.over(); });
  }

  Answer now(const std::string& id) {
    const std::lock_guard lock(mutex_);
    return answers_[id];
  }

 private:
  template <typename Condition>
  Answer wait_for(const std::string& id, Condition condition) {
    std::unique_lock lock(mutex_);
    const bool came = heard_.wait_for(lock, patience, [&] { return condition(answers_[id]); });
    if (!came) throw std::runtime_error("no end of " + id + " in sight");
    return answers_[id];
  }

  void hear(const std::vector<Event>& events) {
    const std::lock_guard lock(mutex_);
    for (const Event& event : events) {
      Answer& answer = answers_[event.id];
      if (answer.over()) throw std::logic_error("an event after the end of " + event.id);
      switch (event.kind) {
        case Event::Kind::committed: answer.committed = true; break;
        case Event::Kind::token: answer.tokens.push_back(event.token); break;
        case Event::Kind::finished:
          answer.reason = event.reason;
          answer.output_tokens = event.output_tokens;
          break;
        case Event::Kind::failed: answer.failure = event.failure; break;
      }
    }
    heard_.notify_all();
  }

  std::mutex mutex_;
  std::condition_variable heard_;
  std::map<std::string, Answer> answers_;
  std::unique_ptr<Engine> engine_;  // last: its thread calls hear()
};

// Waits until something that the loop does by itself has come true.
template <typename Condition>
bool eventually(Condition condition) {
  const auto limit = std::chrono::steady_clock::now() + patience;
  while (!condition()) {
    if (std::chrono::steady_clock::now() > limit) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return true;
}

// No request in any queue, and no page that is not free.
inline bool at_rest(const EngineState& state) {
  const QueueCounts& queues = state.queues;
  const std::uint32_t queued =
      queues.bootstrap + queues.waiting + queues.running + queues.inflight + queues.prealloc + queues.transfer;
  return queued == 0 && state.pages_live == 0 && state.pages_held == 0 && state.pages_free == state.pages_total;
}

}  // namespace pd
