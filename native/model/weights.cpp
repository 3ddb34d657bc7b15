#include "model/weights.h"

#include <set>
#include <string>

#include "core/check.h"
#include "ggml-alloc.h"
#include "model/cpu.h"
#include "model/weight_type.h"

namespace pd {
namespace {

ggml_context* new_context(std::size_t tensors) {
  return ggml_init({.mem_size = ggml_tensor_overhead() * tensors, .mem_buffer = nullptr, .no_alloc = true});
}

// Names in a file are checked against the shape, and get a tensor in one of two contexts.
class Declarations {
 public:
  Declarations(const GgufFile& file, WeightPolicy policy, ggml_context* plain, ggml_context* repacked)
      : file_(file), policy_(policy), plain_(plain), repacked_(repacked), repack_type_(cpu_repack_type()) {}

  ggml_tensor* matrix(const std::string& name, std::int64_t in, std::int64_t out, bool may_repack) {
    const ggml_tensor* stored = checked(name, in, out);
    const ggml_type type = weight_type(stored->type, policy_);
    const bool known = stored->type == GGML_TYPE_F32 || ggml_get_type_traits(stored->type)->to_float != nullptr;
    if (!known || in % ggml_blck_size(type) != 0) {
      file_.refuse("its tensor " + name + " is of type " + ggml_type_name(stored->type));
    }
    ggml_context* context = may_repack && is_repackable(type, in, out) ? repacked_ : plain_;
    return named(ggml_new_tensor_2d(context, type, in, out), name);
  }

  ggml_tensor* vector(const std::string& name, std::int64_t size) {
    const ggml_tensor* stored = checked(name, size, 1);
    if (stored->type != GGML_TYPE_F32) {
      file_.refuse("its tensor " + name + " is of type " + ggml_type_name(stored->type) + ", expected was f32");
    }
    return named(ggml_new_tensor_1d(plain_, GGML_TYPE_F32, size), name);
  }

  void refuse_unknown() const {
    for (const std::string& name : file_.tensor_names()) {
      if (!known_.contains(name)) file_.refuse("its tensor " + name + " is none that this architecture has here");
    }
  }

 private:
  const ggml_tensor* checked(const std::string& name, std::int64_t in, std::int64_t out) {
    const ggml_tensor* stored = file_.tensor(name);
    if (stored == nullptr) file_.refuse("it has no tensor " + name);
    if (stored->ne[0] != in || stored->ne[1] != out || stored->ne[2] != 1 || stored->ne[3] != 1) {
      file_.refuse("its tensor " + name + " is " + std::to_string(stored->ne[0]) + " x " +
                   std::to_string(stored->ne[1]) + ", expected was " + std::to_string(in) + " x " +
                   std::to_string(out));
    }
    known_.insert(name);
    return stored;
  }

  // Asks the CPU whether it multiplies such a matrix from the repacked type.
  bool is_repackable(ggml_type type, std::int64_t in, std::int64_t out) const {
    if (repack_type_ == nullptr) return false;
    ggml_context* context = new_context(3);
    ggml_tensor* weight = ggml_new_tensor_2d(context, type, in, out);
    ggml_tensor* product = ggml_mul_mat(context, weight, ggml_new_tensor_2d(context, GGML_TYPE_F32, in, 2));
    weight->buffer = ggml_backend_buft_alloc_buffer(repack_type_, 0);
    const bool supported = ggml_backend_dev_supports_op(cpu_device(), product);
    ggml_backend_buffer_free(weight->buffer);
    ggml_free(context);
    return supported;
  }

  static ggml_tensor* named(ggml_tensor* tensor, const std::string& name) {
    return ggml_set_name(tensor, name.c_str());
  }

  const GgufFile& file_;
  WeightPolicy policy_;
  ggml_context *plain_, *repacked_;
  ggml_backend_buffer_type_t repack_type_;
  std::set<std::string> known_;
};

ggml_backend_buffer* allocate(ggml_context* context, ggml_backend_buffer_type_t type, const GgufFile& file) {
  if (ggml_get_first_tensor(context) == nullptr) return nullptr;
  ggml_backend_buffer* buffer = ggml_backend_alloc_ctx_tensors_from_buft(context, type);
  if (buffer == nullptr) file.refuse("there is not enough memory for its weights");
  ggml_backend_buffer_set_usage(buffer, GGML_BACKEND_BUFFER_USAGE_WEIGHTS);
  return buffer;
}

void fill(ggml_context* context, const GgufFile& file) {
  for (ggml_tensor* to = ggml_get_first_tensor(context); to != nullptr; to = ggml_get_next_tensor(context, to)) {
    const ggml_type stored = file.tensor(to->name)->type;
    std::vector<std::uint8_t> data = file.read(to->name);
    if (stored != to->type) data = requantise_q8_0(data, stored, to->ne[0]);
    PD_CHECK(data.size() == ggml_nbytes(to), "a weight has the size of its tensor");
    ggml_backend_tensor_set(to, data.data(), 0, data.size());
  }
}

bool is_float(ggml_type type) { return type == GGML_TYPE_F32 || type == GGML_TYPE_F16 || type == GGML_TYPE_BF16; }

}  // namespace

Weights::Weights(const GgufFile& file, const Architecture& architecture, const ModelShape& shape, WeightPolicy policy) {
  const std::size_t tensors = file.tensor_names().size() + 1;
  plain_.reset(new_context(tensors));
  repacked_.reset(new_context(tensors));
  Declarations declare(file, policy, plain_.get(), repacked_.get());

  // Never repacked: rows are taken from it, and where it is the output too one copy is enough.
  token_embedding = declare.matrix("token_embd.weight", shape.embedding, shape.vocab, false);
  output_norm = declare.vector("output_norm.weight", shape.embedding);
  const bool has_output = file.tensor("output.weight") != nullptr;
  output = has_output ? declare.matrix("output.weight", shape.embedding, shape.vocab, true) : token_embedding;
  if (file.tensor("rope_freqs.weight") != nullptr) {
    rope_factors = declare.vector("rope_freqs.weight", shape.rope_dimensions / 2);
  }
  has_float_matrices = is_float(output->type);
  for (std::uint32_t i = 0; i < shape.layers; ++i) {
    LayerWeights& layer = layers.emplace_back();
    for (const LayerTensor& tensor : architecture.layer) {
      const std::string name = "blk." + std::to_string(i) + "." + std::string(tensor.name) + ".weight";
      const std::int64_t in = size_of(tensor.in, shape);
      ggml_tensor* made = tensor.out == Extent::one ? declare.vector(name, in)
                                                    : declare.matrix(name, in, size_of(tensor.out, shape), true);
      layer.*tensor.place = made;
      has_float_matrices = has_float_matrices || (tensor.out != Extent::one && is_float(made->type));
    }
  }
  declare.refuse_unknown();

  plain_memory_.reset(allocate(plain_.get(), ggml_backend_dev_buffer_type(cpu_device()), file));
  repacked_memory_.reset(allocate(repacked_.get(), cpu_repack_type(), file));
  fill(plain_.get(), file);
  fill(repacked_.get(), file);
}

}  // namespace pd
