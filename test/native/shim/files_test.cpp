#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "shim/rotating_file.h"
#include "shim/whole_file.h"

namespace pd {

namespace {

class Files : public testing::Test {
 protected:
  Files() {
    std::string pattern = (std::filesystem::temp_directory_path() / "pdctl-shim-XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
  }
  ~Files() override { std::filesystem::remove_all(folder_); }

  std::string path(const std::string& name) const { return folder_ + "/" + name; }
  std::string text(const std::string& name) const { return read_whole(path(name), 1 << 20).value_or("(none)"); }
  size_t count() const { return static_cast<size_t>(std::distance(std::filesystem::directory_iterator(folder_), {})); }

 private:
  std::string folder_;
};

using WholeFiles = Files;
using RotatingFiles = Files;

}  // namespace

TEST_F(WholeFiles, replace_one_another_and_leave_nothing_else) {
  {
    WholeFile file(path("one.json"), 4096);
    EXPECT_TRUE(file.write("the first, which is longer"));
    EXPECT_EQ(text("one.json"), "the first, which is longer");
    EXPECT_TRUE(file.write("the second"));
    EXPECT_EQ(text("one.json"), "the second");
    struct stat found = {};
    ASSERT_EQ(stat(path("one.json").c_str(), &found), 0);
    EXPECT_EQ(found.st_mode & 0777, 0600u);
  }
  EXPECT_EQ(count(), 1u);
}

TEST_F(WholeFiles, are_not_written_where_the_folder_is_gone) {
  WholeFile file(path("no/such/one.json"), 4096);
  EXPECT_FALSE(file.write("text"));
  EXPECT_EQ(errno, ENOENT);
}

TEST_F(WholeFiles, are_read_up_to_a_limit) {
  std::ofstream(path("large")) << std::string(100, 'x');
  EXPECT_FALSE(read_whole(path("large"), 99));
  EXPECT_EQ(errno, EFBIG);
  EXPECT_EQ(read_whole(path("large"), 100)->size(), 100u);
}

TEST_F(RotatingFiles, break_between_lines_and_cut_only_what_no_file_could_hold) {
  RotatingFile file(path("log"), 10, 3);
  file.write(std::string("aaaa\nbbbb\ncccc\n"));
  EXPECT_EQ(text("log.1"), "aaaa\nbbbb\n");
  EXPECT_EQ(text("log"), "cccc\n");
  file.write(std::string("a line that is too long\n"));
  EXPECT_EQ(text("log.2"), "a line tha");
  EXPECT_EQ(text("log.1"), "t is too l");
  EXPECT_EQ(text("log"), "ong\n");
  EXPECT_EQ(count(), 3u);
  EXPECT_EQ(file.bytes_dropped(), 0u);
}

TEST_F(RotatingFiles, go_on_where_the_last_run_ended) {
  RotatingFile(path("log"), 100, 2).write(std::string("before\n"));
  RotatingFile(path("log"), 100, 2).write(std::string("after\n"));
  EXPECT_EQ(text("log"), "before\nafter\n");
}

TEST_F(RotatingFiles, say_how_much_was_lost_once_they_take_bytes_again) {
  RotatingFile file(path("later/log"), 1000, 2);
  file.write(std::string("lost\n"));
  EXPECT_EQ(file.bytes_dropped(), 5u);
  std::filesystem::create_directory(path("later"));
  file.write(std::string("kept\n"));
  file.write(std::string("kept\n"));
  EXPECT_EQ(text("later/log"), "[pdctl-shim: 5 bytes could not be written]\nkept\nkept\n");
}

TEST_F(RotatingFiles, with_a_single_file_begin_it_anew) {
  RotatingFile file(path("log"), 10, 1);
  file.write(std::string("12345678\n"));
  file.write(std::string("next\n"));
  EXPECT_EQ(text("log"), "next\n");
  EXPECT_EQ(count(), 1u);
}

}  // namespace pd
