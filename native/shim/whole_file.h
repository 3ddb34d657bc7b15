#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace pd {

// The content, or nothing with errno set; EFBIG where there is more than bytes_max.
std::optional<std::string> read_whole(const std::string& path, size_t bytes_max);

// Readers see the old content or the new one, never a part; mode 0600. A file of `spare_bytes` lies ready beside it
// between two writes, so that the next one works on a full disk, too. False with errno set.
class WholeFile {
 public:
  WholeFile(std::string path, size_t spare_bytes);
  ~WholeFile() { drop_spare(); }
  WholeFile(const WholeFile&) = delete;
  WholeFile& operator=(const WholeFile&) = delete;

  [[nodiscard]] bool write(std::string_view content);
  // After the last write.
  void drop_spare();

 private:
  bool write_spare(std::string_view content);
  void make_spare();

  std::string path_;
  std::string spare_path_;
  size_t spare_bytes_;
  int spare_ = -1;  // a file descriptor, as the kernel has them
};

}  // namespace pd
