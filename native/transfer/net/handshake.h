#pragma once
// Who are you, and do you know the fleet's secret? No sockets, no time: frames in, frames out.
//
//   D: hello                     P: hello, challenge
//   D: challenge, proof          P: proof
//
// A proof is the HMAC of its direction, both hellos and both nonces: it cannot be sent back, replayed or
// carried to another pair. The dialler proves first, so that a port scanner gets nothing to guess with.

#include <optional>
#include <string>
#include <vector>

#include "transfer/net/handshake_wire.h"

namespace pd {

class Handshake {
 public:
  struct Self {
    Sender side;
    Hello hello;
    std::vector<std::uint8_t> secret;
    Digest nonce;  // drawn for this connection
  };
  explicit Handshake(Self self) : self_(std::move(self)) {}

  enum class Verdict { going, proven, refused };
  struct Step {
    Verdict verdict = Verdict::going;
    std::vector<HandshakeFrame> answers = {};  // to be sent in any case
    std::string words = {};                    // refused: why, both sides named
  };
  Step begin();  // decode speaks first
  Step take(const HandshakeFrame& frame);

  // Known once the other's hello has been taken.
  Incarnations incarnations() const { return {self_.hello.incarnation, other_ ? other_->incarnation : 0}; }

 private:
  Step hello(const Hello& other);
  Step challenge(const Digest& nonce);
  Step proof(const Digest& mac);
  std::optional<std::string> objection(const Hello& other) const;
  Digest proof_of(Sender side) const;

  Self self_;
  std::optional<Hello> other_;
  std::optional<Digest> other_nonce_;
};

}  // namespace pd
