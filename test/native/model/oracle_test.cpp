// libllama computes the same model in its own way: our next tokens must be its next tokens.
#include <gtest/gtest.h>

#include "llama.h"
#include "model/runner_fixture.h"
#include "model/tokenizer.h"
#include "support/real_model.h"

namespace pd {
namespace {

constexpr std::size_t positions = 32;
constexpr float tie = 0.05f;  // two logits closer than this may change places by rounding

// F16: quantised weights would quantise the activations too, and enlarge each rounding.
void write_as_f16(const std::string& from, const std::string& to) {
  llama_model_quantize_params params = llama_model_quantize_default_params();
  params.nthread = 1;
  params.allow_requantize = true;
  params.ftype = LLAMA_FTYPE_MOSTLY_F16;
  ASSERT_EQ(llama_model_quantize(from.c_str(), to.c_str(), &params), 0u);
}

class Oracle {
 public:
  explicit Oracle(const std::string& path) {
    model_ = llama_model_load_from_file(path.c_str(), llama_model_default_params());
    llama_context_params params = llama_context_default_params();
    params.n_ctx = 1024;
    params.n_threads = params.n_threads_batch = 1;
    params.flash_attn_type = LLAMA_FLASH_ATTN_TYPE_ENABLED;
    context_ = llama_init_from_model(model_, params);
  }
  Oracle(const Oracle&) = delete;
  Oracle& operator=(const Oracle&) = delete;
  ~Oracle() {
    llama_free(context_);
    llama_model_free(model_);
  }

  void forget() { llama_memory_clear(llama_get_memory(context_), true); }

  std::span<const float> next(std::vector<TokenId> tokens) {
    const auto count = static_cast<std::int32_t>(tokens.size());
    EXPECT_EQ(llama_decode(context_, llama_batch_get_one(tokens.data(), count)), 0);
    return {llama_get_logits_ith(context_, -1),
            static_cast<std::size_t>(llama_vocab_n_tokens(llama_model_get_vocab(model_)))};
  }

 private:
  llama_model* model_ = nullptr;
  llama_context* context_ = nullptr;
};

std::string long_prompt() {
  std::string text;
  for (int i = 1; i <= 30; ++i) text += "Item " + std::to_string(i) + " of the list is " + std::to_string(i * i) + ". ";
  return text;
}

TEST(Oracle, agrees_on_the_next_token_at_32_positions_of_5_prompts) {
  const auto path = real_model();
  if (!path) GTEST_SKIP() << real_model_missing;
  TempFolder folder;
  const auto tokenizer = Tokenizer::load(*path);
  write_as_f16(*path, folder.file("f16.gguf"));
  const auto model = Model::load(folder.file("f16.gguf"), WeightPolicy::as_stored);
  Compute compute(*model, 80, PageOrder::scattered);
  Oracle oracle(folder.file("f16.gguf"));

  const std::string prompts[] = {
      "<|im_start|>user\nWhat is the capital of France?<|im_end|>\n<|im_start|>assistant\n",
      "<|im_start|>user\nWrite a short paragraph about why the sky is blue.<|im_end|>\n<|im_start|>assistant\n",
      "def fibonacci(n):\n    \"\"\"Returns the n-th number.\"\"\"\n",
      "One",
      long_prompt(),
  };
  int ties = 0;
  for (const std::string& prompt : prompts) {
    const std::vector<TokenId> tokens = tokenizer->tokenize(prompt, true);
    Lane lane(*compute.runner, compute.pool, static_cast<std::uint32_t>(tokens.size() + positions));
    oracle.forget();
    std::span<const float> theirs = oracle.next(tokens);
    std::vector<float> ours = lane.prefill(tokens);
    for (std::size_t i = 0; i < positions; ++i) {
      const TokenId right = sample(theirs, {}, 0), found = sample(ours, {}, 0);
      if (right != found) ++ties;
      ASSERT_LT(theirs[static_cast<std::size_t>(right)] - theirs[static_cast<std::size_t>(found)], tie)
          << "position " << i << " behind '" << prompt.substr(0, 40) << "': " << tokenizer->piece(right) << " or "
          << tokenizer->piece(found);
      const DecodeRow row = lane.row(right);  // theirs, also behind a tie
      const std::span<const float> logits = compute.runner->decode({&row, 1}).logits;
      ours.assign(logits.begin(), logits.end());
      theirs = oracle.next({right});
    }
    compute.pool.release(lane.pages());
  }
  RecordProperty("ties", ties);
}

}  // namespace
}  // namespace pd
