#include <signal.h>

#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <optional>

#include "shim/commands.h"
#include "shim/process.h"
#include "shim/signal_names.h"

namespace pd {

namespace {

template <typename Number>
bool take_number(std::string_view text, Number& to) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), to);
  return error == std::errc() && end == text.data() + text.size();
}

// 1 and below are never ours: 0 and -1 would reach everyone.
std::optional<Identity> parse_identity(std::string_view text) {
  const size_t colon = text.find(':');
  Identity identity;
  if (colon == std::string_view::npos) return std::nullopt;
  if (!take_number(text.substr(0, colon), identity.pid) || identity.pid <= 1) return std::nullopt;
  if (!take_number(text.substr(colon + 1), identity.start_ticks)) return std::nullopt;
  return identity;
}

std::string words_of(SignalResult result) {
  switch (result) {
    case SignalResult::sent: return "sent";
    case SignalResult::gone: return "gone";
    case SignalResult::refused: return std::string("refused: ") + std::strerror(errno);
  }
  return "refused";
}

}  // namespace

int signal_all(std::string_view signal, std::span<char* const> processes) {
  const auto number = signal_number(signal);
  if (!number) return fail("'" + std::string(signal) + "' is no signal, such as SIGTERM", 2);
  // All of them first: a wrong call does nothing.
  for (const char* each : processes) {
    if (!parse_identity(each)) return fail("PID:STARTTICKS was expected, found '" + std::string(each) + "'", 2);
  }
  for (const char* each : processes) std::puts(words_of(signal_process(*parse_identity(each), *number)).c_str());
  return std::fflush(stdout) == 0 ? 0 : 1;
}

}  // namespace pd
