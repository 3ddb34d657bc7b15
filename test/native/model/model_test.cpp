#include "model/model.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "model/runner_fixture.h"
#include "model/tokenizer.h"

namespace pd {
namespace {

std::string refusal(const std::string& path) {
  try {
    Model::load(path, WeightPolicy::fast);
  } catch (const ModelError& error) {
    return error.what();
  }
  return "";
}

std::vector<char> bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void write(const std::string& path, std::span<const char> bytes) {
  std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

TEST(Model, knows_its_shape) {
  const auto model = load_tiny({.layers = 3, .heads = 6, .kv_heads = 2});
  EXPECT_EQ(model->shape().architecture, "llama");
  EXPECT_EQ(model->shape().name, "tiny");
  EXPECT_EQ(model->shape().layers, 3u);
  EXPECT_EQ(model->shape().heads, 6u);
  EXPECT_EQ(model->shape().kv_heads, 2u);
  EXPECT_EQ(model->shape().head_dim, 64u);
  EXPECT_EQ(model->shape().vocab, TinyModel::vocab);
  EXPECT_EQ(model->shape().context_max, 4096u);
}

TEST(Model, pads_single_rows_only_for_float_matrices) {
  TempFolder folder;
  const auto needs = [&](ggml_type type, WeightPolicy policy) {
    write_tiny_model(folder.file("m.gguf"), {.type = type});
    return Model::load(folder.file("m.gguf"), policy)->rows_need_padding();
  };
  EXPECT_TRUE(needs(GGML_TYPE_F16, WeightPolicy::fast));
  EXPECT_FALSE(needs(GGML_TYPE_Q4_1, WeightPolicy::fast));
  EXPECT_FALSE(needs(GGML_TYPE_Q8_0, WeightPolicy::as_stored));
}

TEST(Model, has_a_fingerprint_of_content_and_layout_but_not_of_the_weights_type_in_memory) {
  TempFolder folder;
  const auto print = [&](const TinyModel& tiny, WeightPolicy policy) {
    write_tiny_model(folder.file("m.gguf"), tiny);
    return Model::load(folder.file("m.gguf"), policy)->fingerprint();
  };
  const TinyModel tiny{.type = GGML_TYPE_Q4_1};
  const Digest own = print(tiny, WeightPolicy::fast);
  EXPECT_EQ(own, print(tiny, WeightPolicy::as_stored));
  TinyModel other = tiny;
  other.seed = 2;
  EXPECT_NE(own, print(other, WeightPolicy::fast));
  other = tiny;
  other.adjust = [](gguf_context* gguf) { gguf_set_val_f32(gguf, "llama.rope.freq_base", 20000.0f); };
  EXPECT_NE(own, print(other, WeightPolicy::fast));
  const auto words = load_tiny(tiny)->fingerprint_words();
  EXPECT_NE(words.find("layers 2, KV heads 1, head size 64, rope 64 base 10000"), std::string::npos) << words;
}

struct Refused {
  const char* name;
  TinyModel tiny;
  const char* found;
};

class ModelRefuses : public testing::TestWithParam<Refused> {};

TEST_P(ModelRefuses, and_says_the_file_what_was_found_and_what_is_supported) {
  TempFolder folder;
  const std::string path = folder.file("odd.gguf");
  write_tiny_model(path, GetParam().tiny);
  const std::string words = refusal(path);
  EXPECT_TRUE(words.starts_with(path)) << words;
  EXPECT_NE(words.find(GetParam().found), std::string::npos) << words;
  EXPECT_NE(words.find("Supported are complete GGUF files"), std::string::npos) << words;
  EXPECT_THROW(Tokenizer::load(folder.file("none.gguf")), ModelError);
}

TinyModel adjusted(std::function<void(gguf_context*)> adjust) { return {.adjust = std::move(adjust)}; }

INSTANTIATE_TEST_SUITE_P(
    What, ModelRefuses,
    testing::Values(
        Refused{"architecture", adjusted([](auto* g) { gguf_set_val_str(g, "general.architecture", "mamba"); }),
                "its architecture is 'mamba'"},
        Refused{"no_architecture", adjusted([](auto* g) { gguf_remove_key(g, "general.architecture"); }),
                "no key general.architecture"},
        Refused{"missing_key", adjusted([](auto* g) { gguf_remove_key(g, "llama.block_count"); }),
                "no key llama.block_count"},
        Refused{"zero", adjusted([](auto* g) { gguf_set_val_u32(g, "llama.attention.head_count", 0); }),
                "llama.attention.head_count is 0"},
        Refused{"type_of_key", adjusted([](auto* g) { gguf_set_val_str(g, "llama.block_count", "two"); }),
                "llama.block_count is of type str, expected was u32"},
        Refused{"rope_scaling", adjusted([](auto* g) { gguf_set_val_str(g, "llama.rope.scaling.type", "yarn"); }),
                "its rope scaling is 'yarn'"},
        Refused{"kv_heads", adjusted([](auto* g) { gguf_set_val_u32(g, "llama.attention.head_count_kv", 3); }),
                "3 KV heads do not divide"},
        Refused{"shape", adjusted([](auto* g) { gguf_set_val_u32(g, "llama.feed_forward_length", 256); }),
                "blk.0.ffn_gate.weight is 128 x 128, expected was 128 x 256"},
        Refused{"too_few_layers", adjusted([](auto* g) { gguf_set_val_u32(g, "llama.block_count", 1); }),
                "its tensor blk.1.attn_norm.weight"},
        Refused{"too_many_layers", adjusted([](auto* g) { gguf_set_val_u32(g, "llama.block_count", 9); }),
                "no tensor blk.2.attn_norm.weight"},
        Refused{"missing_tensor", TinyModel{.without_tensor = "blk.1.ffn_up.weight"}, "no tensor blk.1.ffn_up.weight"},
        Refused{"no_embedding", TinyModel{.without_tensor = "token_embd.weight"}, "no tensor token_embd.weight"}),
    [](const auto& info) { return info.param.name; });

TEST(ModelFile, that_is_none_is_refused_by_name) {
  TempFolder folder;
  EXPECT_NE(refusal(folder.file("none.gguf")).find("none.gguf: it cannot be opened (No such file"), std::string::npos);
  write(folder.file("text.gguf"), std::string("hello, this is text"));
  EXPECT_NE(refusal(folder.file("text.gguf")).find("it is no GGUF file"), std::string::npos);
  EXPECT_NE(refusal(folder.file("")).find("not a regular file"), std::string::npos);
}

TEST(ModelFile, that_is_cut_anywhere_is_refused) {
  TempFolder folder;
  write_tiny_model(folder.file("whole.gguf"), {.layers = 1});
  const std::vector<char> whole = bytes_of(folder.file("whole.gguf"));
  const std::string cut = folder.file("cut.gguf");
  testing::internal::CaptureStderr();
  for (std::size_t length = 0; length < whole.size(); length += length < 16384 ? 61 : 4099) {
    write(cut, std::span(whole).first(length));
    EXPECT_TRUE(refusal(cut).starts_with(cut)) << length << " of " << whole.size() << " bytes";
    EXPECT_THROW(Tokenizer::load(cut), ModelError);
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  write(cut, std::span(whole).first(whole.size() - 33));
  EXPECT_NE(refusal(cut).find("it is cut"), std::string::npos);
}

TEST(ModelFile, with_any_byte_of_its_header_changed_is_served_or_refused) {
  TempFolder folder;
  write_tiny_model(folder.file("whole.gguf"), {.layers = 1, .with_vocabulary = false});
  const std::vector<char> whole = bytes_of(folder.file("whole.gguf"));
  const std::uint32_t seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  for (int i = 0; i < 1000; ++i) {
    std::vector<char> changed = whole;
    const std::size_t at = 4 + random() % 1500;  // the keys, tensor names, shapes and offsets
    changed[at] = static_cast<char>(random());
    write(folder.file("changed.gguf"), changed);
    refusal(folder.file("changed.gguf"));  // must come back
  }
}

}  // namespace
}  // namespace pd
