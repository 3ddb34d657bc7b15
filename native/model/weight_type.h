#pragma once
// Which type a matrix has in memory, and how it gets there.

#include <cstdint>
#include <span>
#include <vector>

#include "ggml.h"
#include "model/model.h"

namespace pd {

ggml_type weight_type(ggml_type stored, WeightPolicy policy);

// rows of `columns` elements, from one type to Q8_0.
std::vector<std::uint8_t> requantise_q8_0(std::span<const std::uint8_t> data, ggml_type from, std::int64_t columns);

}  // namespace pd
