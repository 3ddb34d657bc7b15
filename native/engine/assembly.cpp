#include "engine/assembly.h"

#include <sys/random.h>

#include <algorithm>
#include <system_error>

#include "engine/cores.h"
#include "engine/decode_side.h"
#include "engine/prefill_side.h"
#include "engine/solo_side.h"

namespace pd {
namespace {

std::string hex(const Digest& digest) {
  constexpr char digits[] = "0123456789abcdef";
  std::string text;
  for (const std::uint8_t byte : digest) {
    text += digits[byte >> 4];
    text += digits[byte & 15];
  }
  return text;
}

std::string text_of(const Tokenizer& tokenizer, std::optional<TokenId> token) {
  return token ? tokenizer.text_of(*token) : "";
}

}  // namespace

Incarnation draw_incarnation() {
  Incarnation incarnation = 0;
  while (incarnation == 0)
    if (getrandom(&incarnation, sizeof incarnation, 0) != sizeof incarnation)
      throw std::system_error(errno, std::generic_category(), "no random bytes for the engine's incarnation");
  return incarnation;
}

KvLayout layout_of(const ModelShape& shape, std::uint64_t pool_bytes) {
  KvLayout layout{.layers = shape.layers, .kv_heads = shape.kv_heads, .head_dim = shape.head_dim, .pages = 1};
  const std::uint64_t page = layout.pages_bytes();
  layout.pages = static_cast<std::uint32_t>(std::min<std::uint64_t>(pool_bytes / page, UINT32_MAX));
  if (layout.pages == 0)
    throw ModelError("a page of " + shape.name + " takes " + std::to_string(page) + " bytes, but the pool has only " +
                     std::to_string(pool_bytes) + "; give the engine a larger pool");
  return layout;
}

ModelInfo info_of(const Model& model, const Tokenizer& tokenizer, const EngineOptions& options,
                  const KvLayout& layout) {
  const ModelShape& shape = model.shape();
  const std::uint32_t context =
      options.context_max == 0 ? shape.context_max : std::min(options.context_max, shape.context_max);
  return {.name = shape.name,
          .architecture = shape.architecture,
          .chat_template = tokenizer.chat_template(),
          .bos_text = text_of(tokenizer, tokenizer.bos()),
          .eos_text = text_of(tokenizer, tokenizer.eos()),
          .layers = shape.layers,
          .kv_heads = shape.kv_heads,
          .head_dim = shape.head_dim,
          .vocab = shape.vocab,
          .context_max = context,
          .pages = layout.pages,
          .threads = compute_threads(options.threads, cores_usable()),
          .fingerprint = hex(model.fingerprint())};
}

Limits limits_of(const EngineOptions& options, const ModelInfo& info) {
  return {.role = options.role,
          .context_max = info.context_max,
          .pages_total = info.pages,
          .requests_max = options.requests_max};
}

std::unique_ptr<Side> make_side(const SideParts& parts) {
  switch (parts.options.role) {
    case Role::prefill: return std::make_unique<PrefillSide>(parts);
    case Role::decode: return std::make_unique<DecodeSide>(parts);
    case Role::both: break;
  }
  return std::make_unique<SoloSide>(parts.lifecycle, parts.clock, parts.options.deadline_queue_ms * nanos_per_ms);
}

}  // namespace pd
