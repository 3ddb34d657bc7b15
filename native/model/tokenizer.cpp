#include "model/tokenizer.h"

#include "core/check.h"
#include "llama.h"
#include "model/architecture.h"
#include "model/cpu.h"
#include "model/gguf_file.h"
#include "model/log.h"

namespace pd {
namespace {

struct Free {
  void operator()(llama_model* model) const { llama_model_free(model); }
};

class LlamaTokenizer final : public Tokenizer {
 public:
  explicit LlamaTokenizer(llama_model* model) : model_(model), vocab_(llama_model_get_vocab(model)) {}

  std::vector<TokenId> tokenize(std::string_view text, bool special) const override {
    const auto length = static_cast<std::int32_t>(text.size());
    std::vector<TokenId> tokens(text.size() + 1);
    std::int32_t count = tokenize_into(tokens, text.data(), length, special);
    if (count < 0) {  // more than one token a byte: llama says how many
      tokens.resize(static_cast<std::size_t>(-count));
      count = tokenize_into(tokens, text.data(), length, special);
      PD_CHECK(count >= 0, "the room that was asked for is enough");
    }
    tokens.resize(static_cast<std::size_t>(count));
    return tokens;
  }

  std::string piece(TokenId token) const override { return bytes_of(token, false); }
  std::string text_of(TokenId token) const override { return bytes_of(token, true); }
  bool is_end(TokenId token) const override { return llama_vocab_is_eog(vocab_, token); }

  std::optional<TokenId> bos() const override {
    const TokenId token = llama_vocab_bos(vocab_);
    const bool wanted = llama_vocab_get_add_bos(vocab_) && token != LLAMA_TOKEN_NULL;
    return wanted ? std::optional(token) : std::nullopt;
  }

  std::optional<TokenId> eos() const override {
    const TokenId token = llama_vocab_eos(vocab_);
    return token == LLAMA_TOKEN_NULL ? std::nullopt : std::optional(token);
  }

  std::string chat_template() const override {
    const char* text = llama_model_chat_template(model_.get(), nullptr);
    return text == nullptr ? "" : text;
  }

 private:
  std::int32_t tokenize_into(std::vector<TokenId>& tokens, const char* text, std::int32_t length, bool special) const {
    // Never with BOS: the caller puts it once, at the front of the whole prompt.
    return llama_tokenize(vocab_, text, length, tokens.data(), static_cast<std::int32_t>(tokens.size()), false,
                          special);
  }

  std::string bytes_of(TokenId token, bool control_too) const {
    std::string bytes(64, '\0');
    std::int32_t count = piece_into(bytes, token, control_too);
    if (count < 0) {
      bytes.resize(static_cast<std::size_t>(-count));
      count = piece_into(bytes, token, control_too);
      PD_CHECK(count >= 0, "the room that was asked for is enough");
    }
    bytes.resize(static_cast<std::size_t>(count));
    return bytes;
  }

  std::int32_t piece_into(std::string& bytes, TokenId token, bool control_too) const {
    return llama_token_to_piece(vocab_, token, bytes.data(), static_cast<std::int32_t>(bytes.size()), 0, control_too);
  }

  std::unique_ptr<llama_model, Free> model_;
  const llama_vocab* vocab_;
};

}  // namespace

std::unique_ptr<Tokenizer> Tokenizer::load(const std::string& path) {
  // Looked at by us first: libllama ends the process for some of the files that we refuse.
  const GgufFile file(path);
  shape_of(file, architecture_of(file));
  if (!file.list_length("tokenizer.ggml.tokens")) file.refuse("it has no vocabulary (tokenizer.ggml.tokens)");

  cpu_device();
  llama_model_params params = llama_model_default_params();
  params.vocab_only = true;
  llama_model* model = llama_model_load_from_file(path.c_str(), params);
  if (model == nullptr) file.refuse("its vocabulary cannot be read (" + take_logged_errors() + ")");
  return std::make_unique<LlamaTokenizer>(model);
}

}  // namespace pd
