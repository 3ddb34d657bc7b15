#include "transfer/receiver_state.h"

#include <algorithm>
#include <numeric>

namespace pd {

namespace {

// One transition. Only Agreed writes `state`; every other event moves marks and the vote.
class ReceiverStep {
 public:
  ReceiverStep(ReceiverState& receiver, const Moment& moment) : s_(receiver), moment_(moment) {}
  std::vector<ReceiverEffect> effects;

  void operator()(const PeerFound& found) {
    if (s_.bound() || decided()) return;
    s_.key.prefill = found.prefill;
    s_.peer = found.name;
    s_.presented = moment_.now;
    effects.push_back(Send{Present{s_.key, s_.prompt_hash, s_.prompt_tokens}});
  }

  void operator()(const Credit&) {
    if (decided() || s_.credited) return;
    s_.credited = moment_.now;
    effects.push_back(TellCredit{});
  }

  void operator()(const PagesTaken& taken) {
    if (s_.vote != TransferState::bootstrapping || !s_.credited) return;  // given up in between: not ours to pin
    s_.pages = taken.pages;
    s_.hands = PageHands::pinned;
    s_.reserved = s_.lease_from = moment_.now;
    s_.vote = TransferState::waiting_for_input;
    effects.push_back(PinPages{});
    effects.push_back(Send{Reserved{s_.key, static_cast<std::uint32_t>(s_.pages.size()), 0}});
  }

  void operator()(const Source& source) {
    if (s_.vote != TransferState::waiting_for_input) return;
    const std::uint32_t pages = pages_for(s_.prompt_tokens);
    if (source.pages.size() < pages || source.generations.size() != source.pages.size()) {
      return fail({FailureCode::peer_failed, s_.peer + " named " + std::to_string(source.pages.size()) +
                                                 " source pages with " + std::to_string(source.generations.size()) +
                                                 " generations; " + std::to_string(pages) + " were expected"});
    }
    s_.vote = TransferState::transferring;
    s_.worker = Worker::planned;
    const auto first = [pages](const auto& all) { return std::vector(all.begin(), all.begin() + pages); };
    effects.push_back(PlanPull{{s_.key, first(source.pages), first(source.generations), first(s_.pages)}});
    for (std::uint32_t layer = 0; layer < s_.ready.size(); ++layer) post(layer);
  }

  void operator()(const Ready& ready) {
    if (decided()) return;
    if (ready.layer >= s_.ready.size() || ready.rows > s_.prompt_tokens) {
      return fail({FailureCode::peer_failed, s_.peer + " announced row " + std::to_string(ready.rows) + " of layer " +
                                                 std::to_string(ready.layer) + "; there are " +
                                                 std::to_string(s_.prompt_tokens) + " rows and " +
                                                 std::to_string(s_.ready.size()) + " layers"});
    }
    if (ready.rows <= s_.ready[ready.layer]) return;
    if (!s_.first_ready) s_.first_ready = moment_.now;
    s_.ready[ready.layer] = ready.rows;
    s_.lease_from = moment_.now;
    post(ready.layer);
  }

  void operator()(const Final& word) {
    if (decided() || s_.final_word) return;
    if (word.prompt_tokens != s_.prompt_tokens || !same_digest(word.prompt_hash, s_.prompt_hash)) {
      return fail({FailureCode::prompt_mismatch, "prefill read " + std::to_string(word.prompt_tokens) +
                                                     " prompt tokens, decode read " + std::to_string(s_.prompt_tokens) +
                                                     " or others: send both legs the same prompt"});
    }
    s_.final_word = word;
    prefill_finished();
    judge();
  }

  void operator()(const ProgressSeen& seen) {
    if (decided()) return;
    const ProgressEntry& now = seen.entry;
    const bool moved = now.stage != s_.stage || now.rows_computed != s_.rows_computed || now.rows_sent != s_.rows_sent;
    const bool queued = now.stage == PrefillStage::bootstrap || now.stage == PrefillStage::waiting;
    if (moved || (queued && seen.steps != s_.steps)) s_.lease_from = moment_.now;
    s_.stage = now.stage;
    s_.steps = seen.steps;
    s_.rows_computed = now.rows_computed;
    s_.rows_sent = now.rows_sent;
    if (now.stage == PrefillStage::inflight) prefill_finished();
  }

  void operator()(const Evidence& evidence) {
    switch (evidence.kind) {
      case EvidenceKind::landed: return rows_landed(evidence);
      case EvidenceKind::error: return fail({evidence.code, evidence.words});
      case EvidenceKind::skipped: return fail({FailureCode::aborted, "the copy worker skipped it: it was cancelled"});
      case EvidenceKind::drained:
        if (s_.worker != Worker::cancelled) return;
        s_.worker = Worker::idle;
        return let_go();
    }
  }

  void operator()(const Failed& said) {
    if (s_.state == TransferState::success) effects.push_back(CountAckLost{});  // the request runs on
    fail_by_peer(peer_failure(s_.peer, said));
  }
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
      case TransferState::bootstrapping:
      case TransferState::waiting_for_input:
      case TransferState::transferring: s_.state = std::max(s_.state, agreed.lowest); return;
    }
  }

 private:
  bool decided() const { return s_.vote == TransferState::failed || s_.terminal(); }

  void post(std::uint32_t layer) {
    if (s_.worker != Worker::planned || s_.ready[layer] <= s_.posted[layer]) return;
    effects.push_back(PostPull{{s_.key, layer, s_.posted[layer], s_.ready[layer] - s_.posted[layer]}});
    s_.posted[layer] = s_.ready[layer];
  }

