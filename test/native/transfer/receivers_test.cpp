#include "transfer/receivers.h"

#include <gtest/gtest.h>

#include "transfer/support/receiver_rig.h"
#include "transfer/support/table.h"

namespace pd {
namespace {

const auto connected = [](ReceiverRig& rig) { rig.connect(rig.peer); };
const auto connected_anew = [](ReceiverRig& rig) { rig.connect(rig.peer_anew); };
const auto restarted = [](ReceiverRig& rig) { rig.connect(rig.restarted); };
const auto unreachable = [](ReceiverRig& rig) {
  rig.receivers->unreachable("prefill", 1, {FailureCode::peer_refused, "other model"});
};
const auto closed = [](ReceiverRig& rig) { rig.receivers->closed(rig.peer, "reset"); };
const auto added = [](ReceiverRig& rig) { rig.add(); };
const auto presented = [](ReceiverRig& rig) { rig.to_presented(); };
const auto reserved = [](ReceiverRig& rig) { rig.to_reserved(); };
const auto planned = [](ReceiverRig& rig) { rig.to_planned(); };
const auto landed = [](ReceiverRig& rig) { rig.to_landed(); };
const auto credit = [](ReceiverRig& rig) { rig.hear(Credit{rig.key()}); };
const auto source = [](ReceiverRig& rig) { rig.hear(Source{rig.key(), {4, 5}, {2, 2}}); };
const auto short_source = [](ReceiverRig& rig) { rig.hear(Source{rig.key(), {4}, {2}}); };
const auto ready = [](std::uint32_t layer, std::uint32_t rows) {
  return [=](ReceiverRig& rig) { rig.hear(Ready{rig.key(), layer, rows, std::nullopt}); };
};
const auto lands = [](std::uint32_t layer, std::uint32_t rows) {
  return [=](ReceiverRig& rig) { rig.land(layer, rows); };
};
const auto final_word = [](ReceiverRig& rig) { rig.final_word(); };
const auto final_stop = [](ReceiverRig& rig) { rig.final_word(FinishReason::stop); };
const auto other_final = [](ReceiverRig& rig) {
  rig.hear(Final{rig.key(), rig.tokens, Digest{9}, 5, std::nullopt, {}});
};
const auto peer_failed = [](ReceiverRig& rig) {
  rig.hear(Failed{rig.key(), FailureCode::inflight_timeout, "too slow"});
};
const auto asked_again = [](ReceiverRig& rig) { rig.hear(Abort{rig.key()}); };
const auto asked_anew = [](ReceiverRig& rig) { rig.receivers->received(rig.peer_anew, Abort{rig.key()}); };
const auto aborted = [](ReceiverRig& rig) { rig.receivers->abort(7, {FailureCode::aborted, "client left"}); };
const auto worker_failed = [](ReceiverRig& rig) { rig.say(EvidenceKind::error); };
const auto region_lost = [](ReceiverRig& rig) { rig.say(EvidenceKind::error, FailureCode::peer_lost); };
const auto skipped = [](ReceiverRig& rig) { rig.say(EvidenceKind::skipped); };
const auto drained = [](ReceiverRig& rig) { rig.say(EvidenceKind::drained); };
const auto turn = [](ReceiverRig& rig) { rig.turn(); };
const auto no_pages = [](ReceiverRig& rig) { rig.pages_free = false; };
const auto ignore_deadlines = [](ReceiverRig& rig) { rig.faults.ignore_deadlines = true; };
const auto passed = [](Nanos ms) {
  return [=](ReceiverRig& rig) {
    rig.clock.pass(ms * nanos_per_ms);
    rig.turn();
    rig.log.add("|");
  };
};
const auto progress = [](std::uint64_t steps, PrefillStage stage, std::uint32_t rows) {
  return [=](ReceiverRig& rig) { rig.progress(steps, stage, rows); };
};
const auto count_ack_lost = [](ReceiverRig& rig) {
  rig.log.add("acks lost " + std::to_string(rig.receivers->counters().ack_lost));
};

using ReceiverRow = Row<ReceiverRig>;
class ReceiversTable : public testing::TestWithParam<ReceiverRow> {};
TEST_P(ReceiversTable, holds) { expect(GetParam()); }

const std::string live = "live 2 held 0", held = "live 0 held 2";

INSTANTIATE_TEST_SUITE_P(
    Bootstrap, ReceiversTable,
    testing::Values(
        ReceiverRow{"a room without a connection asks for one", {added}, "dial(prefill:1)"},
        ReceiverRow{"a connection presents the rooms that wait for it", {added, connected}, "dial(prefill:1) >present"},
        ReceiverRow{"an open connection presents at once", {connected, added}, ">present"},
        ReceiverRow{"a connection that cannot be had fails the rooms that wait",
                    {added, unreachable, turn},
                    "dial(prefill:1) failed!peer-refused safe!"},
        ReceiverRow{"a credit lets the host reserve", {presented, credit}, "credit! >reserved(2)", live},
        ReceiverRow{"a second credit changes nothing", {presented, credit, credit}, "credit! >reserved(2)", live},
        ReceiverRow{"no credit within the deadline fails it",
                    {presented, passed(1999), passed(1)},
                    "| >failed(bootstrap-timeout) >drained failed!bootstrap-timeout safe! |"},
        ReceiverRow{"no pages within the deadline of the credit fails it",
                    {presented, no_pages, passed(1000), credit, passed(1999), passed(1)},
                    "| credit! | >failed(bootstrap-timeout) >drained failed!bootstrap-timeout safe! |"},
        ReceiverRow{"an abort before the connection is told to nobody",
                    {added, aborted, turn, connected},
                    "dial(prefill:1) failed!aborted safe!"},
        ReceiverRow{"an abort that comes first fails the leg", {aborted, added}, "refused!aborted"},
        ReceiverRow{"a live room is refused", {presented, added}, "refused!duplicate-room"}),
    test_name<ReceiverRig>);

INSTANTIATE_TEST_SUITE_P(
    Pull, ReceiversTable,
    testing::Values(ReceiverRow{"a source is planned", {reserved, source}, "plan(2)", live},
                    ReceiverRow{"a source that is too short fails it",
                                {reserved, short_source, turn},
                                ">failed(peer-failed) >drained failed!peer-failed safe!"},
                    ReceiverRow{"rows are pulled once as they become ready",
                                {planned, ready(0, 16), ready(0, 16), ready(0, 20), ready(1, 20)},
                                "pull(0,0+16) pull(0,16+4) pull(1,0+20)",
                                live},
                    ReceiverRow{"rows that are ready before the source are pulled with it",
                                {reserved, ready(0, 16), ready(1, 20), source},
                                "plan(2) pull(0,0+16) pull(1,0+20)",
                                live},
                    ReceiverRow{"a row outside the prompt fails it",
                                {planned, ready(0, 21), turn},
                                ">failed(peer-failed) cancel failed!peer-failed",
                                held},
                    ReceiverRow{"all rows without the final word are no commit", {landed, turn}, "", live},
                    ReceiverRow{"the final word without all rows is no commit",
                                {planned, ready(0, 20), lands(0, 20), final_word, turn},
                                "pull(0,0+20)",
                                live},
                    ReceiverRow{"all rows and the final word commit",
                                {landed, final_word, turn},
                                ">committed forget >done commit!5 safe!",
                                live},
                    ReceiverRow{
                        "the last row after the final word commits",
                        {planned, ready(0, 20), lands(0, 20), final_word, ready(1, 20), lands(1, 16), lands(1, 20)},
                        "pull(0,0+20) pull(1,0+20) >committed forget >done commit!5 safe!",
                        live},
                    ReceiverRow{"a layer that is said twice is counted once",
                                {planned, ready(0, 20), lands(0, 20), lands(0, 20), final_word, turn},
                                "pull(0,0+20)",
                                live},
                    ReceiverRow{"another prompt fails it",
                                {landed, other_final, turn},
                                ">failed(prompt-mismatch) cancel failed!prompt-mismatch",
                                held},
                    ReceiverRow{"a complete answer needs no rows",
                                {planned, final_stop, turn},
                                ">committed forget >done commit!5 safe!",
                                live},
                    ReceiverRow{"a complete answer waits for its worker before it is done",
                                {planned, ready(0, 20), final_stop, turn, drained},
                                "pull(0,0+20) >committed cancel commit!5 >done safe!",
                                live}),
    test_name<ReceiverRig>);

INSTANTIATE_TEST_SUITE_P(
    Failure, ReceiversTable,
    testing::Values(ReceiverRow{"an abort before the source frees at once",
                                {reserved, aborted, turn},
                                ">failed(aborted) >drained failed!aborted safe!"},
                    ReceiverRow{"an abort in flight holds until the worker has drained",
                                {planned, ready(0, 16), aborted, turn},
                                "pull(0,0+16) >failed(aborted) cancel failed!aborted",
                                held},
                    ReceiverRow{"a drained worker frees and tells prefill",
                                {planned, aborted, turn, drained},
                                ">failed(aborted) cancel failed!aborted >drained safe!"},
                    ReceiverRow{"late rows change nothing",
                                {landed, aborted, turn, lands(0, 20), final_word, turn},
                                ">failed(aborted) cancel failed!aborted",
                                held},
                    ReceiverRow{"a failure in the turn of the commit wins",
                                {landed, final_word, peer_failed, turn},
                                "cancel failed!peer-failed",
                                held},
                    ReceiverRow{"a failure of prefill is not told to prefill",
                                {planned, peer_failed, turn, drained},
                                "cancel failed!peer-failed >drained safe!"},
                    ReceiverRow{"a failure after the commit is a lost ack",
                                {landed, final_word, turn, peer_failed, count_ack_lost},
                                ">committed forget >done commit!5 safe! >drained acks lost 1",
                                live},
                    ReceiverRow{"a failure after the commit while the worker drains is a lost ack",
                                {planned, ready(0, 20), final_stop, turn, peer_failed, turn, count_ack_lost},
                                "pull(0,0+20) >committed cancel commit!5 acks lost 1",
                                live},
                    ReceiverRow{"prefill that asks again is told again",
                                {landed, final_word, turn, asked_again, count_ack_lost},
                                ">committed forget >done commit!5 safe! >drained acks lost 0",
                                live},
                    ReceiverRow{"a changed generation is a corruption",
                                {planned, worker_failed},
                                ">failed(kv-corruption) cancel failed!kv-corruption",
                                held},
                    ReceiverRow{"a region that is gone is a lost peer",
                                {planned, region_lost},
                                ">failed(peer-lost) cancel failed!peer-lost",
                                held},
                    ReceiverRow{
                        "a skipped pull fails it", {planned, skipped}, ">failed(aborted) cancel failed!aborted", held},
                    ReceiverRow{"a lost link fails at once, dials again and answers",
                                {planned, closed, turn, passed(1000), connected_anew, asked_anew, drained, asked_anew},
                                "cancel failed!peer-lost dial(prefill:1) | >drained safe! >drained"},
                    ReceiverRow{"another incarnation at the place fails what was bound to the old one",
                                {planned, restarted, turn},
                                "cancel failed!peer-lost",
                                held}),
    test_name<ReceiverRig>);

INSTANTIATE_TEST_SUITE_P(
    Lease, ReceiversTable,
    testing::Values(
        ReceiverRow{"no progress within the deadline fails it",
                    {reserved, passed(2999), passed(1)},
                    "| >failed(waiting-timeout) >drained failed!waiting-timeout safe! |"},
        ReceiverRow{"rows that move renew the lease",
                    {reserved, passed(2000), progress(1, PrefillStage::running, 5), passed(2000),
                     progress(2, PrefillStage::running, 9), passed(2999)},
                    "| | |",
                    live},
        ReceiverRow{"the same report does not renew the lease",
                    {reserved, progress(1, PrefillStage::running, 5), passed(2000),
                     progress(2, PrefillStage::running, 5), passed(1000)},
                    "| >failed(waiting-timeout) >drained failed!waiting-timeout safe! |"},
        ReceiverRow{"a place in a queue that moves renews the lease",
                    {reserved, progress(1, PrefillStage::waiting, 0), passed(2000),
                     progress(2, PrefillStage::waiting, 0), passed(2000)},
                    "| |",
                    live},
        ReceiverRow{"a place in a queue that stands still does not",
                    {reserved, progress(1, PrefillStage::waiting, 0), passed(2000),
                     progress(1, PrefillStage::waiting, 0), passed(1000)},
                    "| >failed(waiting-timeout) >drained failed!waiting-timeout safe! |"},
        ReceiverRow{"inflight counts from prefill's report",
                    {planned, passed(2000), progress(1, PrefillStage::inflight, 40), passed(3999), passed(1)},
                    "| | >failed(inflight-timeout) cancel failed!inflight-timeout |",
                    held},
        ReceiverRow{"inflight counts from the final word",
                    {planned, passed(2000), final_word, passed(3999), passed(1)},
                    "| | >failed(inflight-timeout) cancel failed!inflight-timeout |",
                    held},
        ReceiverRow{"ignored deadlines let it wait for ever", {planned, ignore_deadlines, passed(600'000)}, "|", live}),
    test_name<ReceiverRig>);

TEST(Receivers, count_frames_of_an_old_key) {
  ReceiverRig rig;
  rig.to_planned();
  rig.hear(Ready{{7, ReceiverRig::prefill, 99}, 0, 20, std::nullopt});
  rig.hear(Final{{8, ReceiverRig::prefill, ReceiverRig::decode}, 20, rig.hash, 5, std::nullopt, {}});
  EXPECT_EQ(rig.receivers->counters().frames_stale, 2u);
  EXPECT_EQ(rig.log.take(), "");
}

TEST(Receivers, say_which_deadline_fires_next) {
  ReceiverRig rig;
  rig.to_presented();
  EXPECT_STREQ(rig.receivers->view(7)->deadline, "bootstrap");
  EXPECT_EQ(rig.receivers->next_deadline(), rig.clock.now() + rig.deadlines.bootstrap);
}

TEST(Receivers, count_the_bytes_that_have_landed) {
  ReceiverRig rig;
  rig.to_landed();
  const auto view = rig.receivers->view(7);
  EXPECT_EQ(view->bytes_done, view->bytes_total);
  EXPECT_EQ(view->bytes_total, std::uint64_t{20} * ReceiverRig::layers * ReceiverRig::layout.token_bytes());
}

}  // namespace
}  // namespace pd
