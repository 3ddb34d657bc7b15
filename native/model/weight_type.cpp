#include "model/weight_type.h"

namespace pd {

ggml_type weight_type(ggml_type stored, WeightPolicy policy) {
  if (policy == WeightPolicy::as_stored) return stored;
  switch (static_cast<int>(stored)) {  // not over the enum: ggml has many more, and adds to them
    case GGML_TYPE_F32:
    case GGML_TYPE_F16:
    case GGML_TYPE_BF16:
    case GGML_TYPE_Q8_0:
    case GGML_TYPE_Q4_0: return stored;  // the CPU multiplies these in blocks
  }
  return GGML_TYPE_Q8_0;  // measured with Q4_1: prefill is twice as fast, no precision is lost
}

std::vector<std::uint8_t> requantise_q8_0(std::span<const std::uint8_t> data, ggml_type from, std::int64_t columns) {
  const std::size_t from_bytes = ggml_row_size(from, columns);
  const std::size_t to_bytes = ggml_row_size(GGML_TYPE_Q8_0, columns);
  const std::size_t rows = data.size() / from_bytes;
  const ggml_to_float_t to_float = ggml_get_type_traits(from)->to_float;
  std::vector<float> row(static_cast<std::size_t>(columns));  // one row: a whole matrix of floats is large
  std::vector<std::uint8_t> result(rows * to_bytes);
  for (std::size_t i = 0; i < rows; ++i) {
    to_float(data.data() + i * from_bytes, row.data(), columns);
    ggml_quantize_chunk(GGML_TYPE_Q8_0, row.data(), result.data() + i * to_bytes, 0, 1, columns, nullptr);
  }
  return result;
}

}  // namespace pd
