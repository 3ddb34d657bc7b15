#pragma once
// Table tests: one row is one sentence, some steps on a rig, and what happened.

#include <gtest/gtest.h>

#include <cctype>
#include <functional>
#include <string>
#include <vector>

namespace pd {

template <typename Rig>
struct Row {
  const char* sentence;
  std::vector<std::function<void(Rig&)>> steps;
  std::string log;
  std::string pages = "live 0 held 0";
};

template <typename Rig>
void expect(const Row<Rig>& row) {
  Rig rig;
  for (const auto& step : row.steps) {
    step(rig);
    ASSERT_EQ(rig.wrong(), std::nullopt) << row.sentence;
  }
  EXPECT_EQ(rig.log.take(), row.log) << row.sentence;
  EXPECT_EQ(rig.pages_now(), row.pages) << row.sentence;
}

template <typename Rig>
std::string test_name(const testing::TestParamInfo<Row<Rig>>& info) {
  std::string name = info.param.sentence;
  for (char& letter : name) {
    if (!std::isalnum(static_cast<unsigned char>(letter))) letter = '_';
  }
  return name;
}

template <typename Rig>
void PrintTo(const Row<Rig>& row, std::ostream* out) {
  *out << row.sentence;
}

}  // namespace pd
