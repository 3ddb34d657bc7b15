#include "model/cpu.h"

#include <dlfcn.h>

#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>

#include "core/check.h"
#include "ggml-cpu.h"
#include "model/log.h"

namespace pd {
namespace {

constexpr const char* try_this = "Is the package @node-llama-cpp for this platform complete? Run 'npm ci'.";

ggml_backend_dev_t load_cpu_device() {
  quiet_logs();
  Dl_info library;
  const int found = dladdr(reinterpret_cast<const void*>(&ggml_backend_load_all_from_path), &library);
  PD_CHECK(found != 0, "libggml is loaded from a file");
  const std::string folder = std::filesystem::path(library.dli_fname).parent_path().string();
  ggml_backend_load_all_from_path(folder.c_str());
  ggml_backend_dev_t device = ggml_backend_dev_by_type(GGML_BACKEND_DEVICE_TYPE_CPU);
  if (device == nullptr) {
    throw std::runtime_error("no ggml CPU backend for this machine was found in " + folder + ". " + try_this);
  }
  return device;
}

void* cpu_function(const char* name) {
  void* found = ggml_backend_reg_get_proc_address(ggml_backend_dev_backend_reg(cpu_device()), name);
  if (found == nullptr) {
    throw std::runtime_error("ggml's CPU backend has no function " + std::string(name) + ". " + try_this);
  }
  return found;
}

}  // namespace

ggml_backend_dev_t cpu_device() {
  static ggml_backend_dev_t device = load_cpu_device();  // ggml's list of devices is one for the process
  return device;
}

ggml_backend_buffer_type_t cpu_repack_type() {
  const auto types =
      reinterpret_cast<ggml_backend_dev_get_extra_bufts_t>(cpu_function("ggml_backend_dev_get_extra_bufts"));
  for (ggml_backend_buffer_type_t* type = types(cpu_device()); type != nullptr && *type != nullptr; ++type) {
    if (std::string_view(ggml_backend_buft_name(*type)) == "CPU_REPACK") return *type;
  }
  return nullptr;
}

CpuBackend::CpuBackend(int threads, ggml_abort_callback aborted, void* data) {
  const auto set_threads = reinterpret_cast<ggml_backend_set_n_threads_t>(cpu_function("ggml_backend_set_n_threads"));
  const auto set_aborted =
      reinterpret_cast<ggml_backend_set_abort_callback_t>(cpu_function("ggml_backend_set_abort_callback"));
  const auto new_pool = reinterpret_cast<decltype(&ggml_threadpool_new)>(cpu_function("ggml_threadpool_new"));
  const auto set_pool =
      reinterpret_cast<decltype(&ggml_backend_cpu_set_threadpool)>(cpu_function("ggml_backend_cpu_set_threadpool"));

  backend_ = ggml_backend_dev_init(cpu_device(), nullptr);
  PD_CHECK(backend_ != nullptr, "the CPU can always be used");
  set_threads(backend_, threads);
  set_aborted(backend_, aborted, data);
  if (threads > 1) {
    ggml_threadpool_params params = ggml_threadpool_params_default(threads);
    pool_ = new_pool(&params);
    set_pool(backend_, pool_);
  }
}

CpuBackend::~CpuBackend() {
  ggml_backend_free(backend_);
  if (pool_ == nullptr) return;
  reinterpret_cast<decltype(&ggml_threadpool_free)>(cpu_function("ggml_threadpool_free"))(pool_);
}

}  // namespace pd
