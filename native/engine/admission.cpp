#include "engine/admission.h"

#include "kv/layout.h"

namespace pd {
namespace {

std::string number(std::uint64_t value) { return std::to_string(value); }

std::optional<Failure> wrong_bootstrap(Role role, const Request& request) {
  const bool disaggregated = role != Role::both;
  if (disaggregated && !request.bootstrap)
    return Failure{FailureCode::peer_refused,
                   std::string("an engine of role ") + name_of(role) +
                       " expects a bootstrap room with each request, found none; send it through the router"};
  if (!disaggregated && request.bootstrap)
    return Failure{FailureCode::peer_refused,
                   "an engine of role both has no other half, found a bootstrap room; send the request without one"};
  if (request.bootstrap && request.bootstrap->room > room_max)
    return Failure{FailureCode::peer_refused,
                   "a bootstrap room is expected below 2^63, found " + number(request.bootstrap->room)};
  return std::nullopt;
}

}  // namespace

std::optional<Failure> never_fits(const Limits& limits, const Request& request) {
  const std::uint64_t prompt = request.prompt.size();
  const std::uint64_t whole = prompt + request.tokens_max;
  const std::string asked =
      "prompt of " + number(prompt) + " tokens + max_tokens " + number(request.tokens_max) + " = " + number(whole);
  if (whole > limits.context_max)
    return Failure{FailureCode::too_long, asked + " tokens, but the context holds " + number(limits.context_max) +
                                              "; shorten the prompt or lower max_tokens"};
  // A prefill engine lets go of a request after its prompt.
  const std::uint64_t rows = limits.role == Role::prefill ? prompt : whole;
  const std::uint64_t pool = std::uint64_t{limits.pages_total} * page_tokens;
  if (rows > pool)
    return Failure{FailureCode::too_long,
                   asked + " tokens, but the page pool holds " + number(pool) +
                       "; shorten the prompt, lower max_tokens or give the engine a larger pool"};
  return std::nullopt;
}

std::optional<Failure> Admission::enter(const Request& request) {
  if (std::optional<Failure> failure = wrong_bootstrap(limits_.role, request)) return failure;
  if (std::optional<Failure> failure = never_fits(limits_, request)) return failure;

  const std::lock_guard lock(mutex_);
  if (closed_) return Failure{FailureCode::shutdown, "the engine is stopping; try another one"};
  if (draining_)
    return Failure{FailureCode::draining, "the engine is draining and takes no new requests; try another one"};
  if (aborting_by_id_.contains(request.id))
    return Failure{FailureCode::duplicate_room, "a live request already has the id " + request.id + "; draw another"};
  if (request.bootstrap && ids_by_room_.contains(request.bootstrap->room))
    return Failure{FailureCode::duplicate_room,
                   "a live request already has the room " + number(request.bootstrap->room) + "; draw another"};
  if (aborting_by_id_.size() >= limits_.requests_max)
    return Failure{
        FailureCode::queue_full,
        number(limits_.requests_max) + " requests are live, which is the most this engine takes; try again later"};

  aborting_by_id_.emplace(request.id, false);
  if (request.bootstrap) ids_by_room_.emplace(request.bootstrap->room, request.id);
  return std::nullopt;
}

void Admission::leave(const Request& request) {
  const std::lock_guard lock(mutex_);
  aborting_by_id_.erase(request.id);
  if (request.bootstrap) ids_by_room_.erase(request.bootstrap->room);
}

void Admission::drain(bool on) {
  const std::lock_guard lock(mutex_);
  draining_ = on;
}

void Admission::close() {
  const std::lock_guard lock(mutex_);
  closed_ = true;
}

bool Admission::draining() const {
  const std::lock_guard lock(mutex_);
  return draining_;
}

bool Admission::may_abort(const std::string& id) {
  const std::lock_guard lock(mutex_);
  const auto found = aborting_by_id_.find(id);
  if (found == aborting_by_id_.end() || found->second) return false;
  return found->second = true;
}

std::optional<std::string> Admission::id_of(Room room) const {
  const std::lock_guard lock(mutex_);
  const auto found = ids_by_room_.find(room);
  if (found == ids_by_room_.end()) return std::nullopt;
  return found->second;
}

}  // namespace pd
