#include "shim/launch_file.h"

#include <gtest/gtest.h>

#include <string>

namespace pd {

namespace {

LaunchFile example() {
  LaunchFile file;
  file.name = "decode";
  file.generation = 3;
  file.cwd = "/srv";
  file.log = "/logs/decode.log";
  file.log_bytes = 1000;
  file.log_files = 2;
  file.record = "/run/decode.json";
  file.grace_ms = 500;
  file.args = {"sh", "", "a=b\nc"};
  file.env = {"A=b=c", "EMPTY="};
  return file;
}

std::string words_of(const std::string& bytes) {
  const auto parsed = parse_launch_file(bytes);
  const Fault* fault = std::get_if<Fault>(&parsed);
  return fault == nullptr ? "" : fault->words;
}

std::string with(std::string_view extra) { return launch_file_bytes(example()) + std::string(extra) + '\0'; }

}  // namespace

TEST(LaunchFile, is_read_as_it_was_written) {
  const auto parsed = parse_launch_file(launch_file_bytes(example()));
  ASSERT_TRUE(std::holds_alternative<LaunchFile>(parsed));
  const LaunchFile& file = std::get<LaunchFile>(parsed);
  EXPECT_EQ(launch_file_bytes(file), launch_file_bytes(example()));
  EXPECT_EQ(file.args, example().args);
  EXPECT_EQ(file.env, example().env);
  EXPECT_EQ(file.generation, 3);
}

TEST(LaunchFile, refuses_what_is_not_one_in_words) {
  EXPECT_EQ(words_of(""), "it is empty");
  EXPECT_EQ(words_of(std::string("pdctl-launch 2\0", 15)), "it does not begin with 'pdctl-launch 1'");
  EXPECT_EQ(words_of("pdctl-launch 1"), "it is cut: the last string has no end");
  EXPECT_EQ(words_of(with("nonsense")), "KEY=VALUE was expected, found 'nonsense'");
  EXPECT_EQ(words_of(with("color=red")), "unknown key 'color'");
  EXPECT_EQ(words_of(with("grace-ms=5s")), "grace-ms must be a whole number, found '5s'");
  EXPECT_EQ(words_of(with("grace-ms=-1")), "grace-ms must be a whole number, found '-1'");
  EXPECT_EQ(words_of(with("log-files=0")), "log-bytes and log-files must be at least 1");
  EXPECT_EQ(words_of(with("record=")), "record is missing");
}

TEST(LaunchFile, is_refused_wherever_it_is_cut) {
  const std::string whole = launch_file_bytes(example());
  for (size_t length = 0; length < whole.size(); ++length) {
    const auto parsed = parse_launch_file(whole.substr(0, length));
    const LaunchFile* file = std::get_if<LaunchFile>(&parsed);
    // Between two strings nobody can tell; the last of them are arguments and environment.
    EXPECT_TRUE(file == nullptr || whole[length - 1] == '\0') << length;
  }
}

}  // namespace pd
