#pragma once
// Two engines, one room, the links between them and a copy worker, as one copyable value. The states
// are advanced by the shipped transition functions; what the shells do around them is told again here,
// as small as it can be.

#include <map>
#include <string>

#include "transfer/receiver_state.h"
#include "transfer/sender_state.h"

namespace pd {

// What is explored.
struct Rules {
  std::vector<std::uint32_t> watermarks{20};  // of each layer, as prefill's chunks complete
  std::uint32_t layers = 2;
  std::uint32_t troubles_max = 2;     // aborts, deadlines, cuts, restarts, … on one path
  bool starts_transferring = false;   // both legs have met, and prefill has begun
  bool restarts = true;               // of either process, among the troubles
  bool ignore_deadlines = false;      // the historic stall: nobody looks at the clock
  bool worker_writes_states = false;  // the historic resurrection: the worker is a second writer
};

constexpr Room the_room = 7;
constexpr std::uint32_t the_tokens = 20, the_pages = 2;

struct WorldLink {
  Incarnation prefill, decode;
  std::vector<Frame> to_prefill{}, to_decode{};  // in order, as TCP keeps them
  bool cut = false;                              // what is sent from now on is lost; what is under way may still come
  bool prefill_open = true, decode_open = true;  // that side has not yet seen its end
};

struct PrefillEngine {
  Incarnation incarnation = 11;
  std::optional<SenderState> room{};
  std::map<Incarnation, Present> presents{};  // came before the leg
  std::uint32_t link = 0;                     // of the room
  bool added = false, tombstone = false, other_rank_failed = false, queued = false, told = false, safe = false;
  std::uint32_t layer = 0, watermark = 0;            // what has been computed
  std::vector<Incarnation> decode_processes_gone{};  // not yet noticed
};

struct CopyWorker {
  std::vector<Pull> work{};
  std::optional<Pull> copying{};
  bool planned = false, cancelled = false, parked = false;
  std::vector<Evidence> said{};
  std::vector<std::uint32_t> rows{};  // (layer): what really lies in decode's memory, without gaps
};

struct DecodeEngine {
  Incarnation incarnation = 22;
  std::optional<ReceiverState> room{};
  std::uint32_t link = 0;
  bool added = false, other_rank_failed = false, credited = false, told = false, safe = false;
  CopyWorker worker;
};

struct World {
  PrefillEngine prefill;
  DecodeEngine decode;
  std::map<std::uint32_t, WorldLink> links{};
  std::uint32_t links_made = 0, troubles = 0;
  std::vector<Key> commits{};  // ever
  std::string violation;       // the first; empty: none
};

// Bring an event to a room and do what it asks for.
void to_prefill(World& world, const SenderEvent& event, const Moment& moment);
void to_decode(World& world, const ReceiverEvent& event, const Moment& moment);
// As the shells route them.
void prefill_hears(World& world, std::uint32_t link, const Frame& frame);
void decode_hears(World& world, std::uint32_t link, const Frame& frame);
void prefill_sees_close(World& world, std::uint32_t link);
void decode_sees_close(World& world, std::uint32_t link);
void connect(World& world);

void violated(World& world, const std::string& words);
// Every byte that makes two worlds different.
std::string fingerprint_of(const World& world);

}  // namespace pd
