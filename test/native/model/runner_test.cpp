#include "model/runner.h"

#include <gtest/gtest.h>

#include <cmath>
#include <thread>

#include "model/runner_fixture.h"

namespace pd {
namespace {

// What one sequence gives alone in a fresh pool: everything else must give the same.
std::vector<TokenId> alone(Model& model, const std::vector<TokenId>& prompt, std::size_t count) {
  Compute compute(model, 128, PageOrder::contiguous);
  Lane lane(*compute.runner, compute.pool, static_cast<std::uint32_t>(prompt.size() + count + 1));
  const TokenId first = sample(lane.prefill(prompt), {}, lane.length());
  std::vector<TokenId> tokens = lane.greedy(first, count);
  tokens.insert(tokens.begin(), first);
  return tokens;
}

struct Kind {
  const char* name;
  ggml_type type;
  std::uint32_t heads, kv_heads;
};

class RunnerOf : public testing::TestWithParam<Kind> {
 protected:
  std::unique_ptr<Model> load() const {
    return load_tiny({.heads = GetParam().heads, .kv_heads = GetParam().kv_heads, .type = GetParam().type});
  }
};

INSTANTIATE_TEST_SUITE_P(Kinds, RunnerOf,
                         testing::Values(Kind{"f16_one_head", GGML_TYPE_F16, 2, 2},
                                         Kind{"f32_gqa_two", GGML_TYPE_F32, 4, 2},
                                         Kind{"q8_0_gqa_three", GGML_TYPE_Q8_0, 6, 2},
                                         Kind{"q4_0", GGML_TYPE_Q4_0, 4, 2}, Kind{"bf16", GGML_TYPE_BF16, 4, 2},
                                         Kind{"q4_1", GGML_TYPE_Q4_1, 4, 2}),
                         [](const auto& info) { return info.param.name; });

TEST_P(RunnerOf, gives_bit_for_bit_the_same_logits_in_a_batch_as_alone) {
  const auto model = load();
  Compute compute(*model, 640, PageOrder::contiguous);
  constexpr std::size_t lanes_count = 7;
  std::vector<std::unique_ptr<Lane>> lanes, copies;
  for (std::size_t i = 0; i < lanes_count; ++i) {
    const std::vector<TokenId> prompt = random_prompt(1 + i * 90, static_cast<std::uint32_t>(i));
    for (auto* list : {&lanes, &copies}) {
      list->push_back(std::make_unique<Lane>(*compute.runner, compute.pool, 600));
      list->back()->prefill(prompt);
    }
  }
  for (TokenId token = 0; token < 5; ++token) {
    std::vector<DecodeRow> rows;
    for (auto& lane : lanes) rows.push_back(lane->row(token));
    const RunResult result = compute.runner->decode(rows);
    const std::vector<float> together(result.logits.begin(), result.logits.end());
    for (std::size_t i = 0; i < lanes_count; ++i) {
      const DecodeRow row = copies[i]->row(token);
      const std::span<const float> single = compute.runner->decode({&row, 1}).logits;
      ASSERT_TRUE(std::equal(single.begin(), single.end(),
                             together.begin() + static_cast<std::ptrdiff_t>(i * model->shape().vocab)))
          << "sequence " << i << ", token " << token;
    }
  }
}

TEST_P(RunnerOf, gives_the_same_tokens_on_scattered_pages) {
  const auto model = load();
  for (const std::size_t length : {1u, 2u, 15u, 16u, 17u, 63u, 64u, 255u, 256u, 257u, 511u, 512u, 513u, 600u}) {
    const std::vector<TokenId> prompt = random_prompt(length, 7);
    Compute compute(*model, 200, PageOrder::scattered);
    Lane noise(*compute.runner, compute.pool, 300);
    noise.prefill(random_prompt(290, 8));
    Lane lane(*compute.runner, compute.pool, 640);
    const TokenId first = sample(lane.prefill(prompt), {}, lane.length());
    std::vector<TokenId> tokens = lane.greedy(first, 8);
    tokens.insert(tokens.begin(), first);
    EXPECT_EQ(tokens, alone(*model, prompt, 8)) << "prompt of " << length;
  }
}

TEST(Runner, tells_of_each_layer_once_and_in_order_when_its_rows_are_there) {
  const auto model = load_tiny({.layers = 4});
  Compute compute(*model, 64, PageOrder::contiguous);
  Lane lane(*compute.runner, compute.pool, 300);
  std::vector<std::uint32_t> layers;
  const KvLayout layout = compute.region->layout();
  lane.prefill(random_prompt(20, 1), [&](std::uint32_t layer) {
    layers.push_back(layer);
    const auto* row =
        reinterpret_cast<const std::uint16_t*>(compute.region->pages() + layout.offset(layer, lane.pages()[1]));
    const std::size_t numbers = layout.token_bytes() / 2;
    const auto written = [&](std::size_t token) {
      return std::any_of(row + token * numbers, row + (token + 1) * numbers, [](std::uint16_t v) { return v != 0; });
    };
    EXPECT_TRUE(written(3));   // token 19
    EXPECT_FALSE(written(4));  // there is none
  });
  EXPECT_EQ(layers, (std::vector<std::uint32_t>{0, 1, 2, 3}));
}

TEST(Runner, gives_logits_only_where_they_are_wanted) {
  const auto model = load_tiny({});
  Compute compute(*model, 64, PageOrder::contiguous);
  Lane lane(*compute.runner, compute.pool, 64);
  const std::vector<TokenId> prompt = random_prompt(10, 1);
  std::size_t layers = 0;
  const auto count = [&](std::uint32_t) { ++layers; };
  EXPECT_TRUE(compute.runner->prefill({.pages = lane.pages(), .position = 0, .tokens = prompt}, count).logits.empty());
  EXPECT_EQ(layers, 2u);
  const PrefillChunk chunk{.pages = lane.pages(), .position = 0, .tokens = prompt, .wants_logits = true};
  EXPECT_EQ(compute.runner->prefill(chunk, count).logits.size(), TinyModel::vocab);
}

TEST(Runner, does_not_read_what_a_page_held_before) {
  const auto model = load_tiny({});
  const std::vector<TokenId> prompt = random_prompt(37, 5);
  const std::vector<TokenId> expected = alone(*model, prompt, 6);
  Compute compute(*model, 32, PageOrder::contiguous);
  std::fill_n(reinterpret_cast<std::uint16_t*>(compute.region->pages()), compute.region->layout().pages_bytes() / 2,
              std::uint16_t{0x3c00});  // F16 1.0 everywhere
  Lane lane(*compute.runner, compute.pool, 64);
  const TokenId first = sample(lane.prefill(prompt), {}, lane.length());
  std::vector<TokenId> tokens = lane.greedy(first, 6);
  tokens.insert(tokens.begin(), first);
  EXPECT_EQ(tokens, expected);
}

TEST(Runner, stops_when_it_is_aborted_and_works_after_that) {
  const auto model = load_tiny({.layers = 6});
  const std::vector<TokenId> prompt = random_prompt(250, 3);
  const std::vector<TokenId> expected = alone(*model, prompt, 4);
  Compute compute(*model, 64, PageOrder::contiguous);
  Lane lane(*compute.runner, compute.pool, 300);
  std::uint32_t last = 0;
  const PrefillChunk chunk{.pages = lane.pages(), .position = 0, .tokens = prompt, .wants_logits = true};
  const RunResult result = compute.runner->prefill(chunk, [&](std::uint32_t layer) {
    last = layer;
    if (layer == 2) std::thread([&] { compute.runner->abort(); }).join();
  });
  EXPECT_EQ(result.status, RunStatus::aborted);
  EXPECT_TRUE(result.logits.empty());
  EXPECT_EQ(last, 2u);
  const TokenId first = sample(lane.prefill(prompt), {}, lane.length());
  EXPECT_EQ(first, expected.front());
  EXPECT_EQ(lane.greedy(first, 4), std::vector<TokenId>(expected.begin() + 1, expected.end()));
}

TEST(Runner, computes_with_more_than_one_thread_too) {
  const auto model = load_tiny({});
  const std::vector<TokenId> prompt = random_prompt(100, 3);
  Compute one(*model, 64, PageOrder::contiguous), two(*model, 64, PageOrder::contiguous, 2);
  Lane single(*one.runner, one.pool, 200), twin(*two.runner, two.pool, 200);
  const std::vector<float> expected = single.prefill(prompt), found = twin.prefill(prompt);
  ASSERT_EQ(expected.size(), found.size());
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(expected[i], found[i], 0.05);
}

TEST(Runner, gives_the_same_after_more_shapes_than_it_keeps_graphs_for) {
  const auto model = load_tiny({});
  Compute compute(*model, 64, PageOrder::contiguous);
  const std::vector<TokenId> expected = alone(*model, random_prompt(77, 1), 2);
  for (std::uint32_t length = 1; length <= 100; ++length) {
    Lane lane(*compute.runner, compute.pool, 128);
    lane.prefill(random_prompt(length, 1));
    compute.pool.release(lane.pages());
  }
  Lane lane(*compute.runner, compute.pool, 128);
  EXPECT_EQ(sample(lane.prefill(random_prompt(77, 1)), {}, lane.length()), expected.front());
}

}  // namespace
}  // namespace pd
