#include "transfer/support/net_copies.h"

#include <unistd.h>

#include <chrono>
#include <random>
#include <thread>
#include <utility>

namespace pd {
namespace {

constexpr auto patience = std::chrono::seconds(60);

// The copy thread may be writing these bytes right now: that is what the tests watch for.
__attribute__((no_sanitize("thread"))) bool same_bytes(const std::uint8_t* a, const volatile std::uint8_t* b,
                                                       std::size_t bytes) {
  for (std::size_t i = 0; i < bytes; ++i) {
    if (a[i] != b[i]) return false;
  }
  return true;
}

}  // namespace

NetCopies::NetCopies()
    : own_(Region::create(layout, Digest{1}, 0xB2)), peer_(Region::create(peer_layout, Digest{1}, 0xA1)) {
  std::mt19937 random(20261129);
  for (std::size_t i = 0; i < peer_layout.pages_bytes(); ++i) peer_->pages()[i] = static_cast<std::uint8_t>(random());
  for (PageId page = 0; page < peer_layout.pages; ++page) peer_->generations()[page] = 2 + 2 * page;
  backend_ = ShmBackend::create(*own_, faults, [this] {
    const std::lock_guard lock(mutex_);
    wake_ = true;
    woken_.notify_all();
  });
  attach();
}

NetCopies::~NetCopies() { backend_.reset(); }

void NetCopies::attach() { backend_->attach(0xA1, Region::open(dup(peer_->fd()), peer_layout, Digest{1}, 0xA1)); }

void NetCopies::plan(const Key& of, KvPages from, KvPages to) {
  if (of == key) {
    from_ = from;
    to_ = to;
  }
  std::vector<std::uint64_t> generations;
  for (const PageId page : from) {
    generations.push_back(page < peer_layout.pages ? peer_->generations()[page].load() : 2);
  }
  backend_->plan({.key = of, .from = std::move(from), .generations = std::move(generations), .to = std::move(to)});
}

Evidence NetCopies::next() {
  const auto until = std::chrono::steady_clock::now() + patience;
  while (said_.empty()) {
    said_ = backend_->poll();
    if (!said_.empty()) break;
    std::unique_lock lock(mutex_);
    woken_.wait_until(lock, until, [&] { return wake_; });
    if (!wake_) return {.key = key, .kind = EvidenceKind::skipped, .words = "nothing was said"};
    wake_ = false;
  }
  Evidence first = std::move(said_.front());
  said_.erase(said_.begin());
  return first;
}

std::vector<Evidence> NetCopies::pending() {
  for (Evidence& evidence : backend_->poll()) said_.push_back(std::move(evidence));
  return std::exchange(said_, {});
}

// A pull of a key of its own: when it has landed, what was asked before it has been done.
void NetCopies::settle() {
  Key last = key;
  last.room = room_max;
  plan(last, {1}, {1});
  backend_->post({.key = last, .layer = 0, .first = 0, .count = 1});
  std::vector<Evidence> before;
  for (Evidence said = next(); said.key != last && said.words.empty(); said = next()) before.push_back(said);
  backend_->forget(last);
  said_.insert(said_.begin(), before.begin(), before.end());
}

void NetCopies::change_generation(PageId page) { peer_->generations()[page] += 2; }

void NetCopies::free_page(PageId page) { peer_->generations()[page] += 1; }

std::size_t NetCopies::rows_that_differ(std::uint32_t layer, std::uint32_t first, std::uint32_t count) const {
  const std::size_t bytes = layout.token_bytes();
  std::size_t differ = 0;
  for (std::uint32_t row = first; row < first + count; ++row) {
    const std::size_t into = row % page_tokens * bytes;
    const std::uint8_t* source = peer_->pages() + peer_layout.offset(layer, from_[row / page_tokens]) + into;
    const std::uint8_t* copy = own_->pages() + layout.offset(layer, to_[row / page_tokens]) + into;
    if (!same_bytes(source, copy, bytes)) ++differ;
  }
  return differ;
}

bool NetCopies::wait_for_row(std::uint32_t layer, std::uint32_t row) const {
  const auto until = std::chrono::steady_clock::now() + patience;
  while (!row_arrived(layer, row)) {
    if (std::chrono::steady_clock::now() > until) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return true;
}

std::vector<std::uint8_t> NetCopies::own_bytes() const { return {own_->pages(), own_->pages() + layout.pages_bytes()}; }

}  // namespace pd
