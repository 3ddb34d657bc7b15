#pragma once
// The one kind of Model there is, with what the runner needs of it.

#include "model/model.h"
#include "model/weights.h"

namespace pd {

class LoadedModel final : public Model {
 public:
  LoadedModel(const GgufFile& file, WeightPolicy policy);

  const ModelShape& shape() const override { return shape_; }
  const Digest& fingerprint() const override { return fingerprint_; }
  const std::string& fingerprint_words() const override { return fingerprint_words_; }
  bool rows_need_padding() const override { return weights_.has_float_matrices; }

  const Weights& weights() const { return weights_; }
  int rope_type() const { return architecture_.rope_type; }

 private:
  const Architecture& architecture_;
  ModelShape shape_;
  Weights weights_;
  std::string fingerprint_words_;
  Digest fingerprint_;
};

}  // namespace pd
