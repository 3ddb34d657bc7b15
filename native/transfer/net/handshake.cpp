#include "transfer/net/handshake.h"

#include <algorithm>

#include "transfer/net/bytes.h"

namespace pd {
namespace {

const char* name_of(Sender side) { return side == Sender::prefill ? "prefill" : "decode"; }
Sender other_of(Sender side) { return side == Sender::prefill ? Sender::decode : Sender::prefill; }

Handshake::Step refused(std::string words, std::vector<HandshakeFrame> answers = {}) {
  return {.verdict = Handshake::Verdict::refused, .answers = std::move(answers), .words = std::move(words)};
}

Handshake::Step out_of_turn(const char* what) { return refused(std::string("sent a ") + what + " out of turn"); }

std::string both(Sender side, const std::string& ours, const std::string& theirs) {
  return std::string("this ") + name_of(side) + " engine has " + ours + ", the " + name_of(other_of(side)) +
         " engine has " + theirs;
}

std::string list(const std::vector<std::string>& names) {
  std::string words;
  for (const std::string& name : names) words += (words.empty() ? "" : " ") + name;
  return words.empty() ? "none" : words;
}

}  // namespace

Handshake::Step Handshake::begin() {
  if (self_.side == Sender::prefill) return {};
  return {.answers = {self_.hello}};
}

Handshake::Step Handshake::take(const HandshakeFrame& frame) {
  if (const Hello* other = std::get_if<Hello>(&frame)) return hello(*other);
  if (!other_) return out_of_turn("frame before its hello");
  if (const Challenge* other = std::get_if<Challenge>(&frame)) return challenge(other->nonce);
  if (const Proof* other = std::get_if<Proof>(&frame)) return proof(other->mac);
  if (const Refusal* other = std::get_if<Refusal>(&frame)) {
    return refused("refused: " + other->words);
  }
  return out_of_turn("frame of shared memory");
}

Handshake::Step Handshake::hello(const Hello& other) {
  if (other_) return out_of_turn("second hello");
  const bool answers = self_.side == Sender::prefill;
  if (const std::optional<std::string> words = objection(other)) {
    return refused(*words, answers ? std::vector<HandshakeFrame>{self_.hello} : std::vector<HandshakeFrame>{});
  }
  other_ = other;
  if (!answers) return {};
  return {.answers = {self_.hello, Challenge{self_.nonce}}};
}

Handshake::Step Handshake::challenge(const Digest& nonce) {
  if (other_nonce_) return out_of_turn("second challenge");
  other_nonce_ = nonce;
  if (self_.side == Sender::prefill) return {};
  return {.answers = {Challenge{self_.nonce}, Proof{proof_of(Sender::decode)}}};
}

Handshake::Step Handshake::proof(const Digest& mac) {
  if (!other_nonce_) return out_of_turn("proof before its challenge");
  if (!same_digest(mac, proof_of(other_of(self_.side)))) {
    return refused(std::string("the ") + name_of(other_of(self_.side)) +
                   " engine did not prove that it knows the fleet's secret: give both engines the same one");
  }
  Step step{.verdict = Verdict::proven};
  if (self_.side == Sender::prefill) step.answers = {Proof{proof_of(Sender::prefill)}};
  return step;
}

std::optional<std::string> Handshake::objection(const Hello& other) const {
  const Hello& own = self_.hello;
  if (own.version != other.version) {
    return "protocol versions differ: " + both(self_.side, std::to_string(own.version), std::to_string(other.version)) +
           "; install the same pdctl on both";
  }
  if (own.fingerprint != other.fingerprint) {
    return "models or layouts differ: " + both(self_.side, own.fingerprint_words, other.fingerprint_words) +
           "; start both with the same model and build";
  }
  if (std::ranges::find_first_of(own.backends, other.backends) == own.backends.end()) {
    return "no transfer back end in common: " + both(self_.side, list(own.backends), list(other.backends));
  }
  return std::nullopt;
}

Digest Handshake::proof_of(Sender side) const {
  const bool prefill = self_.side == Sender::prefill;
  ByteWriter said;
  said.text(std::string("pdctl proof of ") + name_of(side), words_bytes_max);
  said.bytes(encode_handshake(prefill ? self_.hello : *other_, {}));
  said.bytes(encode_handshake(prefill ? *other_ : self_.hello, {}));
  said.digest(prefill ? self_.nonce : *other_nonce_);
  said.digest(prefill ? *other_nonce_ : self_.nonce);
  return hmac_sha256(self_.secret, said.take());
}

}  // namespace pd
