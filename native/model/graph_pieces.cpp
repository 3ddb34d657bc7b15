// The only file that includes ggml's private header.
#include "model/graph_pieces.h"

#include <stdexcept>
#include <string>

#include "ggml-impl.h"

namespace pd {

struct GraphPieces::Views { std::vector<ggml_cgraph> graphs; };

GraphPieces::GraphPieces(ggml_cgraph* graph, std::span<const int> cuts) : views_(std::make_unique<Views>()) {
  int begin = 0;
  for (const int end : cuts) {
    views_->graphs.push_back(ggml_graph_view(graph, begin, end));
    begin = end;
  }
  const int nodes = ggml_graph_n_nodes(graph);
  if (begin < nodes) views_->graphs.push_back(ggml_graph_view(graph, begin, nodes));
}

GraphPieces::~GraphPieces() = default;

std::size_t GraphPieces::count() const { return views_->graphs.size(); }

ggml_status GraphPieces::compute(ggml_backend_t backend, std::size_t piece) {
  return ggml_backend_graph_compute(backend, &views_->graphs[piece]);
}

void check_graph_views() {
  constexpr int nodes = 4;
  const std::size_t bytes = ggml_tensor_overhead() * (nodes + 1) + ggml_graph_overhead_custom(nodes + 1, false);
  ggml_context* context = ggml_init({.mem_size = bytes, .mem_buffer = nullptr, .no_alloc = true});
  ggml_cgraph* graph = ggml_new_graph_custom(context, nodes + 1, false);
  ggml_tensor* node = ggml_new_tensor_1d(context, GGML_TYPE_F32, 1);
  for (int i = 0; i < nodes; ++i) node = ggml_scale(context, node, 2.0f);
  ggml_build_forward_expand(graph, node);

  // A library whose struct is larger writes into the guard, not over our stack.
  struct {
    ggml_cgraph view;
    unsigned char guard[512];
  } middle = {.view = ggml_graph_view(graph, 1, 3), .guard = {}};
  // Asked through the library, which reads the struct by its own idea of it, and through the header's.
  const bool right = ggml_graph_n_nodes(&middle.view) == 2 && middle.view.n_nodes == 2 &&
                     ggml_graph_node(&middle.view, 0) == ggml_graph_node(graph, 1) &&
                     ggml_graph_node(&middle.view, 1) == ggml_graph_node(graph, 2) &&
                     middle.view.use_counts == graph->use_counts &&
                     middle.view.visited_hash_set.size == graph->visited_hash_set.size && graph->n_nodes == nodes;
  ggml_free(context);
  if (!right) {
    throw std::runtime_error("the ggml libraries (version " + std::string(ggml_version()) +
                             ") are not those that this engine was built for. Install the pinned release of the "
                             "package @node-llama-cpp: npm ci");
  }
}

}  // namespace pd
