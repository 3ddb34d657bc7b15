#include "shim/whole_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cerrno>

namespace pd {

namespace {

// Beside the file, hidden, and not named like a record.
std::string spare_beside(const std::string& path) {
  const size_t slash = path.rfind('/');
  const size_t name = slash == std::string::npos ? 0 : slash + 1;
  return path.substr(0, name) + "." + path.substr(name) + ".next";
}

bool write_all(int file, std::string_view content) {
  size_t done = 0;
  while (done < content.size()) {
    const ssize_t count = pwrite(file, content.data() + done, content.size() - done, static_cast<off_t>(done));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    done += static_cast<size_t>(count);
  }
  return true;
}

}  // namespace

std::optional<std::string> read_whole(const std::string& path, size_t bytes_max) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return std::nullopt;
  std::string content;
  char part[65536];
  for (;;) {
    const ssize_t count = read(file, part, sizeof part);
    if (count < 0 && errno == EINTR) continue;
    const bool too_large = count > 0 && content.size() + static_cast<size_t>(count) > bytes_max;
    if (count <= 0 || too_large) {
      const int error = too_large ? EFBIG : errno;
      close(file);
      if (count == 0) return content;
      errno = error;
      return std::nullopt;
    }
    content.append(part, static_cast<size_t>(count));
  }
}

WholeFile::WholeFile(std::string path, size_t spare_bytes)
    : path_(std::move(path)), spare_path_(spare_beside(path_)), spare_bytes_(spare_bytes) {
  make_spare();
}

void WholeFile::drop_spare() {
  if (spare_ < 0) return;
  close(spare_);
  spare_ = -1;
  unlink(spare_path_.c_str());
}

bool WholeFile::write(std::string_view content) {
  // Twice: somebody may have removed the one that lay ready.
  const bool written = write_spare(content) || (spare_ < 0 && write_spare(content));
  if (written) make_spare();
  return written;
}

bool WholeFile::write_spare(std::string_view content) {
  if (spare_ < 0) make_spare();
  // Written before it is cut: the blocks that it needs are its own already.
  if (spare_ < 0 || !write_all(spare_, content) || ftruncate(spare_, static_cast<off_t>(content.size())) != 0) {
    return false;
  }
  const bool renamed = rename(spare_path_.c_str(), path_.c_str()) == 0;
  const int error = errno;
  if (!renamed && error != ENOENT) return false;
  close(spare_);
  spare_ = -1;
  errno = error;
  return renamed;
}

void WholeFile::make_spare() {
  spare_ = open(spare_path_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
  // Where the disk is full now it may have room by the time of the write.
  if (spare_ >= 0 && fallocate(spare_, 0, 0, static_cast<off_t>(spare_bytes_)) != 0) errno = 0;
}

}  // namespace pd
