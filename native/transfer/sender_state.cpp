#include "transfer/sender_state.h"

#include <algorithm>
#include <numeric>

namespace pd {

namespace {

// One transition. Only Agreed writes `state`; every other event moves marks and the vote.
class SenderStep {
 public:
  SenderStep(SenderState& sender, const Moment& moment) : s_(sender), moment_(moment) {}
  std::vector<SenderEffect> effects;

  void operator()(const Present& said) {
    if (s_.bound() || s_.terminal()) return;
    s_.key.decode = said.key.decode;  // also when we have given up: decode is told then
    s_.presented = moment_.now;
    if (s_.vote != TransferState::bootstrapping) return;
    if (said.prompt_tokens != s_.prompt_tokens || !same_digest(said.prompt_hash, s_.prompt_hash)) {
      return fail({FailureCode::prompt_mismatch,
                   "prefill read " + std::to_string(s_.prompt_tokens) + " prompt tokens, decode read " +
                       std::to_string(said.prompt_tokens) + " or others: send both legs the same prompt"});
    }
    s_.credited = moment_.now;
    effects.push_back(Send{Credit{s_.key}});
  }

  void operator()(const Reserved& said) {
    if (s_.vote != TransferState::bootstrapping || !s_.credited) return;
    if (said.skip != 0 || said.pages < pages_for(s_.prompt_tokens)) {
      return fail({FailureCode::peer_failed, s_.peer + " reserved " + std::to_string(said.pages) + " pages and skips " +
                                                 std::to_string(said.skip) + "; " +
                                                 std::to_string(pages_for(s_.prompt_tokens)) + " and 0 were expected"});
    }
    s_.reserved = moment_.now;
    s_.vote = TransferState::waiting_for_input;
  }

  void operator()(const PagesGiven& given) {
    if (s_.vote != TransferState::waiting_for_input) return;  // given up in between: the pages are not ours to pin
    s_.began = moment_.now;
    s_.pages = given.pages;
    s_.hands = PageHands::pinned;
    s_.vote = TransferState::transferring;
    effects.push_back(PinPages{});
    effects.push_back(Send{Source{s_.key, given.pages, given.generations}});
  }

  void operator()(const LayerComplete& layer) {
    if (s_.vote != TransferState::transferring || s_.finished) return;
    s_.computed[layer.layer] = std::max(s_.computed[layer.layer], layer.rows);
    announce(layer.layer);
  }

  void operator()(const PrefillFinished& end) {
    if (s_.vote != TransferState::transferring || s_.finished) return;
    s_.finished = moment_.now;
    std::fill(s_.computed.begin(), s_.computed.end(), s_.prompt_tokens);
    if (moment_.never_send) return;
    if (!end.reason) {
      for (std::uint32_t layer = 0; layer < s_.computed.size(); ++layer) announce(layer);
    }
    effects.push_back(Send{Final{s_.key, s_.prompt_tokens, s_.prompt_hash, end.first_token, end.reason, {}}});
  }

  void operator()(const Committed&) {
    if (s_.vote != TransferState::transferring || !s_.finished) return;
    s_.committed = moment_.now;
    s_.vote = TransferState::success;
  }

  void operator()(const Done&) { reader_gone(); }
  void operator()(const Drained&) { reader_gone(); }
  void operator()(const ReaderGone&) { reader_gone(); }

  void operator()(const Failed& said) { fail_by_peer(peer_failure(s_.peer, said)); }
  void operator()(const Abort&) { fail_by_peer({FailureCode::aborted, s_.peer + " aborted it"}); }
  void operator()(const GiveUp& give_up) { fail(give_up.why); }

  void operator()(const TimePassed&) {
    if (moment_.ignore_deadlines) return;
    const std::optional<Due> next = due(s_, moment_.deadlines);
    if (next && next->at <= moment_.now) fail({failure_of(next->kind), words_of(next->kind)});
  }

  void operator()(const Agreed& agreed) {
    if (s_.terminal()) return;
    switch (agreed.lowest) {
      case TransferState::failed: return end_failed();
      case TransferState::success: return end_success();
      case TransferState::bootstrapping: return;
      case TransferState::waiting_for_input:
      case TransferState::transferring:
        if (s_.state == TransferState::bootstrapping) effects.push_back(TellReserved{});
        s_.state = std::max(s_.state, agreed.lowest);
        return;
    }
  }

 private:
  void announce(std::uint32_t layer) {
    const std::uint32_t rows = s_.computed[layer];
    if (moment_.never_send || rows <= s_.announced[layer]) return;
    s_.announced[layer] = rows;
    effects.push_back(Send{Ready{s_.key, layer, rows, std::nullopt}});
  }

