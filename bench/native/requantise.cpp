// requantise FROM TO GGML_DIR: a Q8_0 file, so that both sides of the bench read the same weights.

#include <cstdio>

#include "ggml-backend.h"
#include "llama.h"

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  ggml_backend_load_all_from_path(argv[3]);
  llama_log_set([](ggml_log_level, const char*, void*) {}, nullptr);
  llama_model_quantize_params params = llama_model_quantize_default_params();
  params.ftype = LLAMA_FTYPE_MOSTLY_Q8_0;
  params.allow_requantize = true;
  params.nthread = 1;
  if (llama_model_quantize(argv[1], argv[2], &params) != 0) {
    std::fprintf(stderr, "cannot requantise %s\n", argv[1]);
    return 1;
  }
  return 0;
}
