#pragma once
// A connection in memory: frames stay in order on it, come as late as the test likes, and are lost once
// it is cut.

#include <deque>
#include <memory>
#include <optional>

#include "transfer/peer.h"

namespace pd {

class Channel {
 public:
  Channel(Incarnation prefill, Incarnation decode)
      : prefill_(prefill, "prefill:1", *this, to_prefill_), decode_(decode, "decode:1", *this, to_decode_) {}
  Channel(const Channel&) = delete;
  Channel& operator=(const Channel&) = delete;

  Peer& prefill() { return prefill_; }  // as decode sees it
  Peer& decode() { return decode_; }    // as prefill sees it
  std::optional<Frame> next_for_prefill() { return pop(to_prefill_); }
  std::optional<Frame> next_for_decode() { return pop(to_decode_); }
  void cut() { is_cut_ = true; }
  bool is_cut() const { return is_cut_; }
  bool open_at_prefill = true, open_at_decode = true;  // that side has not yet seen the end

 private:
  class End final : public Peer {
   public:
    End(Incarnation incarnation, std::string name, Channel& channel, std::deque<Frame>& out)
        : incarnation_(incarnation), name_(std::move(name)), channel_(channel), out_(out) {}
    Incarnation incarnation() const override { return incarnation_; }
    const std::string& name() const override { return name_; }
    void send(Frame frame) override {
      if (!channel_.is_cut_) out_.push_back(std::move(frame));
    }

   private:
    Incarnation incarnation_;
    std::string name_;
    Channel& channel_;
    std::deque<Frame>& out_;
  };

  static std::optional<Frame> pop(std::deque<Frame>& frames) {
    if (frames.empty()) return std::nullopt;
    Frame frame = std::move(frames.front());
    frames.pop_front();
    return frame;
  }

  std::deque<Frame> to_prefill_, to_decode_;
  bool is_cut_ = false;
  End prefill_, decode_;
};

}  // namespace pd
