#include "model/log.h"

#include <algorithm>
#include <utility>

#include "llama.h"

namespace pd {
namespace {

constexpr std::size_t bytes_max = 1024;

// ggml knows one log for the whole process, and calls it on the thread that met the error.
std::string& logged_errors() {
  thread_local std::string words;
  return words;
}

void keep_errors(ggml_log_level level, const char* text, void*) {
  std::string& words = logged_errors();
  if (level == GGML_LOG_LEVEL_ERROR && words.size() < bytes_max) words += text;
}

}  // namespace

void quiet_logs() { llama_log_set(keep_errors, nullptr); }  // sets ggml's too

std::string take_logged_errors() {
  std::string words = std::exchange(logged_errors(), {});
  while (!words.empty() && words.back() == '\n') words.pop_back();
  std::replace(words.begin(), words.end(), '\n', ' ');
  return words;
}

}  // namespace pd
