#pragma once
// A copy thread between two real pools in this process: the peer's is filled with random bytes.

#include <condition_variable>
#include <memory>
#include <mutex>
#include <vector>

#include "transfer/backends/shm/shm_backend.h"

namespace pd {

class NetCopies {
 public:
  NetCopies();
  ~NetCopies();

  static constexpr KvLayout layout{.layers = 4, .kv_heads = 2, .head_dim = 16, .pages = 96};
  static constexpr KvLayout peer_layout{.layers = 4, .kv_heads = 2, .head_dim = 16, .pages = 128};
  const Key key{.room = 1, .prefill = 0xA1, .decode = 0xB2};

  Faults faults;
  ShmBackend& backend() { return *backend_; }
  void destroy_backend() { backend_.reset(); }

  void plan(KvPages from, KvPages to) { plan(key, std::move(from), std::move(to)); }
  void plan(const Key& of, KvPages from, KvPages to);
  void post(std::uint32_t layer, std::uint32_t first, std::uint32_t count) {
    backend_->post({.key = key, .layer = layer, .first = first, .count = count});
  }
  void attach();  // again

  Evidence next();                  // the next one, waited for; of kind skipped with words when none comes
  std::vector<Evidence> pending();  // what has been said and not been taken

  void settle();  // all that was asked so far has been worked off

  // The peer writes into the page anew.
  void change_generation(PageId page);
  void free_page(PageId page);

  std::size_t rows_that_differ(std::uint32_t layer, std::uint32_t first, std::uint32_t count) const;
  bool row_arrived(std::uint32_t layer, std::uint32_t row) const { return rows_that_differ(layer, row, 1) == 0; }
  // Waits until the copy thread has written this row.
  bool wait_for_row(std::uint32_t layer, std::uint32_t row) const;
  std::vector<std::uint8_t> own_bytes() const;

 private:
  std::unique_ptr<Region> own_, peer_;
  KvPages from_, to_;  // of `key`
  std::mutex mutex_;
  std::condition_variable woken_;
  bool wake_ = false;
  std::vector<Evidence> said_;
  std::unique_ptr<ShmBackend> backend_;
};

}  // namespace pd
