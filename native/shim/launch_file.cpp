#include "shim/launch_file.h"

#include <charconv>
#include <cstring>
#include <optional>
#include <string_view>

#include "shim/whole_file.h"

namespace pd {

namespace {

constexpr std::string_view launch_mark = "pdctl-launch 1";
// Arguments and environment of a program: Linux takes about 2 MiB.
constexpr size_t launch_bytes_max = 8 << 20;

std::optional<int64_t> number_of(std::string_view text) {
  int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < 0) return std::nullopt;
  return value;
}

std::string* text_field(LaunchFile& file, std::string_view key) {
  if (key == "name") return &file.name;
  if (key == "cwd") return &file.cwd;
  if (key == "log") return &file.log;
  if (key == "record") return &file.record;
  return nullptr;
}

int64_t* number_field(LaunchFile& file, std::string_view key) {
  if (key == "generation") return &file.generation;
  if (key == "log-bytes") return &file.log_bytes;
  if (key == "log-files") return &file.log_files;
  if (key == "grace-ms") return &file.grace_ms;
  return nullptr;
}

std::optional<Fault> take_field(LaunchFile& file, std::string_view field) {
  const size_t middle = field.find('=');
  if (middle == std::string_view::npos) return Fault{"KEY=VALUE was expected, found '" + std::string(field) + "'"};
  const std::string_view key = field.substr(0, middle);
  const std::string_view value = field.substr(middle + 1);
  if (key == "arg") {
    file.args.emplace_back(value);
  } else if (key == "env") {
    file.env.emplace_back(value);
  } else if (std::string* text = text_field(file, key)) {
    *text = value;
  } else if (int64_t* number = number_field(file, key)) {
    const auto found = number_of(value);
    if (!found) return Fault{std::string(key) + " must be a whole number, found '" + std::string(value) + "'"};
    *number = *found;
  } else {
    return Fault{"unknown key '" + std::string(key) + "'"};
  }
  return std::nullopt;
}

std::optional<Fault> missing_in(const LaunchFile& file) {
  if (file.name.empty()) return Fault{"name is missing"};
  if (file.log.empty()) return Fault{"log is missing"};
  if (file.record.empty()) return Fault{"record is missing"};
  if (file.args.empty()) return Fault{"arg is missing: the program to run"};
  if (file.log_bytes < 1 || file.log_files < 1) return Fault{"log-bytes and log-files must be at least 1"};
  return std::nullopt;
}

void append_field(std::string& bytes, std::string_view key, std::string_view value) {
  bytes.append(key).append("=").append(value).push_back('\0');
}

}  // namespace

std::variant<LaunchFile, Fault> read_launch_file(const std::string& path) {
  const auto bytes = read_whole(path, launch_bytes_max);
  if (!bytes) return Fault{path + " cannot be read: " + std::strerror(errno)};
  auto parsed = parse_launch_file(*bytes);
  if (const Fault* fault = std::get_if<Fault>(&parsed)) return Fault{path + ": " + fault->words};
  return parsed;
}

std::variant<LaunchFile, Fault> parse_launch_file(const std::string& bytes) {
  LaunchFile file;
  bool marked = false;
  for (size_t from = 0; from < bytes.size();) {
    const size_t end = bytes.find('\0', from);
    if (end == std::string::npos) return Fault{"it is cut: the last string has no end"};
    const std::string_view field(bytes.data() + from, end - from);
    from = end + 1;
    if (!marked) {
      if (field != launch_mark) return Fault{"it does not begin with 'pdctl-launch 1'"};
      marked = true;
    } else if (const auto fault = take_field(file, field)) {
      return *fault;
    }
  }
  if (!marked) return Fault{"it is empty"};
  if (const auto fault = missing_in(file)) return *fault;
  return file;
}

std::string launch_file_bytes(const LaunchFile& file) {
  std::string bytes(launch_mark);
  bytes.push_back('\0');
  append_field(bytes, "name", file.name);
  append_field(bytes, "generation", std::to_string(file.generation));
  append_field(bytes, "cwd", file.cwd);
  append_field(bytes, "log", file.log);
  append_field(bytes, "log-bytes", std::to_string(file.log_bytes));
  append_field(bytes, "log-files", std::to_string(file.log_files));
  append_field(bytes, "record", file.record);
  append_field(bytes, "grace-ms", std::to_string(file.grace_ms));
  for (const std::string& arg : file.args) append_field(bytes, "arg", arg);
  for (const std::string& pair : file.env) append_field(bytes, "env", pair);
  return bytes;
}

}  // namespace pd
