#include "model/gguf_file.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "model/architecture.h"
#include "model/log.h"
#include "model/model.h"

namespace pd {

GgufFile::GgufFile(const std::string& path) : path_(path) {
  quiet_logs();
  file_.reset(std::fopen(path.c_str(), "rb"));
  if (!file_) refuse(std::string("it cannot be opened (") + std::strerror(errno) + ")");
  struct stat status{};
  if (fstat(fileno(file_.get()), &status) != 0 || !S_ISREG(status.st_mode)) refuse("it is not a regular file");
  bytes_ = static_cast<std::uint64_t>(status.st_size);

  char magic[4] = {};
  const std::size_t found = std::fread(magic, 1, sizeof magic, file_.get());
  if (found < sizeof magic || std::memcmp(magic, "GGUF", sizeof magic) != 0) {
    refuse("it is no GGUF file: it does not begin with the letters GGUF");
  }
  std::rewind(file_.get());

  take_logged_errors();
  ggml_context* tensors = nullptr;
  gguf_.reset(gguf_init_from_file_ptr(file_.get(), {.no_alloc = true, .ctx = &tensors}));
  tensors_.reset(tensors);
  if (!gguf_) refuse("its header is damaged or cut (" + take_logged_errors() + ")");
  check_ends();
}

void GgufFile::refuse(const std::string& found) const {
  throw ModelError(path_ + ": " + found + ". " + supported_files());
}

void GgufFile::check_ends() const {
  const std::uint64_t begin = gguf_get_data_offset(gguf_.get());
  for (std::int64_t i = 0; i < gguf_get_n_tensors(gguf_.get()); ++i) {
    const std::uint64_t offset = gguf_get_tensor_offset(gguf_.get(), i);
    const std::uint64_t size = gguf_get_tensor_size(gguf_.get(), i);
    if (begin > bytes_ || offset > bytes_ - begin || size > bytes_ - begin - offset) {
      refuse("it is cut: it has " + std::to_string(bytes_) + " bytes, but tensor " +
             gguf_get_tensor_name(gguf_.get(), i) + " lies beyond that. Download it again");
    }
  }
}

std::optional<std::int64_t> GgufFile::find(const std::string& key, gguf_type type) const {
  const std::int64_t index = gguf_find_key(gguf_.get(), key.c_str());
  if (index < 0) return std::nullopt;
  const gguf_type found = gguf_get_kv_type(gguf_.get(), index);
  if (found != type) {
    refuse("its key " + key + " is of type " + gguf_type_name(found) + ", expected was " + gguf_type_name(type));
  }
  return index;
}

std::optional<std::uint32_t> GgufFile::number(const std::string& key) const {
  const std::optional<std::int64_t> index = find(key, GGUF_TYPE_UINT32);
  return index ? std::optional(gguf_get_val_u32(gguf_.get(), *index)) : std::nullopt;
}

std::optional<float> GgufFile::real(const std::string& key) const {
  const std::optional<std::int64_t> index = find(key, GGUF_TYPE_FLOAT32);
  return index ? std::optional(gguf_get_val_f32(gguf_.get(), *index)) : std::nullopt;
}

std::optional<std::string> GgufFile::text(const std::string& key) const {
  const std::optional<std::int64_t> index = find(key, GGUF_TYPE_STRING);
  return index ? std::optional<std::string>(gguf_get_val_str(gguf_.get(), *index)) : std::nullopt;
}

std::optional<std::uint64_t> GgufFile::list_length(const std::string& key) const {
  const std::optional<std::int64_t> index = find(key, GGUF_TYPE_ARRAY);
  return index ? std::optional<std::uint64_t>(gguf_get_arr_n(gguf_.get(), *index)) : std::nullopt;
}

const ggml_tensor* GgufFile::tensor(const std::string& name) const {
  return ggml_get_tensor(tensors_.get(), name.c_str());
}

std::vector<std::string> GgufFile::tensor_names() const {
  std::vector<std::string> names;
  for (std::int64_t i = 0; i < gguf_get_n_tensors(gguf_.get()); ++i) {
    names.emplace_back(gguf_get_tensor_name(gguf_.get(), i));
  }
  return names;
}

std::vector<std::uint8_t> GgufFile::read(const std::string& name) const {
  const std::int64_t index = gguf_find_tensor(gguf_.get(), name.c_str());
  std::vector<std::uint8_t> data(gguf_get_tensor_size(gguf_.get(), index));
  read_at(gguf_get_data_offset(gguf_.get()) + gguf_get_tensor_offset(gguf_.get(), index), data.data(), data.size());
  return data;
}

// Not mapped: a file that shrinks while it is read gives an error here, a mapping gives a signal.
void GgufFile::read_at(std::uint64_t offset, std::uint8_t* to, std::size_t bytes) const {
  while (bytes > 0) {
    const ssize_t n = pread(fileno(file_.get()), to, bytes, static_cast<off_t>(offset));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) refuse(std::string("it cannot be read (") + std::strerror(errno) + ")");
    if (n == 0) refuse("it became shorter while it was read");
    to += n;
    offset += static_cast<std::uint64_t>(n);
    bytes -= static_cast<std::size_t>(n);
  }
}

Digest GgufFile::content_hash() const {
  constexpr std::uint64_t samples = 64, sample_bytes = 4096;
  const std::uint64_t header = std::min<std::uint64_t>(gguf_get_data_offset(gguf_.get()), bytes_);
  const std::uint64_t data = bytes_ - header;
  std::vector<std::uint8_t> words(header);
  read_at(0, words.data(), words.size());
  for (std::uint64_t i = 0; i < samples; ++i) {
    const std::uint64_t bytes = std::min(sample_bytes, data);
    const std::size_t at = words.size();
    words.resize(at + bytes);
    read_at(header + (data - bytes) / (samples - 1) * i, words.data() + at, bytes);
  }
  for (int shift = 0; shift < 64; shift += 8) words.push_back(static_cast<std::uint8_t>(bytes_ >> shift));
  return sha256(words);
}

}  // namespace pd
