#pragma once
// The other engine, as the loop sees it: a way to send frames. Tests pass a channel in memory that
// delays, reorders, drops and closes.

#include <string>

#include "transfer/frame.h"

namespace pd {

class Peer {
 public:
  virtual ~Peer() = default;
  virtual Incarnation incarnation() const = 0;  // of the other side
  virtual const std::string& name() const = 0;  // "127.0.0.1:41234", for people
  virtual void send(Frame frame) = 0;           // never blocks; a full outbox closes the connection
};

}  // namespace pd
