#pragma once
// One engine: a loop thread that owns everything, and a bounded inbox through which the world talks to
// it. The only header that outsiders need. All methods may be called from any thread; none waits for a
// step, except start() and stop().

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/failure.h"
#include "core/request.h"
#include "core/role.h"
#include "engine/record.h"

namespace pd {

struct EngineOptions {
  Role role = Role::both;
  std::string model_path;
  std::uint32_t threads = 1;
  std::uint64_t pool_bytes = 256u << 20;
  std::uint32_t context_max = 0;      // 0: the model's own
  std::uint32_t sequences_max = 64;   // running at once
  std::uint32_t requests_max = 1024;  // live at once; one more is refused with queue_full
  bool scattered_pages = false;       // tests: hand out pages that are never neighbours
  bool weights_as_stored = false;     // tests: no requantising
  bool allow_faults = false;
  std::string bootstrap_host = "127.0.0.1";
  std::uint16_t bootstrap_port = 0;  // prefill: 0 picks one
  std::string socket_dir;            // prefill: where the shared-memory offer's Unix socket lies
  std::vector<std::uint8_t> secret;  // of the fleet; empty only for role both
  std::int64_t deadline_bootstrap_ms = 300'000, deadline_waiting_ms = 300'000, deadline_inflight_ms = 300'000;
  std::int64_t deadline_queue_ms = 0;  // 0: none
  std::int64_t connect_ms = 5'000;
};

// What a step brought to one request. A request has any number of `token` and then one `finished` or `failed`.
struct Event {
  enum class Kind { committed, token, finished, failed };
  std::string id;
  Kind kind = Kind::token;
  TokenId token = 0;                         // token. On role prefill the first token comes too, for the record
  FinishReason reason = FinishReason::stop;  // finished
  std::uint32_t prompt_tokens = 0, output_tokens = 0;  // finished
  Failure failure;                                     // failed
};
using OnStep = std::function<void(std::vector<Event>)>;  // on the loop thread, at most once a step

struct ModelInfo {
  std::string name, architecture, chat_template, bos_text, eos_text;
  std::uint32_t layers, kv_heads, head_dim, vocab, context_max, pages;
  std::uint32_t threads;    // compute: fewer than asked where cores are few
  std::string fingerprint;  // hex
};

class Engine {
 public:
  // Loads the model and starts the loop. Throws ModelError or std::system_error (port in use, no memory).
  static std::unique_ptr<Engine> start(const EngineOptions& options, OnStep on_step);
  virtual ~Engine() = default;  // stop(), if that has not been called

  virtual const ModelInfo& model() const = 0;
  virtual std::uint16_t bootstrap_port() const = 0;
  virtual std::vector<TokenId> tokenize(const std::string& text, bool special) const = 0;
  virtual std::string piece(TokenId token) const = 0;  // bytes

  // Refused here: what can never run (too_long), a full queue, draining, a live id or room.
  [[nodiscard]] virtual std::optional<Failure> submit(Request request) = 0;
  virtual void abort(const std::string& id, const Failure& why) = 0;  // an unknown id is ignored
  // The caller has all that it wants of the answer, as when a stop string is in its text: the end is a finish with
  // `stop`. Without a token so far it is an abort.
  virtual void finish(const std::string& id) = 0;
  virtual void abort_room(Room room, const Failure& why) = 0;  // an unknown room leaves a tombstone

  virtual EngineState state() const = 0;                    // the latest snapshot
  virtual std::vector<RequestRecord> requests() const = 0;  // live and recent, newest first
  virtual std::optional<RequestRecord> request(const std::string& id) const = 0;

  [[nodiscard]] virtual bool set_fault(const std::string& name, bool on) = 0;  // false: no such fault, or not allowed
  virtual std::vector<std::pair<std::string, bool>> faults() const = 0;
  virtual void drain(bool on) = 0;  // refuse new requests
  virtual void stop() = 0;          // fails what is live with `shutdown`, tells peers, ends the loop
};

}  // namespace pd
