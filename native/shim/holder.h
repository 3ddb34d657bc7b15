#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "shim/child.h"
#include "shim/launch_file.h"
#include "shim/log_writer.h"
#include "shim/run_record.h"
#include "shim/whole_file.h"

namespace pd {

// Holds one program from its start until no descendant is left. One thread polls signals and the log pipe and never
// waits for anything else; another writes the log.
class Holder {
 public:
  Holder(std::string launch_path, const LaunchFile& file);

  // Words where it could not begin: then nothing runs and nothing was recorded.
  std::optional<std::string> begin();
  // Until everything has ended. False where the last record could not be written. Afterwards the process must end
  // without destroying this object: see LogWriter::finish.
  bool run();

 private:
  std::optional<std::string> make_pipes();
  void step();
  void read_signals();
  void pass_on(int signal);
  void read_log(size_t chunks_max);
  void reap();
  void end_rest();
  void note_exit(int status);
  void record();
  void restore_files();
  bool finish();
  int64_t now_ms() const;
  int wait_ms() const;

  const std::string launch_path_;
  const LaunchFile& file_;
  RunRecord facts_;
  WholeFile record_file_;
  LogWriter log_;
  std::optional<std::string> never_ran_;
  int signals_ = -1;  // file descriptors, as the kernel has them
  int log_pipe_ = -1;
  int log_input_ = -1;
  bool recorded_ = true;
  bool all_gone_ = false;
  int64_t ended_ms_ = 0;
  bool asked_to_end_ = false;
};

}  // namespace pd
