#pragma once
// The model that `pdctl model pull` brings, where it is in the cache.

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>

namespace pd {

constexpr const char* real_model_missing =
    "the model is not in the cache: run 'pdctl model pull smollm2-135m', or name a GGUF file in PDCTL_TEST_MODEL";

inline std::optional<std::string> real_model() {
  if (const char* path = std::getenv("PDCTL_TEST_MODEL")) return path;
  const char* cache = std::getenv("XDG_CACHE_HOME");
  const char* home = std::getenv("HOME");
  if (cache == nullptr && home == nullptr) return std::nullopt;
  const std::filesystem::path folder =
      cache != nullptr ? std::filesystem::path(cache) : std::filesystem::path(home) / ".cache";
  const std::filesystem::path file = folder / "pdctl" / "models" / "SmolLM2-135M-Instruct.Q4_1.gguf";
  return std::filesystem::exists(file) ? std::optional(file.string()) : std::nullopt;
}

}  // namespace pd
