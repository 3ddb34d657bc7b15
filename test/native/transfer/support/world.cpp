#include "transfer/support/world.h"

namespace pd {

namespace {

const Moment moment{.now = 1};
const Digest the_hash{1};

bool open_at_prefill(const World& world, std::uint32_t link) {
  const auto found = world.links.find(link);
  return found != world.links.end() && found->second.prefill_open;
}

struct PrefillPerforms {
  World& world;
  void operator()(const Send& send) {
    if (!open_at_prefill(world, world.prefill.link)) return;
    WorldLink& link = world.links.at(world.prefill.link);
    if (!link.cut) link.to_decode.push_back(send.frame);
  }
  void operator()(const PinPages&) {}
  void operator()(const UnpinPages&) {}
  void operator()(const HoldPages&) {}
  void operator()(const UnholdPages&) {}
  void operator()(const TellReserved&) { world.prefill.queued = true; }
  void operator()(const TellSuccess&) { tell_end(); }
  void operator()(const TellFailed&) {
    if (!world.prefill.room->bound()) world.prefill.tombstone = true;
    tell_end();
  }
  void operator()(const TellSafe&) {
    if (!world.prefill.told || world.prefill.safe)
      violated(world, "prefill: its pages are called safe before the end, or twice");
    world.prefill.safe = true;
  }
  void tell_end() {
    if (world.prefill.told) violated(world, "prefill: the host is told an end twice");
    world.prefill.told = true;
  }
};

struct DecodePerforms {
  World& world;
  void operator()(const Send& send) {
    auto link = world.links.find(world.decode.link);
    if (link == world.links.end() || !link->second.decode_open) {
      for (link = world.links.begin(); link != world.links.end(); ++link) {
        if (link->second.decode_open && link->second.prefill == world.decode.room->key.prefill) break;
      }
    }
    if (link != world.links.end() && !link->second.cut) link->second.to_prefill.push_back(send.frame);
  }
  void operator()(const PinPages&) {}
  void operator()(const UnpinPages&) {}
  void operator()(const HoldPages&) {}
  void operator()(const UnholdPages&) {}
  void operator()(const PlanPull&) { world.decode.worker.planned = true; }
  void operator()(const PostPull& post) { world.decode.worker.work.push_back(post.pull); }
  void operator()(const CancelPull&) { world.decode.worker.cancelled = true; }
  void operator()(const ForgetPull&) {
    CopyWorker& worker = world.decode.worker;
    if (worker.copying || !worker.work.empty()) violated(world, "decode: a worker is forgotten with work in its hands");
    worker.planned = false;
  }
  void operator()(const TellCredit&) { world.decode.credited = true; }
  void operator()(const TellCommit&) {
    world.commits.push_back(world.decode.room->key);
    tell_end();
  }
  void operator()(const TellFailed&) { tell_end(); }
  void operator()(const TellSafe&) {
    if (!world.decode.told || world.decode.safe)
      violated(world, "decode: its pages are called safe before the end, or twice");
    world.decode.safe = true;
  }
  void operator()(const CountAckLost&) {}
  void tell_end() {
    if (world.decode.told) violated(world, "decode: the host is told an end twice");
    world.decode.told = true;
  }
};

bool ends(const Frame& frame) { return std::holds_alternative<Failed>(frame) || std::holds_alternative<Abort>(frame); }

}  // namespace

void violated(World& world, const std::string& words) {
  if (world.violation.empty()) world.violation = words;
}

void to_prefill(World& world, const SenderEvent& event, const Moment& when) {
  for (const SenderEffect& effect : advance(*world.prefill.room, event, when))
    std::visit(PrefillPerforms{world}, effect);
}

void to_decode(World& world, const ReceiverEvent& event, const Moment& when) {
  for (const ReceiverEffect& effect : advance(*world.decode.room, event, when))
    std::visit(DecodePerforms{world}, effect);
}

void prefill_hears(World& world, std::uint32_t link, const Frame& frame) {
  PrefillEngine& prefill = world.prefill;
  std::visit(
      [&](const auto& said) {
        using Said = std::decay_t<decltype(said)>;
        if constexpr (std::is_constructible_v<SenderEvent, Said>) {
          if (said.key.prefill != prefill.incarnation) return;
          const auto refuse = [&] {
            WorldLink& to = world.links.at(link);
            if (!to.cut) to.to_decode.push_back(Failed{said.key, FailureCode::aborted, ""});
          };
          if constexpr (std::is_same_v<Said, Present>) {
            if (!prefill.added || (prefill.safe && prefill.room->bound()))
              return void(prefill.presents.insert_or_assign(said.key.decode, said));
            if (!prefill.room || (prefill.safe && !prefill.room->bound())) return refuse();
            if (prefill.room->bound() && prefill.room->key != said.key) return refuse();
            if (prefill.room->bound()) return;
            prefill.link = link;
          }
          if (prefill.room && prefill.room->key.decode != 0 && prefill.room->key != said.key) return;
          if (prefill.room) {
            if (prefill.room->bound() || std::is_same_v<Said, Present>) to_prefill(world, said, moment);
          } else if (ends(Frame(said)) && prefill.presents.erase(said.key.decode) == 1) {
            prefill.tombstone = true;
          }
        }
      },
      frame);
}

void decode_hears(World& world, std::uint32_t link, const Frame& frame) {
  DecodeEngine& decode = world.decode;
  std::visit(
      [&](const auto& said) {
        using Said = std::decay_t<decltype(said)>;
        if constexpr (std::is_constructible_v<ReceiverEvent, Said>) {
          if (said.key.decode != decode.incarnation) return;
          if (decode.room && decode.room->key == said.key && !decode.safe) return to_decode(world, said, moment);
          WorldLink& back = world.links.at(link);
          if (ends(Frame(said)) && !back.cut) back.to_prefill.push_back(Drained{said.key});
        }
      },
      frame);
}

void prefill_sees_close(World& world, std::uint32_t link) {
  WorldLink& closed = world.links.at(link);
  closed.prefill_open = false;
  closed.to_prefill.clear();
  PrefillEngine& prefill = world.prefill;
  prefill.presents.erase(closed.decode);
  if (prefill.room && prefill.room->bound() && prefill.link == link && !prefill.safe) {
    to_prefill(world, GiveUp{{FailureCode::peer_lost, ""}}, moment);
    for (auto& [id, other] : world.links) {
      if (!other.prefill_open || other.decode != prefill.room->key.decode || other.prefill != prefill.incarnation)
        continue;
      prefill.link = id;
      if (!other.cut) other.to_decode.push_back(Abort{prefill.room->key});
      break;
    }
  }
  if (!closed.decode_open) world.links.erase(link);
}

void decode_sees_close(World& world, std::uint32_t link) {
  WorldLink& closed = world.links.at(link);
  closed.decode_open = false;
  closed.to_decode.clear();
  DecodeEngine& decode = world.decode;
  if (decode.room && decode.room->bound() && decode.link == link)
    to_decode(world, GiveUp{{FailureCode::peer_lost, ""}}, moment);
  if (!closed.prefill_open) world.links.erase(link);
}

void connect(World& world) {
  const std::uint32_t id = ++world.links_made;
  world.links[id] = {.prefill = world.prefill.incarnation, .decode = world.decode.incarnation};
  const std::optional<SenderState>& room = world.prefill.room;
  if (room && is_terminal(room->vote) && !world.prefill.safe && room->key.decode == world.decode.incarnation) {
    world.links.at(id).to_decode.push_back(Abort{room->key});
  }
  if (!world.decode.room || world.decode.room->bound()) return;
  world.decode.link = id;
  to_decode(world, PeerFound{world.prefill.incarnation, ""}, moment);
}

}  // namespace pd
