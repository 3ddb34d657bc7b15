// llama_rows MODEL GGML_DIR: the same rows through llama.cpp's library, one thread, F16 cache.

#include <algorithm>

#include "ggml-backend.h"
#include "llama.h"
#include "rows.h"

namespace {

class LlamaSide {
 public:
  explicit LlamaSide(const char* path) {
    model_ = llama_model_load_from_file(path, llama_model_default_params());
    if (model_ == nullptr) return;
    llama_context_params params = llama_context_default_params();
    params.n_ctx = rows::prompt_tokens * (rows::prompt_sequence + 1);
    params.n_seq_max = rows::prompt_sequence + 1;
    params.n_threads = params.n_threads_batch = 1;
    context_ = llama_init_from_model(model_, params);
    batch_ = llama_batch_init(rows::prompt_tokens, 0, 1);
    vocab_ = llama_vocab_n_tokens(llama_model_get_vocab(model_));
  }
  LlamaSide(const LlamaSide&) = delete;
  LlamaSide& operator=(const LlamaSide&) = delete;
  ~LlamaSide() {
    if (context_ == nullptr) return;
    llama_batch_free(batch_);
    llama_free(context_);
    llama_model_free(model_);
  }

  bool ready() const { return context_ != nullptr; }

  void prefill() { compute_prompt(rows::prompt_sequence, rows::prompt_tokens); }

  // Once: what decode has added behind the context is dropped before the next time.
  void fill(std::int32_t batch) {
    for (; filled_ < batch; ++filled_) compute_prompt(filled_, rows::context_tokens);
    for (std::int32_t i = 0; i < batch; ++i)
      llama_memory_seq_rm(llama_get_memory(context_), i, rows::context_tokens, -1);
  }

  void decode(std::int32_t batch) {
    for (std::int32_t step = 0; step < rows::steps; ++step) {
      batch_.n_tokens = 0;
      for (std::int32_t i = 0; i < batch; ++i) add(rows::decode_token(i, step), rows::context_tokens + step, i, true);
      compute();
    }
  }

 private:
  void compute_prompt(std::int32_t sequence, std::int32_t tokens) {
    llama_memory_seq_rm(llama_get_memory(context_), sequence, -1, -1);
    batch_.n_tokens = 0;
    for (std::int32_t i = 0; i < tokens; ++i) add(rows::prompt_token(sequence, i), i, sequence, i == tokens - 1);
    compute();
  }

  void add(llama_token token, llama_pos position, llama_seq_id sequence, bool wants_logits) {
    const std::int32_t i = batch_.n_tokens++;
    batch_.token[i] = token;
    batch_.pos[i] = position;
    batch_.n_seq_id[i] = 1;
    batch_.seq_id[i][0] = sequence;
    batch_.logits[i] = wants_logits;
  }

  void compute() {
    if (llama_decode(context_, batch_) != 0) std::fprintf(stderr, "llama_rows: llama_decode failed\n");
    for (std::int32_t i = 0; i < batch_.n_tokens; ++i) {
      if (batch_.logits[i] == 0) continue;
      const float* row = llama_get_logits_ith(context_, i);
      best_ = std::max_element(row, row + vocab_) - row;
    }
  }

  llama_model* model_ = nullptr;
  llama_context* context_ = nullptr;
  llama_batch batch_{};
  std::int32_t vocab_ = 0;
  std::int32_t filled_ = 0;
  volatile std::ptrdiff_t best_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  ggml_backend_load_all_from_path(argv[2]);
  llama_log_set([](ggml_log_level, const char*, void*) {}, nullptr);
  llama_backend_init();
  LlamaSide side(argv[1]);
  if (!side.ready()) {
    std::fprintf(stderr, "llama_rows: cannot load %s\n", argv[1]);
    return 1;
  }
  return rows::serve(side);
}
