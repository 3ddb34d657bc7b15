#pragma once
// The vocabulary of a GGUF file, through libllama.

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/ids.h"
#include "model/model.h"

namespace pd {

class Tokenizer {
 public:
  static std::unique_ptr<Tokenizer> load(const std::string& path);  // throws ModelError
  virtual ~Tokenizer() = default;

  // special: text such as "<|im_start|>" becomes its control token. User text is tokenised without.
  virtual std::vector<TokenId> tokenize(std::string_view text, bool special) const = 0;
  virtual std::string piece(
      TokenId token) const = 0;  // bytes, maybe a part of a UTF-8 character; none for control tokens
  virtual bool is_end(TokenId token) const = 0;
  virtual std::optional<TokenId> bos() const = 0;  // none: the model wants none
  virtual std::optional<TokenId> eos() const = 0;
  virtual std::string chat_template() const = 0;         // Jinja; empty when the file has none
  virtual std::string text_of(TokenId token) const = 0;  // the token as written, control tokens too
};

}  // namespace pd