  void rows_landed(const Evidence& evidence) {
    if (decided() || evidence.layer >= s_.landed.size() || evidence.rows <= s_.landed[evidence.layer]) return;
    s_.landed[evidence.layer] = evidence.rows;
    s_.bytes_done += evidence.bytes;
    if (evidence.rows == s_.prompt_tokens) ++s_.layers_landed;
    judge();
  }

  // The commit is decided here and written by Agreed; a failure that comes in between wins.
  void judge() {
    if (s_.vote != TransferState::waiting_for_input && s_.vote != TransferState::transferring) return;
    if (!s_.final_word) return;
    if (s_.final_word->finish_reason || s_.layers_landed == s_.landed.size()) s_.vote = TransferState::success;
  }

  void prefill_finished() {
    if (!s_.prefill_finished) s_.prefill_finished = moment_.now;
    s_.stage = PrefillStage::inflight;
  }

  void fail(Failure why) {
    if (decided()) return;
    s_.vote = TransferState::failed;
    s_.failure = std::move(why);
  }

  void fail_by_peer(Failure why) {
    if (decided()) return;
    fail(std::move(why));
    s_.failure_is_peers = true;
  }

  void end_failed() {
    if (!s_.failure) s_.failure = Failure{FailureCode::peer_failed, "another rank of this engine failed it"};
    s_.vote = s_.state = TransferState::failed;
    s_.ended = moment_.now;
    if (s_.bound() && !s_.failure_is_peers)
      effects.push_back(Send{Failed{s_.key, s_.failure->code, s_.failure->words}});
    effects.push_back(TellFailed{*s_.failure});
    if (s_.worker == Worker::idle) return let_go();
    s_.worker = Worker::cancelled;
    s_.hands = PageHands::held;
    effects.push_back(HoldPages{});
    effects.push_back(CancelPull{});
  }

  void end_success() {
    s_.state = TransferState::success;
    s_.committed = s_.ended = moment_.now;
    effects.push_back(Send{Committed{s_.key}});
    effects.push_back(TellCommit{s_.final_word->first_token, s_.final_word->finish_reason});
    if (s_.worker == Worker::planned && s_.landed != s_.posted) {  // an answer that needs no KV came first
      s_.worker = Worker::cancelled;
      effects.push_back(CancelPull{});
      return;
    }
    if (s_.worker == Worker::planned) effects.push_back(ForgetPull{});
    s_.worker = Worker::idle;
    let_go();
  }

  void let_go() {
    switch (s_.hands) {
      case PageHands::none: break;
      case PageHands::pinned: effects.push_back(UnpinPages{}); break;
      case PageHands::held: effects.push_back(UnholdPages{}); break;
    }
    s_.hands = PageHands::none;
    s_.safe = true;
    if (s_.bound()) {
      if (s_.state == TransferState::success)
        effects.push_back(Send{Done{s_.key}});
      else
        effects.push_back(Send{Drained{s_.key}});
    }
    effects.push_back(TellSafe{});
  }

  std::string words_of(DeadlineKind passed) const {
    const Deadlines& limits = moment_.deadlines;
    const std::string who = s_.bound() ? s_.peer : "the prefill engine";
    switch (passed) {
      case DeadlineKind::bootstrap:
        if (s_.credited)
          return "no pages could be reserved within " + seconds(limits.bootstrap) +
                 " of the credit: the pool is too full";
        return who + " has given no credit within " + seconds(limits.bootstrap) + ": was the prefill leg sent there?";
      case DeadlineKind::waiting:
        return who + " has shown no progress for " + seconds(limits.waiting) + " (it has computed " +
               std::to_string(s_.rows_computed) + " rows over all layers): look at the prefill engine";
      case DeadlineKind::inflight:
      case DeadlineKind::queue: break;
    }
    return who + " finished prefill " + seconds(limits.inflight) + " ago, but only " +
           std::to_string(s_.rows_landed()) + " of " +
           std::to_string(std::uint64_t{s_.prompt_tokens} * s_.landed.size()) + " rows have come" +
           (s_.final_word ? "" : " and no final word");
  }

  ReceiverState& s_;
  const Moment& moment_;
};

}  // namespace

std::uint64_t ReceiverState::rows_landed() const {
  return std::accumulate(landed.begin(), landed.end(), std::uint64_t{0});
}

ReceiverState new_receiver(Room room, Incarnation decode, const Digest& prompt_hash, std::uint32_t prompt_tokens,
                           std::uint32_t layers, Nanos now) {
  ReceiverState receiver;
  receiver.key = {room, 0, decode};
  receiver.prompt_hash = prompt_hash;
  receiver.prompt_tokens = prompt_tokens;
  receiver.ready.assign(layers, 0);
  receiver.posted.assign(layers, 0);
  receiver.landed.assign(layers, 0);
  receiver.arrived = now;
  return receiver;
}

std::vector<ReceiverEffect> advance(ReceiverState& receiver, const ReceiverEvent& event, const Moment& moment) {
  ReceiverStep step(receiver, moment);
  if (!receiver.safe) std::visit(step, event);
  return std::move(step.effects);
}

std::optional<Due> due(const ReceiverState& s, const Deadlines& deadlines) {
  if (is_terminal(s.vote) || s.terminal()) return std::nullopt;
  if (!s.reserved) return Due{DeadlineKind::bootstrap, s.credited.value_or(s.arrived) + deadlines.bootstrap};
  if (s.prefill_finished) return Due{DeadlineKind::inflight, *s.prefill_finished + deadlines.inflight};
  return Due{DeadlineKind::waiting, s.lease_from + deadlines.waiting};
}

}  // namespace pd
