#pragma once
// A GGUF file of the llama architecture with random weights: small enough to be written by each test, real
// enough to be loaded by us and by libllama. Its vocabulary is the 256 bytes, then <bos>, <eos>, <user>
// and filler tokens.

#include <cmath>
#include <cstdint>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "ggml.h"
#include "gguf.h"

namespace pd {

struct TinyModel {
  std::uint32_t layers = 2, heads = 2, kv_heads = 1, head_dim = 64, feed_forward = 128, context = 4096;
  ggml_type type = GGML_TYPE_F16;
  std::uint32_t seed = 1;
  bool with_output = false;  // an output matrix of its own
  bool with_vocabulary = true;
  std::function<void(gguf_context*)> adjust = {};  // the last word on the keys
  std::string without_tensor = {};                 // leaves this one out

  std::uint32_t embedding() const { return heads * head_dim; }
  static constexpr std::uint32_t vocab = 288, bos = 256, eos = 257, user = 258;
};

namespace tiny {

// GPT-2 writes a byte as a character: itself where it can be seen, else one from 256 on.
inline std::vector<std::string> byte_characters() {
  std::vector<std::string> characters;
  std::uint32_t next = 256;
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    const bool seen = (byte >= '!' && byte <= '~') || (byte >= 0xa1 && byte <= 0xac) || byte >= 0xae;
    const std::uint32_t code = seen ? byte : next++;
    if (code < 0x80) {
      characters.push_back(std::string(1, static_cast<char>(code)));
    } else {
      characters.push_back({static_cast<char>(0xc0 | code >> 6), static_cast<char>(0x80 | (code & 0x3f))});
    }
  }
  return characters;
}

inline void set_vocabulary(gguf_context* gguf) {
  std::vector<std::string> tokens = byte_characters();
  std::vector<std::int32_t> types(256, 1);  // normal
  for (const char* control : {"<bos>", "<eos>", "<user>"}) tokens.push_back(control), types.push_back(3);
  while (tokens.size() < TinyModel::vocab)
    tokens.push_back("filler" + std::to_string(tokens.size())), types.push_back(1);
  std::vector<const char*> texts;
  for (const std::string& token : tokens) texts.push_back(token.c_str());
  const char* merges[] = {"a b"};
  gguf_set_val_str(gguf, "tokenizer.ggml.model", "gpt2");
  gguf_set_val_str(gguf, "tokenizer.ggml.pre", "gpt-2");
  gguf_set_arr_str(gguf, "tokenizer.ggml.tokens", texts.data(), texts.size());
  gguf_set_arr_data(gguf, "tokenizer.ggml.token_type", GGUF_TYPE_INT32, types.data(), types.size());
  gguf_set_arr_str(gguf, "tokenizer.ggml.merges", merges, 1);
  gguf_set_val_u32(gguf, "tokenizer.ggml.bos_token_id", TinyModel::bos);
  gguf_set_val_u32(gguf, "tokenizer.ggml.eos_token_id", TinyModel::eos);
  gguf_set_val_bool(gguf, "tokenizer.ggml.add_bos_token", true);
  gguf_set_val_str(gguf, "tokenizer.chat_template",
                   "{% for message in messages %}<user>{{ message['content'] }}{% endfor %}");
}

inline void set_keys(gguf_context* gguf, const TinyModel& model) {
  gguf_set_val_str(gguf, "general.architecture", "llama");
  gguf_set_val_str(gguf, "general.name", "tiny");
  gguf_set_val_u32(gguf, "llama.block_count", model.layers);
  gguf_set_val_u32(gguf, "llama.embedding_length", model.embedding());
  gguf_set_val_u32(gguf, "llama.attention.head_count", model.heads);
  gguf_set_val_u32(gguf, "llama.attention.head_count_kv", model.kv_heads);
  gguf_set_val_u32(gguf, "llama.feed_forward_length", model.feed_forward);
  gguf_set_val_u32(gguf, "llama.rope.dimension_count", model.head_dim);
  gguf_set_val_u32(gguf, "llama.context_length", model.context);
  gguf_set_val_f32(gguf, "llama.attention.layer_norm_rms_epsilon", 1e-5f);
  gguf_set_val_f32(gguf, "llama.rope.freq_base", 10000.0f);
}

}  // namespace tiny

inline void write_tiny_model(const std::string& path, const TinyModel& model) {
  ggml_context* context = ggml_init({.mem_size = 64u << 20, .mem_buffer = nullptr, .no_alloc = false});
  gguf_context* gguf = gguf_init_empty();
  tiny::set_keys(gguf, model);
  if (model.with_vocabulary) tiny::set_vocabulary(gguf);
  if (model.adjust) model.adjust(gguf);

  std::mt19937 random(model.seed);
  const auto add = [&](const std::string& name, ggml_type type, std::int64_t in, std::int64_t out) {
    if (name == model.without_tensor) return;
    const float spread = out == 1 ? 0.1f : 2.0f / std::sqrt(static_cast<float>(in));
    std::normal_distribution<float> distribution(out == 1 ? 1.0f : 0.0f, spread);
    std::vector<float> values(static_cast<std::size_t>(in * out));
    for (float& value : values) value = distribution(random);
    ggml_tensor* tensor = ggml_new_tensor_2d(context, type, in, out);
    ggml_set_name(tensor, name.c_str());
    ggml_quantize_chunk(type, values.data(), tensor->data, 0, out, in, nullptr);
    gguf_add_tensor(gguf, tensor);
  };
  const std::int64_t embedding = model.embedding(), keys = std::int64_t{model.kv_heads} * model.head_dim;
  add("token_embd.weight", model.type, embedding, TinyModel::vocab);
  add("output_norm.weight", GGML_TYPE_F32, embedding, 1);
  if (model.with_output) add("output.weight", model.type, embedding, TinyModel::vocab);
  for (std::uint32_t i = 0; i < model.layers; ++i) {
    const std::string prefix = "blk." + std::to_string(i) + ".";
    add(prefix + "attn_norm.weight", GGML_TYPE_F32, embedding, 1);
    add(prefix + "attn_q.weight", model.type, embedding, embedding);
    add(prefix + "attn_k.weight", model.type, embedding, keys);
    add(prefix + "attn_v.weight", model.type, embedding, keys);
    add(prefix + "attn_output.weight", model.type, embedding, embedding);
    add(prefix + "ffn_norm.weight", GGML_TYPE_F32, embedding, 1);
    add(prefix + "ffn_gate.weight", model.type, embedding, model.feed_forward);
    add(prefix + "ffn_up.weight", model.type, embedding, model.feed_forward);
    add(prefix + "ffn_down.weight", model.type, model.feed_forward, embedding);
  }
  gguf_write_to_file(gguf, path.c_str(), false);
  gguf_free(gguf);
  ggml_free(context);
}

}  // namespace pd
