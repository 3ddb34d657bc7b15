#include "transfer/senders.h"

#include <gtest/gtest.h>

#include "transfer/support/sender_rig.h"
#include "transfer/support/table.h"

namespace pd {
namespace {

const auto presented = [](SenderRig& rig) { rig.to_presented(); };
const auto waiting = [](SenderRig& rig) { rig.to_waiting(); };
const auto running = [](SenderRig& rig) { rig.to_running(); };
const auto inflight = [](SenderRig& rig) { rig.to_inflight(); };
const auto added = [](SenderRig& rig) { static_cast<void>(rig.senders->add(7, rig.hash, rig.tokens)); };
const auto present = [](SenderRig& rig) { rig.hear(Present{rig.key(), rig.hash, rig.tokens}); };
const auto other_prompt = [](SenderRig& rig) { rig.hear(Present{rig.key(), Digest{2}, rig.tokens}); };
const auto reserved = [](SenderRig& rig) { rig.hear(Reserved{rig.key(), 2, 0}); };
const auto reserved_one = [](SenderRig& rig) { rig.hear(Reserved{rig.key(), 1, 0}); };
const auto began = [](SenderRig& rig) {
  rig.take_pages();
  rig.senders->began(7, rig.pages);
};
const auto layer_rows = [](std::uint32_t layer, std::uint32_t rows) {
  return [=](SenderRig& rig) { rig.senders->layer_complete(7, layer, rows); };
};
const auto finished = [](SenderRig& rig) { rig.senders->finished(7, 5, std::nullopt); };
const auto finished_stop = [](SenderRig& rig) { rig.senders->finished(7, 5, FinishReason::stop); };
const auto committed = [](SenderRig& rig) { rig.hear(Committed{rig.key()}); };
const auto done = [](SenderRig& rig) { rig.hear(Done{rig.key()}); };
const auto drained = [](SenderRig& rig) { rig.hear(Drained{rig.key()}); };
const auto peer_failed = [](SenderRig& rig) { rig.hear(Failed{rig.key(), FailureCode::kv_corruption, "bad page"}); };
const auto peer_aborted = [](SenderRig& rig) { rig.hear(Abort{rig.key()}); };
const auto aborted = [](SenderRig& rig) { rig.senders->abort(7, {FailureCode::aborted, "client left"}); };
const auto closed = [](SenderRig& rig) { rig.senders->closed(rig.peer, "reset"); };
const auto connected_again = [](SenderRig& rig) { rig.senders->connected(rig.peer_again); };
const auto drained_again = [](SenderRig& rig) { rig.senders->received(rig.peer_again, Drained{rig.key()}); };
const auto process_gone = [](SenderRig& rig) { rig.senders->process_gone(SenderRig::decode); };
const auto turn = [](SenderRig& rig) { rig.turn(); };
const auto passed = [](Nanos ms) {
  return [=](SenderRig& rig) {
    rig.clock.pass(ms * nanos_per_ms);
    rig.turn();
    rig.log.add("|");
  };
};
const auto never_send = [](SenderRig& rig) { rig.faults.never_send = true; };
const auto ignore_deadlines = [](SenderRig& rig) { rig.faults.ignore_deadlines = true; };

using SenderRow = Row<SenderRig>;
class SendersTable : public testing::TestWithParam<SenderRow> {};
TEST_P(SendersTable, holds) { expect(GetParam()); }

INSTANTIATE_TEST_SUITE_P(
    Senders, SendersTable,
    testing::Values(
        SenderRow{"a present is credited at once", {added, present}, ">credit"},
        SenderRow{
            "a present that came first is credited when the prefill leg comes", {present, turn, added}, ">credit"},
        SenderRow{"a reservation puts it in the queue", {presented, reserved, turn}, "reserved!"},
        SenderRow{"a reservation is told once", {presented, reserved, turn, reserved, turn, turn}, "reserved!"},
        SenderRow{"a reservation that is too small fails it",
                  {presented, reserved_one, turn},
                  ">failed(peer-failed) failed!peer-failed safe!"},
        SenderRow{"another prompt fails it and tells decode",
                  {added, other_prompt, turn},
                  ">failed(prompt-mismatch) failed!prompt-mismatch safe!"},
        SenderRow{
            "the first chunk pins the pages and names them", {waiting, began, turn}, ">source(2)", "live 2 held 0"},
        SenderRow{"rows are announced as watermarks",
                  {running, layer_rows(0, 16), layer_rows(1, 16), layer_rows(0, 20), layer_rows(0, 16)},
                  ">ready(0,16) >ready(1,16) >ready(0,20)",
                  "live 2 held 0"},
        SenderRow{"the final word comes after all data",
                  {running, layer_rows(0, 20), finished},
                  ">ready(0,20) >ready(1,20) >final",
                  "live 2 held 0"},
        SenderRow{
            "an answer that is complete needs no rows", {running, finished_stop}, ">final(stop)", "live 2 held 0"},
        SenderRow{"a commit is success, and pages stay pinned until done",
                  {inflight, committed, turn},
                  "success!",
                  "live 2 held 0"},
        SenderRow{"done after the commit frees the pages", {inflight, committed, turn, done}, "success! safe!"},
        SenderRow{"a commit and done in one turn free the pages", {inflight, committed, done, turn}, "success! safe!"},
        SenderRow{"a commit before the final word is no commit", {running, committed, turn}, "", "live 2 held 0"},
        SenderRow{"an abort before the first chunk holds nothing",
                  {waiting, aborted, turn},
                  ">failed(aborted) failed!aborted safe!"},
        SenderRow{"an abort in flight holds the pages",
                  {inflight, aborted, turn},
                  ">failed(aborted) failed!aborted",
                  "live 0 held 2"},
        SenderRow{"held pages are free when decode has drained",
                  {inflight, aborted, turn, drained},
                  ">failed(aborted) failed!aborted safe!"},
        SenderRow{"a commit after the failure changes nothing",
                  {inflight, aborted, turn, committed, turn},
                  ">failed(aborted) failed!aborted",
                  "live 0 held 2"},
        SenderRow{"a failure after the commit changes nothing",
                  {inflight, committed, aborted, turn},
                  "success!",
                  "live 2 held 0"},
        SenderRow{"a failure in the turn of the commit does not undo it",
                  {inflight, committed, peer_failed, turn},
                  "success!",
                  "live 2 held 0"},
        SenderRow{"a failure of decode is not told to decode",
                  {inflight, peer_failed, turn},
                  "failed!peer-failed",
                  "live 0 held 2"},
        SenderRow{"an abort of decode is an abort", {inflight, peer_aborted, drained, turn}, "failed!aborted safe!"},
        SenderRow{"a lost link fails at once and holds", {inflight, closed, turn}, "failed!peer-lost", "live 0 held 2"},
        SenderRow{"a new link of the same decode is asked and frees",
                  {inflight, closed, turn, connected_again, drained_again},
                  "failed!peer-lost >abort safe!"},
        SenderRow{
            "the end of decode's process frees", {inflight, closed, turn, process_gone}, "failed!peer-lost safe!"},
        SenderRow{"the end of decode's process fails what is live and frees",
                  {running, process_gone, turn},
                  ">failed(peer-lost) failed!peer-lost safe!"},
        SenderRow{"a chunk that begins after the failure pins nothing",
                  {waiting, aborted, began, turn},
                  ">failed(aborted) failed!aborted safe!"},
        SenderRow{"nobody presents within the deadline",
                  {added, passed(1999), passed(1)},
                  "| failed!bootstrap-timeout safe! |"},
        SenderRow{"a late present of a failed room is told so",
                  {added, passed(2000), present},
                  "failed!bootstrap-timeout safe! | >failed(bootstrap-timeout)"},
        SenderRow{"nobody reserves within the deadline of the credit",
                  {presented, passed(2000)},
                  ">failed(bootstrap-timeout) failed!bootstrap-timeout safe! |"},
        SenderRow{
            "the queue has no deadline unless it is asked for", {waiting, passed(600'000)}, ">progress(0;7:1,0,0) |"},
        SenderRow{
            "a long prefill has no deadline", {running, passed(600'000)}, ">progress(0;7:2,0,0) |", "live 2 held 0"},
        SenderRow{"inflight counts from the end of prefill",
                  {running, passed(60'000), finished, passed(3999), passed(1)},
                  ">progress(0;7:2,0,0) | >ready(0,20) >ready(1,20) >final >progress(0;7:3,40,40) | "
                  ">failed(inflight-timeout) failed!inflight-timeout |",
                  "live 0 held 2"},
        SenderRow{"never send announces nothing and is failed by its deadline",
                  {running, never_send, layer_rows(0, 20), finished, passed(4000)},
                  ">failed(inflight-timeout) failed!inflight-timeout |",
                  "live 0 held 2"},
        SenderRow{"ignored deadlines let it wait for ever",
                  {inflight, ignore_deadlines, passed(600'000)},
                  ">progress(0;7:3,40,40) |",
                  "live 2 held 0"},
        SenderRow{"an abort that comes first fails both legs", {aborted, added, present}, ">failed(aborted)"},
        SenderRow{"an abort after an early present tells decode", {present, aborted}, ">failed(aborted)"},
        SenderRow{
            "a failure of decode before the prefill leg leaves a tombstone", {present, peer_failed, added, turn}, ""}),
    test_name<SenderRig>);

}  // namespace
}  // namespace pd
