#pragma once
// What an engine is built from, each made of options and what was made before it.

#include <memory>

#include "engine/admission.h"
#include "engine/engine.h"
#include "engine/side.h"
#include "engine/side_parts.h"
#include "kv/region.h"
#include "model/model.h"
#include "model/tokenizer.h"

namespace pd {

Incarnation draw_incarnation();

// As many whole pages as the pool's bytes hold. Throws ModelError when that is not one.
KvLayout layout_of(const ModelShape& shape, std::uint64_t pool_bytes);

ModelInfo info_of(const Model& model, const Tokenizer& tokenizer, const EngineOptions& options, const KvLayout& layout);

Limits limits_of(const EngineOptions& options, const ModelInfo& info);

// Throws std::system_error, e.g. when the bootstrap port is in use.
std::unique_ptr<Side> make_side(const SideParts& parts);

}  // namespace pd
