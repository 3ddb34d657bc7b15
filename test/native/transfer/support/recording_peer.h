#pragma once
#include <vector>

#include "transfer/peer.h"
#include "transfer/support/log.h"
#include "transfer/support/words.h"

namespace pd {

// The other engine: it writes down what it is told.
class RecordingPeer final : public Peer {
 public:
  RecordingPeer(Incarnation incarnation, std::string name, Log& log)
      : incarnation_(incarnation), name_(std::move(name)), log_(log) {}
  Incarnation incarnation() const override { return incarnation_; }
  const std::string& name() const override { return name_; }
  void send(Frame frame) override {
    std::string said = ">";
    said += words_of(frame);
    log_.add(said);
    frames.push_back(std::move(frame));
  }
  std::vector<Frame> frames;

 private:
  Incarnation incarnation_;
  std::string name_;
  Log& log_;
};

}  // namespace pd
