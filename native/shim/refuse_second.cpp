#include "shim/refuse_second.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string_view>
#include <vector>

#include "shim/process.h"
#include "shim/run_record.h"
#include "shim/whole_file.h"

namespace pd {

namespace {

constexpr size_t arguments_bytes_max = 65536;

std::vector<std::string> arguments_of(const std::string& process) {
  std::vector<std::string> found;
  const std::string text = read_whole(process + "/cmdline", arguments_bytes_max).value_or("");
  for (size_t at = 0; at < text.size(); at += found.back().size() + 1) found.emplace_back(text.c_str() + at);
  return found;
}

std::string_view base_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }

// A relative path counts from the folder that its process is in.
std::string folder_of(const std::string& path, const std::string& process) {
  const std::string whole = path.starts_with('/') ? path : process + "/cwd/" + path;
  return whole.substr(0, whole.rfind('/') + 1);
}

bool is_same_folder(const std::string& one, const std::string& other) {
  struct stat a = {};
  struct stat b = {};
  if (one == other) return true;
  return stat(one.c_str(), &a) == 0 && stat(other.c_str(), &b) == 0 && a.st_ino == b.st_ino && a.st_dev == b.st_dev;
}

bool holds(const std::string& process, const std::string& launch_file) {
  const std::vector<std::string> arguments = arguments_of(process);
  if (arguments.size() != 3 || base_name(arguments[0]) != "pdctl-shim" || arguments[1] != "hold") return false;
  return base_name(arguments[2]) == base_name(launch_file) &&
         is_same_folder(folder_of(arguments[2], process), folder_of(launch_file, "/proc/self"));
}

std::optional<pid_t> holder_of(const std::string& launch_file) {
  for (const Identity& one : everyone()) {
    if (one.pid != getpid() && holds("/proc/" + std::to_string(one.pid), launch_file)) return one.pid;
  }
  return std::nullopt;
}

}  // namespace

std::optional<Fault> refuse_second(const std::string& launch_file, const LaunchFile& file) {
  const auto text = read_whole(file.record, 65536);
  if (!text && errno != ENOENT) return Fault{file.record + " cannot be read: " + std::strerror(errno)};
  if (text && record_lives(*text)) return Fault{file.name + " still runs, says " + file.record + ": end it first"};
  const auto holder = holder_of(launch_file);
  if (!holder) return std::nullopt;
  return Fault{file.name + " still runs, held by process " + std::to_string(*holder) + ": end it first"};
}

}  // namespace pd
