// The hand-over of the page pool: the prefill engine offers it, the decode engine fetches and maps it.

#include <stdexcept>

#include "transfer/net/nonce.h"
#include "transfer/net/session.h"

namespace pd {

void Session::offer_memory() {
  stage_ = Stage::mapping;
  offered_ = random_nonce();
  parts_.door->offer(*offered_, *this);
  say(ShmOffer{.path = parts_.door->path(), .nonce = *offered_, .pages = parts_.regions.own.layout().pages});
}

void Session::handed_over(Fd pidfd) {
  offered_.reset();
  pidfd_ = std::move(pidfd);
}

void Session::not_handed_over(std::string words) {
  offered_.reset();
  refuse(words);
}

void Session::visit(const ShmOffer& offer) {
  visit_.emplace(parts_.poller,
                 [this, pages = offer.pages](std::optional<Fd> memory) { map(std::move(memory), pages); });
  if (const std::optional<std::string> words = visit_->begin(offer.path, offer.nonce)) {
    end(FailureCode::peer_refused, *words);
  }
}

void Session::map(std::optional<Fd> memory, std::uint32_t pages) {
  // Without memory the refusal that says why is on its way; if none comes, the limit of the handshake ends it.
  if (!memory) return;
  KvLayout layout = parts_.regions.own.layout();
  layout.pages = pages;  // the one number in which two pools may differ
  std::unique_ptr<const Region> region;
  try {
    region = Region::open(memory->release(), layout, parts_.options.fingerprint, peer());
  } catch (const std::exception& error) {
    return end(FailureCode::peer_refused, error.what());
  }
  parts_.regions.on_region(peer(), std::move(region));
  say(ShmMapped{});  // before anything that the loop may say
  opened();
}

}  // namespace pd
