#pragma once
// Who may come in: knows the live ids and rooms, and refuses what can never run. It answers callers at
// once, on their own thread. Each live request can be asked to abort only once, so the inbox never holds
// more than two messages a request.

#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>

#include "core/failure.h"
#include "core/request.h"
#include "core/role.h"

namespace pd {

struct Limits {
  Role role = Role::both;
  std::uint32_t context_max = 0;  // tokens
  std::uint32_t pages_total = 0;
  std::uint32_t requests_max = 0;
};

// Why it can never run on an engine of these limits; none: it can.
std::optional<Failure> never_fits(const Limits& limits, const Request& request);

class Admission {
 public:
  explicit Admission(const Limits& limits) : limits_(limits) {}

  [[nodiscard]] std::optional<Failure> enter(const Request& request);
  void leave(const Request& request);

  void drain(bool on);
  void close();  // from now on everything is refused with `shutdown`
  bool draining() const;

  [[nodiscard]] bool may_abort(const std::string& id);  // true once for each live request
  std::optional<std::string> id_of(Room room) const;    // of the live request with this room

 private:
  const Limits limits_;
  mutable std::mutex mutex_;
  std::unordered_map<std::string, bool> aborting_by_id_;
  std::unordered_map<Room, std::string> ids_by_room_;
  bool draining_ = false, closed_ = false;
};

}  // namespace pd
