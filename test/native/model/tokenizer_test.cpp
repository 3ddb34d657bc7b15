#include "model/tokenizer.h"

#include <gtest/gtest.h>

#include "model/runner_fixture.h"
#include "support/real_model.h"

namespace pd {
namespace {

std::unique_ptr<Tokenizer> tiny_tokenizer() {
  TempFolder folder;
  write_tiny_model(folder.file("tiny.gguf"), {});
  return Tokenizer::load(folder.file("tiny.gguf"));
}

std::string text_of(const Tokenizer& tokenizer, const std::vector<TokenId>& tokens) {
  std::string text;
  for (const TokenId token : tokens) text += tokenizer.piece(token);
  return text;
}

TEST(Tokenizer, makes_control_tokens_only_when_it_is_asked_to) {
  const auto tokenizer = tiny_tokenizer();
  EXPECT_EQ(tokenizer->tokenize("ab<user>", true), (std::vector<TokenId>{'a', 'b', TinyModel::user}));
  EXPECT_EQ(tokenizer->tokenize("a<user>", false).size(), 7u);
  EXPECT_TRUE(tokenizer->tokenize("", true).empty());
}

TEST(Tokenizer, gives_bytes_back_even_those_that_are_no_text) {
  const auto tokenizer = tiny_tokenizer();
  for (const std::string text : {"plain", "two  spaces\n", "Zażółć 日本語 🙂"}) {
    EXPECT_EQ(text_of(*tokenizer, tokenizer->tokenize(text, false)), text);
  }
  EXPECT_NO_THROW(tokenizer->tokenize("\xf0\x9f cut", false));
  EXPECT_EQ(tokenizer->piece(0xf0), "\xf0");  // a part of a character
}

TEST(Tokenizer, writes_control_tokens_only_where_they_are_asked_for) {
  const auto tokenizer = tiny_tokenizer();
  EXPECT_EQ(tokenizer->piece(TinyModel::user), "");
  EXPECT_EQ(tokenizer->text_of(TinyModel::user), "<user>");
}

TEST(Tokenizer, knows_the_ends_and_the_template) {
  const auto tokenizer = tiny_tokenizer();
  EXPECT_EQ(tokenizer->bos(), TokenId{TinyModel::bos});
  EXPECT_EQ(tokenizer->eos(), TokenId{TinyModel::eos});
  EXPECT_TRUE(tokenizer->is_end(TinyModel::eos));
  EXPECT_FALSE(tokenizer->is_end('a'));
  EXPECT_NE(tokenizer->chat_template().find("messages"), std::string::npos);
}

TEST(Tokenizer, refuses_a_file_without_a_vocabulary) {
  TempFolder folder;
  write_tiny_model(folder.file("tiny.gguf"), {.with_vocabulary = false});
  EXPECT_THROW(Tokenizer::load(folder.file("tiny.gguf")), ModelError);
}

TEST(Tokenizer, of_the_real_model_gives_text_back) {
  const auto path = real_model();
  if (!path) GTEST_SKIP() << real_model_missing;
  const auto tokenizer = Tokenizer::load(*path);
  const std::string text = "The capital of France is Paris.\n  const x = 1; 日本語 🙂";
  EXPECT_EQ(text_of(*tokenizer, tokenizer->tokenize(text, false)), text);
  EXPECT_EQ(tokenizer->tokenize("<|im_start|>", true).size(), 1u);
  EXPECT_GT(tokenizer->tokenize("<|im_start|>", false).size(), 1u);
  EXPECT_FALSE(tokenizer->chat_template().empty());
}

}  // namespace
}  // namespace pd
