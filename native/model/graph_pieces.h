#pragma once
// A graph computed in pieces, so that something can be done between two of them.

#include <memory>
#include <span>
#include <vector>

#include "ggml-backend.h"
#include "ggml.h"

namespace pd {

class GraphPieces {
 public:
  // cuts: rising node counts; piece i ends before node cuts[i], the last piece takes the rest, if there is one.
  GraphPieces(ggml_cgraph* graph, std::span<const int> cuts);
  ~GraphPieces();

  std::size_t count() const;
  ggml_status compute(ggml_backend_t backend, std::size_t piece);

 private:
  struct Views;
  std::unique_ptr<Views> views_;
};

// ggml_graph_view is not part of ggml's public interface and gives a struct by value. Throws
// std::runtime_error that names the package when the libraries here make another thing of it.
void check_graph_views();

}  // namespace pd
