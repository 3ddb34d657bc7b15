#include "addon/write_record.h"

#include "addon/failure_value.h"
#include "addon/write_number.h"

namespace pd {
namespace {

Napi::Array write_timeline(Napi::Env env, const std::vector<StageTime>& timeline) {
  Napi::Array to = Napi::Array::New(env, timeline.size());
  for (std::uint32_t i = 0; i < timeline.size(); ++i) {
    Napi::Object stage = Napi::Object::New(env);
    stage.Set("stage", name_of(timeline[i].stage));
    stage.Set("beganUnixMs", timeline[i].began_unix_ms);
    set_time(stage, "endedUnixMs", timeline[i].ended_unix_ms);
    to.Set(i, stage);
  }
  return to;
}

Napi::Object write_deadline(Napi::Env env, const RequestRecord& record) {
  Napi::Object to = Napi::Object::New(env);
  to.Set("name", record.deadline);
  to.Set("inMs", record.deadline_in_ms);
  return to;
}

void write_times(Napi::Object& to, const RequestRecord& record) {
  to.Set("arrivedUnixMs", record.arrived_unix_ms);
  to.Set("ageMs", record.age_ms);
  to.Set("stageAgeMs", record.stage_age_ms);
  set_time(to, "firstTokenUnixMs", record.first_token_unix_ms);
  set_time(to, "prefillBeganUnixMs", record.prefill_began_unix_ms);
  set_time(to, "prefillEndedUnixMs", record.prefill_ended_unix_ms);
  set_time(to, "transferBeganUnixMs", record.transfer_began_unix_ms);
  set_time(to, "transferEndedUnixMs", record.transfer_ended_unix_ms);
}

}  // namespace

Napi::Object write_record(Napi::Env env, const RequestRecord& record) {
  Napi::Object to = Napi::Object::New(env);
  to.Set("id", record.id);
  if (record.state) {  // a transfer belongs to it
    to.Set("room", std::to_string(record.room));
    to.Set("state", name_of(*record.state));
  }
  to.Set("stage", name_of(record.stage));
  write_times(to, record);
  to.Set("promptTokens", record.prompt_tokens);
  to.Set("tokensMax", record.tokens_max);
  to.Set("rowsComputed", record.rows_computed);
  to.Set("outputTokens", record.output_tokens);
  set_number(to, "bytesDone", record.bytes_done);
  set_number(to, "bytesTotal", record.bytes_total);
  if (!record.peer.empty()) to.Set("peer", record.peer);
  if (!record.deadline.empty()) to.Set("deadline", write_deadline(env, record));
  to.Set("timeline", write_timeline(env, record.timeline));
  if (record.failure) to.Set("failure", write_failure(env, *record.failure));
  to.Set("live", record.live);
  to.Set("pages", record.pages);
  to.Set("pagesHeld", record.pages_held);
  return to;
}

}  // namespace pd
