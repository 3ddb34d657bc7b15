#include "transfer/support/sender_rig.h"

namespace pd {

SenderRig::SenderRig() : senders(Senders::create({*this, pool, clock, faults, *ranks, deadlines, prefill, layers})) {
  senders->connected(peer);
}

void SenderRig::to_presented() {
  static_cast<void>(senders->add(7, hash, tokens));
  hear(Present{key(), hash, tokens});
  log.take();
}

void SenderRig::to_waiting() {
  to_presented();
  hear(Reserved{key(), 2, 0});
  turn();
  log.take();
}

void SenderRig::to_running() {
  to_waiting();
  take_pages();
  senders->began(7, pages);
  turn();
  log.take();
}

void SenderRig::to_inflight() {
  to_running();
  for (std::uint32_t layer = 0; layer < layers; ++layer) senders->layer_complete(7, layer, tokens);
  senders->finished(7, 5, std::nullopt);
  log.take();
}

std::string SenderRig::pages_now() const {
  return "live " + std::to_string(pool.pages_live()) + " held " + std::to_string(pool.pages_held());
}

std::optional<std::string> SenderRig::wrong() const {
  PagePool::Owners owners{{}, senders->pins(), senders->holds()};
  if (!pages.empty()) owners.sequences.emplace_back(pages);
  return pool.check(owners);
}

void SenderRig::release(const std::string& what) {
  log.add(what);
  if (!pages.empty()) pool.release(pages);
  pages.clear();
}

}  // namespace pd
