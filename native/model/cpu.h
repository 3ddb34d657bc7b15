#pragma once
// ggml's CPU device. Its code is a plugin for this machine's instruction set, so everything that is not in
// ggml-backend.h is asked for by name.

#include "ggml-backend.h"

namespace pd {

// The first call loads the plugins that lie beside libggml. Throws std::runtime_error when there is none.
ggml_backend_dev_t cpu_device();

// The buffer type whose matrices lie in blocks as the CPU's kernels want them; nullptr where there is none.
ggml_backend_buffer_type_t cpu_repack_type();

// One compute thread does not spin. More get a pool of their own: without one, each of a graph's many
// pieces would start and join threads.
class CpuBackend {
 public:
  // aborted(data) is asked between the nodes of a graph, on the computing thread.
  CpuBackend(int threads, ggml_abort_callback aborted, void* data);
  CpuBackend(const CpuBackend&) = delete;
  CpuBackend& operator=(const CpuBackend&) = delete;
  ~CpuBackend();

  ggml_backend_t get() const { return backend_; }

 private:
  ggml_backend_t backend_ = nullptr;
  struct ggml_threadpool* pool_ = nullptr;
};

}  // namespace pd
