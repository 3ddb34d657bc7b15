#pragma once
#include <string>
#include <utility>

namespace pd {

// What happened, in order, as one line.
class Log {
 public:
  void add(const std::string& what) { text_ += (text_.empty() ? "" : " ") + what; }
  std::string take() { return std::exchange(text_, {}); }

 private:
  std::string text_;
};

}  // namespace pd
