#include "transfer/support/receiver_rig.h"

namespace pd {

ReceiverRig::ReceiverRig()
    : receivers(Receivers::create({*this, pool, backend, clock, faults, *ranks, deadlines, decode, layout})) {}

void ReceiverRig::add() {
  if (const auto refused = receivers->add({"prefill", 1, 7}, hash, tokens))
    log.add(std::string("refused!") + name_of(refused->code));
}

void ReceiverRig::land(std::uint32_t layer, std::uint32_t rows) {
  backend.evidence.push_back(
      {.key = key(), .kind = EvidenceKind::landed, .layer = layer, .rows = rows, .bytes = rows * layout.token_bytes()});
  turn();
}

void ReceiverRig::say(EvidenceKind kind, FailureCode code) {
  backend.evidence.push_back({.key = key(), .kind = kind, .words = "page 3 changed", .code = code});
  turn();
}

void ReceiverRig::to_presented() {
  connect(peer);
  add();
  log.take();
}

void ReceiverRig::to_reserved() {
  to_presented();
  hear(Credit{key()});
  turn();
  log.take();
}

void ReceiverRig::to_planned() {
  to_reserved();
  hear(Source{key(), {4, 5}, {2, 2}});
  turn();
  log.take();
}

void ReceiverRig::to_landed() {
  to_planned();
  for (std::uint32_t layer = 0; layer < layers; ++layer) {
    hear(Ready{key(), layer, tokens, std::nullopt});
    land(layer, tokens);
  }
  log.take();
}

std::string ReceiverRig::pages_now() const {
  return "live " + std::to_string(pool.pages_live()) + " held " + std::to_string(pool.pages_held());
}

std::optional<std::string> ReceiverRig::wrong() const {
  PagePool::Owners owners{{}, receivers->pins(), receivers->holds()};
  if (!pages.empty()) owners.sequences.emplace_back(pages);
  return pool.check(owners);
}

void ReceiverRig::on_credit(Room room) {
  log.add("credit!");
  if (!pages_free) return;
  pages = *pool.take(2);
  receivers->reserve(room, pages);
}

void ReceiverRig::on_failed(Room, const Failure& failure) {
  log.add(std::string("failed!") + name_of(failure.code));
  words = failure.words;
  if (!pages.empty()) pool.release(pages);
  pages.clear();
}

}  // namespace pd
