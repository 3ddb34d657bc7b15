#include "transfer/support/words.h"
#include "transfer/support/world.h"

namespace pd {

namespace {

// Times are left out: they stand still in this world.
class Packer {
 public:
  std::string bytes;

  template <typename... Values>
  void pack(const Values&... values) {
    (one(values), ...);
  }

 private:
  void one(const Key& key) { pack(key.prefill, key.decode); }
  void one(const KvPages& pages) { one(static_cast<std::uint32_t>(pages.size())); }
  void one(const std::vector<Frame>& frames) {
    for (const Frame& frame : frames) {
      bytes += words_of(frame);
      std::visit(
          [&](const auto& said) {
            if constexpr (requires { said.key; }) one(said.key);
          },
          frame);
    }
    bytes += '|';
  }
  void one(const Pull& pull) { pack(pull.layer, pull.first, pull.count); }
  void one(const std::optional<Pull>& pull) { pull ? one(*pull) : one(std::uint8_t{255}); }
  template <typename Value>
  void one(const std::optional<Value>& value) {
    one(value.has_value());
  }
  template <typename Value>
  void one(const Value& value)
    requires std::is_integral_v<Value> || std::is_enum_v<Value>
  {
    bytes += static_cast<char>(value);  // all of them are small here
  }
};

}  // namespace

std::string fingerprint_of(const World& world) {
  Packer packer;
  const PrefillEngine& p = world.prefill;
  packer.pack(p.incarnation, p.link, p.added, p.tombstone, p.other_rank_failed, p.queued, p.told, p.safe, p.layer,
              p.watermark, p.room);
  for (const auto& [decode, present] : p.presents) packer.pack(decode);
  for (const Incarnation gone : p.decode_processes_gone) packer.pack(std::uint8_t{254}, gone);
  if (const auto& room = p.room) {
    packer.pack(room->key, room->vote, room->state, room->failure_is_peers, room->hands, room->reader_gone,
                room->presented, room->credited, room->reserved, room->began, room->finished, room->committed);
    for (const std::uint32_t rows : room->computed) packer.pack(rows);
    for (const std::uint32_t rows : room->announced) packer.pack(rows);
  }
  const DecodeEngine& d = world.decode;
  packer.pack(d.incarnation, d.link, d.added, d.other_rank_failed, d.credited, d.told, d.safe, d.room);
  if (const auto& room = d.room) {
    packer.pack(room->key, room->vote, room->state, room->failure_is_peers, room->hands, room->worker, room->pages,
                room->credited, room->reserved, room->prefill_finished, room->final_word, room->layers_landed);
    for (const std::uint32_t rows : room->ready) packer.pack(rows);
    for (const std::uint32_t rows : room->posted) packer.pack(rows);
    for (const std::uint32_t rows : room->landed) packer.pack(rows);
    if (room->final_word) packer.pack(room->final_word->finish_reason);
  }
  const CopyWorker& worker = d.worker;
  packer.pack(worker.copying, worker.planned, worker.cancelled, worker.parked);
  for (const Pull& pull : worker.work) packer.pack(pull);
  for (const Evidence& said : worker.said) packer.pack(std::uint8_t{253}, said.kind, said.layer, said.rows);
  for (const std::uint32_t rows : worker.rows) packer.pack(rows);
  for (const auto& [id, link] : world.links) {
    packer.pack(id, link.prefill, link.decode, link.to_prefill, link.to_decode, link.cut, link.prefill_open,
                link.decode_open);
  }
  packer.pack(world.links_made, world.troubles);
  for (const Key& key : world.commits) packer.pack(key);
  return packer.bytes;
}

}  // namespace pd
