#pragma once
// A GGUF file that was opened and looked at: nothing that it says of itself is believed before it was
// compared with what is there.

#include <cstdint>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/hash.h"
#include "ggml.h"
#include "gguf.h"

namespace pd {

class GgufFile {
 public:
  explicit GgufFile(const std::string& path);  // throws ModelError: no such file, no GGUF, cut

  // Throws ModelError: the file's name, what was found, what is supported.
  [[noreturn]] void refuse(const std::string& found) const;

  const std::string& path() const { return path_; }

  // none: the file has no such key. A value of another type is refused.
  std::optional<std::uint32_t> number(const std::string& key) const;
  std::optional<float> real(const std::string& key) const;
  std::optional<std::string> text(const std::string& key) const;
  std::optional<std::uint64_t> list_length(const std::string& key) const;

  // The shape and type of each tensor, without data; nullptr for a name that is none.
  const ggml_tensor* tensor(const std::string& name) const;
  std::vector<std::string> tensor_names() const;
  std::vector<std::uint8_t> read(const std::string& name) const;

  // SHA-256 of what tells two models apart: the header (all keys, names, shapes and types), the file's
  // size, and 64 samples of the weights. Not of every byte: a 30 GB file must not be read twice at start.
  Digest content_hash() const;

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
    void operator()(gguf_context* gguf) const { gguf_free(gguf); }
    void operator()(ggml_context* context) const { ggml_free(context); }
  };

  void check_ends() const;
  std::optional<std::int64_t> find(const std::string& key, gguf_type type) const;
  void read_at(std::uint64_t offset, std::uint8_t* to, std::size_t bytes) const;

  std::string path_;
  std::unique_ptr<std::FILE, Close> file_;
  std::uint64_t bytes_ = 0;
  std::unique_ptr<ggml_context, Close> tensors_;
  std::unique_ptr<gguf_context, Close> gguf_;
};

}  // namespace pd
