#include "core/hash.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace pd {
namespace {

std::string hex(const Digest& digest) {
  std::string text;
  for (const std::uint8_t byte : digest) {
    text += "0123456789abcdef"[byte >> 4];
    text += "0123456789abcdef"[byte & 15];
  }
  return text;
}

std::vector<std::uint8_t> bytes(const std::string& text) { return {text.begin(), text.end()}; }

std::string sha(const std::string& text) { return hex(sha256(bytes(text))); }

TEST(Sha256, gives_the_digests_of_fips_180) {
  EXPECT_EQ(sha(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(sha(std::string(1000000, 'a')), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256, pads_right_around_the_end_of_a_block) {
  // From sha256sum of so many letters a.
  EXPECT_EQ(sha(std::string(55, 'a')), "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318");
  EXPECT_EQ(sha(std::string(56, 'a')), "b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a");
  EXPECT_EQ(sha(std::string(64, 'a')), "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb");
}

struct HmacCase {
  std::vector<std::uint8_t> key;
  std::vector<std::uint8_t> text;
  const char* digest;
};

TEST(HmacSha256, gives_the_digests_of_rfc_4231) {
  const HmacCase cases[] = {
      {std::vector<std::uint8_t>(20, 0x0b), bytes("Hi There"),
       "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"},
      {bytes("Jefe"), bytes("what do ya want for nothing?"),
       "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"},
      {std::vector<std::uint8_t>(20, 0xaa), std::vector<std::uint8_t>(50, 0xdd),
       "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"},
      {std::vector<std::uint8_t>(131, 0xaa), bytes("Test Using Larger Than Block-Size Key - Hash Key First"),
       "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"},
  };
  for (const HmacCase& row : cases) EXPECT_EQ(hex(hmac_sha256(row.key, row.text)), row.digest);
}

TEST(PromptHash, is_over_the_ids_as_little_endian_words) {
  const std::vector<TokenId> prompt = {1, 0x01020304};
  const std::vector<std::uint8_t> words = {1, 0, 0, 0, 4, 3, 2, 1};
  EXPECT_EQ(hash_of(prompt), sha256(words));
  EXPECT_FALSE(same_digest(hash_of(prompt), hash_of({{1, 0x01020305}})));
  EXPECT_TRUE(same_digest(hash_of(prompt), hash_of(prompt)));
}

}  // namespace
}  // namespace pd
