#include "shim/process.h"

#include <dirent.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "shim/whole_file.h"

namespace pd {

namespace {

struct ProcStat {
  pid_t parent = 0;
  char state = '?';
  uint64_t start_ticks = 0;
};

// Fields of /proc/PID/stat count from the last bracket: the name may hold spaces and brackets.
std::optional<ProcStat> proc_stat(pid_t pid) {
  const auto text = read_whole("/proc/" + std::to_string(pid) + "/stat", 65536);
  if (!text) return std::nullopt;
  const size_t bracket = text->rfind(')');
  if (bracket == std::string::npos || bracket + 2 >= text->size()) return std::nullopt;
  ProcStat stat;
  const char* at = text->c_str() + bracket + 2;
  stat.state = *at;
  for (int field = 3; at != nullptr && *at != '\0'; ++field) {
    if (field == 4) stat.parent = static_cast<pid_t>(std::strtol(at, nullptr, 10));
    if (field == 22) {
      stat.start_ticks = std::strtoull(at, nullptr, 10);
      return stat;
    }
    at = std::strchr(at, ' ');
    if (at != nullptr) ++at;
  }
  return std::nullopt;
}

struct Running {
  Identity identity;
  pid_t parent = 0;
};

std::vector<Running> all_running() {
  std::vector<Running> found;
  DIR* folder = opendir("/proc");
  if (folder == nullptr) return found;
  while (const dirent* entry = readdir(folder)) {
    const pid_t pid = static_cast<pid_t>(std::strtol(entry->d_name, nullptr, 10));
    if (pid <= 0) continue;
    const auto stat = proc_stat(pid);
    if (stat && stat->state != 'Z' && stat->state != 'X') found.push_back({{pid, stat->start_ticks}, stat->parent});
  }
  closedir(folder);
  return found;
}

}  // namespace

std::optional<Identity> identity_of(pid_t pid) {
  const auto stat = proc_stat(pid);
  if (!stat) return std::nullopt;
  return Identity{pid, stat->start_ticks};
}

bool is_living(const Identity& identity) {
  const auto stat = proc_stat(identity.pid);
  return stat && stat->start_ticks == identity.start_ticks && stat->state != 'Z' && stat->state != 'X';
}

std::vector<Identity> everyone() {
  std::vector<Identity> found;
  for (const Running& one : all_running()) found.push_back(one.identity);
  return found;
}

std::vector<Identity> descendants_of(pid_t pid) {
  std::vector<Running> others = all_running();
  std::vector<Identity> found;
  std::vector<pid_t> parents{pid};
  while (!parents.empty()) {
    const pid_t parent = parents.back();
    parents.pop_back();
    std::erase_if(others, [&](const Running& one) {
      if (one.parent != parent) return false;
      found.push_back(one.identity);
      parents.push_back(one.identity.pid);
      return true;
    });
  }
  return found;
}

SignalResult signal_process(const Identity& identity, int signal) {
  const long fd = syscall(SYS_pidfd_open, identity.pid, 0);
  if (fd < 0) return errno == ESRCH ? SignalResult::gone : SignalResult::refused;
  // Verified after the handle was opened: from here on it means this process and no later one.
  const bool living = is_living(identity);
  const bool sent = living && syscall(SYS_pidfd_send_signal, fd, signal, nullptr, 0) == 0;
  const int error = errno;
  close(static_cast<int>(fd));
  errno = error;
  if (sent) return SignalResult::sent;
  return !living || error == ESRCH ? SignalResult::gone : SignalResult::refused;
}

std::string boot_id() {
  std::string id = read_whole("/proc/sys/kernel/random/boot_id", 64).value_or("");
  while (!id.empty() && id.back() == '\n') id.pop_back();
  return id;
}

std::string pid_namespace() {
  struct stat found = {};
  return stat("/proc/self/ns/pid", &found) == 0 ? std::to_string(found.st_ino) : "";
}

}  // namespace pd
