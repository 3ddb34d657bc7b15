#include "shim/refuse_second.h"

#include <cerrno>
#include <cstring>

#include "shim/run_record.h"
#include "shim/whole_file.h"

namespace pd {

std::optional<Fault> refuse_second(const LaunchFile& file) {
  const auto text = read_whole(file.record, 65536);
  if (!text && errno == ENOENT) return std::nullopt;
  if (!text) return Fault{file.record + " cannot be read: " + std::strerror(errno)};
  if (record_lives(*text)) return Fault{file.name + " still runs, says " + file.record + ": end it first"};
  return std::nullopt;
}

}  // namespace pd
