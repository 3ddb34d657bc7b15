#pragma once
// Posts records and state where others read them, and audits the pages. Loop thread only.

#include <cstdint>

#include "engine/admission.h"
#include "engine/flight_recorder.h"
#include "engine/lifecycle.h"
#include "engine/side.h"
#include "engine/state_board.h"
#include "kv/page_pool.h"
#include "transfer/clock.h"

namespace pd {

struct ReporterParts {
  const Clock& clock;
  FlightRecorder& recorder;
  StateBoard& board;
  PagePool& pool;
  const Admission& admission;
  Lifecycle& lifecycle;
  const Side& side;
};

class Reporter {
 public:
  explicit Reporter(const ReporterParts& parts) : parts_(parts) {}

  void report(std::uint64_t steps);           // what changed in this step; now and then everything
  void report_when_due(std::uint64_t steps);  // inside of long steps

  void audit();  // every page count again, at most once a second
  Nanos next_audit() const;

 private:
  bool due() const;
  void post_records(bool all);
  void post_state(std::uint64_t steps);

  ReporterParts parts_;
  Nanos reported_ = 0;  // everything
  Nanos audited_ = 0;
  bool pages_moved_ = true;  // since the audit
};

}  // namespace pd
