#pragma once
// The only macro. A failed check is a bug in this program: it prints where and why, in release builds
// too, and aborts; the supervisor starts the engine again.

namespace pd {

[[noreturn]] void check_failed(const char* file, int line, const char* condition, const char* words);

}  // namespace pd

#define PD_CHECK(condition, words) \
  ((condition) ? static_cast<void>(0) : ::pd::check_failed(__FILE__, __LINE__, #condition, words))