  // Success stays: decode has committed, whatever we think of it now.
  void fail(Failure why) {
    if (is_terminal(s_.vote)) return;
    s_.vote = TransferState::failed;
    s_.failure = std::move(why);
  }

  void fail_by_peer(Failure why) {
    if (is_terminal(s_.vote)) return;
    fail(std::move(why));
    s_.failure_is_peers = true;
  }

  void reader_gone() {
    if (!s_.bound() || s_.reader_gone) return;
    s_.reader_gone = true;
    if (s_.terminal()) let_go();
  }

  void end_failed() {
    if (!s_.failure) s_.failure = Failure{FailureCode::peer_failed, "another rank of this engine failed it"};
    s_.vote = s_.state = TransferState::failed;
    s_.ended = moment_.now;
    if (s_.bound() && !s_.failure_is_peers)
      effects.push_back(Send{Failed{s_.key, s_.failure->code, s_.failure->words}});
    effects.push_back(TellFailed{*s_.failure});
    if (s_.hands == PageHands::none || s_.reader_gone) return let_go();
    s_.hands = PageHands::held;
    effects.push_back(HoldPages{});
  }

  void end_success() {
    s_.state = TransferState::success;
    s_.ended = moment_.now;
    effects.push_back(TellSuccess{});
    if (s_.reader_gone) let_go();
  }

  void let_go() {
    switch (s_.hands) {
      case PageHands::none: break;
      case PageHands::pinned: effects.push_back(UnpinPages{}); break;
      case PageHands::held: effects.push_back(UnholdPages{}); break;
    }
    s_.hands = PageHands::none;
    s_.safe = true;
    effects.push_back(TellSafe{});
  }

  std::string words_of(DeadlineKind passed) const {
    const Deadlines& limits = moment_.deadlines;
    switch (passed) {
      case DeadlineKind::bootstrap:
        if (s_.credited)
          return s_.peer + " has reserved no pages within " + seconds(limits.bootstrap) + " of the credit";
        return "no decode engine has presented this room within " + seconds(limits.bootstrap) +
               ": was the decode leg sent, with this bootstrap host and port?";
      case DeadlineKind::queue:
        return "waited " + seconds(limits.queue) + " for a batch: this engine has more work than it can do in time";
      case DeadlineKind::waiting:
      case DeadlineKind::inflight: break;
    }
    return "prefill is done, but " + s_.peer + " has not committed within " + seconds(limits.inflight) + " (" +
           std::to_string(s_.rows_sent()) + " rows of " + std::to_string(s_.rows_computed()) +
           " announced): look at the decode engine";
  }

  SenderState& s_;
  const Moment& moment_;
};

}  // namespace

PrefillStage SenderState::stage() const {
  if (finished) return PrefillStage::inflight;
  if (began) return PrefillStage::running;
  return reserved ? PrefillStage::waiting : PrefillStage::bootstrap;
}

std::uint32_t SenderState::rows_computed() const { return std::accumulate(computed.begin(), computed.end(), 0u); }
std::uint32_t SenderState::rows_sent() const { return std::accumulate(announced.begin(), announced.end(), 0u); }

SenderState new_sender(Room room, Incarnation prefill, const Digest& prompt_hash, std::uint32_t prompt_tokens,
                       std::uint32_t layers, Nanos now) {
  SenderState sender;
  sender.key = {room, prefill, 0};
  sender.prompt_hash = prompt_hash;
  sender.prompt_tokens = prompt_tokens;
  sender.computed.assign(layers, 0);
  sender.announced.assign(layers, 0);
  sender.added = now;
  return sender;
}

std::vector<SenderEffect> advance(SenderState& sender, const SenderEvent& event, const Moment& moment) {
  SenderStep step(sender, moment);
  if (!sender.safe) std::visit(step, event);
  return std::move(step.effects);
}

std::optional<Due> due(const SenderState& s, const Deadlines& deadlines) {
  if (is_terminal(s.vote) || s.terminal()) return std::nullopt;
  if (s.finished) return Due{DeadlineKind::inflight, *s.finished + deadlines.inflight};
  if (s.began) return std::nullopt;
  if (s.reserved) {
    if (deadlines.queue == 0) return std::nullopt;
    return Due{DeadlineKind::queue, *s.reserved + deadlines.queue};
  }
  return Due{DeadlineKind::bootstrap, s.credited.value_or(s.added) + deadlines.bootstrap};
}

}  // namespace pd
