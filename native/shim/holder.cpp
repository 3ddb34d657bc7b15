#include "shim/holder.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <thread>

#include "shim/signal_names.h"

namespace pd {

namespace {

constexpr size_t record_bytes_max = 8192;
constexpr int log_pipe_bytes = 1 << 20;
// How often those who are left are looked for, and a record that was refused is tried again.
constexpr int look_every_ms = 50;
// A disk that hangs or is full must not keep the shim, and with it the next start, for ever.
constexpr std::chrono::milliseconds log_finish_limit{5000};
constexpr int record_tries_max = 100;
// What fits into the pipe, and what may come while it is read.
constexpr size_t last_chunks_max = 32;

int64_t wall_ms() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
}

}  // namespace

Holder::Holder(std::string launch_path, const LaunchFile& file)
    : launch_path_(std::move(launch_path)),
      file_(file),
      record_file_(file.record, record_bytes_max),
      log_(file.log, file.log_bytes, file.log_files) {
  facts_.name = file.name;
  facts_.generation = file.generation;
  facts_.boot = boot_id();
  facts_.pid_space = pid_namespace();
  facts_.shim = identity_of(getpid()).value_or(Identity{getpid(), 0});
  facts_.session = getsid(0);
  facts_.began_unix_ms = wall_ms();
}

std::optional<std::string> Holder::begin() {
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  if (auto words = make_pipes()) return words;
  auto child = Child::fork_waiting(file_, log_input_);
  close(log_input_);
  if (!child) return std::string("no process for ") + file_.args[0] + ": " + std::strerror(errno);
  facts_.child = child->identity();
  if (!record_file_.write(record_text(facts_))) {
    const std::string words = file_.record + " cannot be written: " + std::strerror(errno);
    child->give_up();
    return words;
  }
  // Only now: a fork is simplest while there is one thread.
  log_.begin();
  never_ran_ = child->let_run();
  return std::nullopt;
}

std::optional<std::string> Holder::make_pipes() {
  sigset_t heard;
  sigemptyset(&heard);
  for (const int number : {SIGCHLD, SIGTERM, SIGINT, SIGHUP}) sigaddset(&heard, number);
  sigprocmask(SIG_BLOCK, &heard, nullptr);
  // Ignored until now; one that is ignored is not heard here either.
  signal(SIGHUP, SIG_DFL);
  signals_ = signalfd(-1, &heard, SFD_CLOEXEC | SFD_NONBLOCK);
  int ends[2];
  if (signals_ < 0 || pipe2(ends, O_CLOEXEC) != 0) return std::string("no pipe: ") + std::strerror(errno);
  log_pipe_ = ends[0];
  log_input_ = ends[1];
  // Only our end: a program whose output suddenly did not wait would lose it.
  fcntl(log_pipe_, F_SETFL, O_NONBLOCK);
  fcntl(log_pipe_, F_SETPIPE_SZ, log_pipe_bytes);
  return std::nullopt;
}

bool Holder::run() {
  while (!all_gone_) step();
  return finish();
}

void Holder::step() {
  std::array<pollfd, 2> waits{{{signals_, POLLIN, 0}, {log_pipe_, POLLIN, 0}}};
  poll(waits.data(), waits.size(), wait_ms());
  if (waits[0].revents != 0) read_signals();
  if (waits[1].revents != 0) read_log(1);
  // Also without a signal: one SIGCHLD may stand for several ends.
  reap();
  if (facts_.exit && !all_gone_) end_rest();
  if (!recorded_) record();
}

int Holder::wait_ms() const { return facts_.exit || !recorded_ ? look_every_ms : -1; }

void Holder::read_signals() {
  signalfd_siginfo heard;
  while (read(signals_, &heard, sizeof heard) == sizeof heard) {
    switch (heard.ssi_signo) {
      case SIGCHLD: break;
      case SIGHUP: restore_files(); break;
      default: pass_on(static_cast<int>(heard.ssi_signo));
    }
  }
}

// Asked by whoever misses them: later daemons find the run by its files. Not by looking now and then: this thread
// touches no disk while all is well, since one that hangs would stop the log pipe, too.
void Holder::restore_files() {
  record();
  // One that can be read is somebody's wish for the next start; one that cannot be written now is asked for again.
  const auto launch = read_launch_file(launch_path_);
  if (std::holds_alternative<LaunchFile>(launch)) return;
  static_cast<void>(WholeFile(launch_path_, 0).write(launch_file_bytes(file_)));
}

void Holder::pass_on(int signal) {
  if (!facts_.exit) signal_process(*facts_.child, signal);
}

void Holder::read_log(size_t chunks_max) {
  static thread_local std::array<char, 256 << 10> chunk;
  for (size_t chunks = 0; chunks < chunks_max && log_pipe_ >= 0; ++chunks) {
    const ssize_t count = read(log_pipe_, chunk.data(), chunk.size());
    if (count > 0) {
      log_.put(std::span(chunk).first(static_cast<size_t>(count)));
    } else if (count < 0 && errno == EINTR) {
      continue;
    } else {
      if (count == 0) {
        close(log_pipe_);
        log_pipe_ = -1;
      }
      return;
    }
  }
}

// As subreaper the shim inherits everyone whose parent ended: when there is nobody to wait for, nobody is left.
void Holder::reap() {
  for (;;) {
    int status = 0;
    const pid_t pid = waitpid(-1, &status, WNOHANG);
    if (pid < 0 && errno == EINTR) continue;
    if (pid < 0) {
      all_gone_ = facts_.exit.has_value();
      return;
    }
    if (pid == 0) return;
    if (pid == facts_.child->pid && !facts_.exit) note_exit(status);
  }
}

void Holder::note_exit(int status) {
  Exit exit;
  if (never_ran_) {
    exit.words = never_ran_;
  } else if (WIFSIGNALED(status)) {
    exit.signal = signal_name(WTERMSIG(status));
  } else {
    exit.code = WEXITSTATUS(status);
  }
  facts_.exit = exit;
  ended_ms_ = now_ms();
  record();
}

void Holder::end_rest() {
  const bool patient = now_ms() - ended_ms_ < file_.grace_ms;
  if (patient && asked_to_end_) return;
  for (const Identity& one : descendants_of(getpid())) signal_process(one, patient ? SIGTERM : SIGKILL);
  asked_to_end_ = true;
}

void Holder::record() {
  facts_.dropped_bytes = log_.bytes_dropped();
  recorded_ = record_file_.write(record_text(facts_));
}

bool Holder::finish() {
  read_log(last_chunks_max);
  log_.finish(log_finish_limit);
  facts_.empty = true;
  record();
  for (int tries = 1; !recorded_ && tries < record_tries_max; ++tries) {
    std::this_thread::sleep_for(std::chrono::milliseconds(look_every_ms));
    record();
  }
  record_file_.drop_spare();
  return recorded_;
}

int64_t Holder::now_ms() const {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
}

}  // namespace pd
