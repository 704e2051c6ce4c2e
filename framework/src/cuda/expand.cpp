#include <cuda_runtime_api.h>

#include <string>

#include "tendril/core/error.hpp"
#include "tendril/cuda/check.hpp"
#include "tendril/cuda/detail/expand_state.hpp"

namespace tendril {

std::string_view to_string(expand_way way) noexcept {
  switch (way) {
    case expand_way::child_grid:
      return "child-grid";
    case expand_way::level:
      return "level";
  }
  return "";
}

namespace cuda {

namespace {

/// Indices of nodes are 32 bits wide, and the last grid's threads reach beyond the last node.
constexpr std::size_t most_nodes = 0xFFFF0000;

[[noreturn]] void refuse(std::size_t needed, std::size_t room) {
  throw resource_error("nodes of an expansion: needed at least " + std::to_string(needed) +
                       ", room for " + std::to_string(room) + " (cuda_expand_options::max_nodes)");
}

bool is_device_memory(const void* pointer) {
  cudaPointerAttributes attributes{};
  TENDRIL_CUDA_CHECK(cudaPointerGetAttributes(&attributes, pointer));
  return attributes.type == cudaMemoryTypeDevice || attributes.type == cudaMemoryTypeManaged;
}

}  // namespace

void check_expansion(const expansion_state& state, std::size_t max_nodes) {
  if (state.needed_nodes != 0) {
    refuse(state.needed_nodes, max_nodes);
  }
  check(static_cast<cudaError_t>(state.error), "launch from the device", __FILE__, __LINE__);
}

void check_expansion(const void* roots, std::size_t num_roots, const cuda_expand_options& options) {
  if (options.max_nodes > most_nodes) {
    throw usage_error("cuda_expand_options::max_nodes: expected at most " +
                      std::to_string(most_nodes) + ", found " + std::to_string(options.max_nodes));
  }
  if (num_roots > options.max_nodes) {
    refuse(num_roots, options.max_nodes);
  }
  if (num_roots != 0 && !is_device_memory(roots)) {
    throw usage_error("expand on a GPU: expected roots in device memory, found host memory");
  }
}

cuda_expand_report to_report(const expansion_state& state) {
  cuda_expand_report report;
  report.num_nodes = state.num_nodes;
  report.num_tasks = state.num_tasks;
  report.depth = state.depth;
  report.num_leaves = state.num_leaves;
  report.num_child_grids = state.num_child_grids;
  report.num_tail_launches = state.num_tail_launches;
  report.num_refused = state.num_refused;
  report.num_overflowed = state.num_overflowed;
  return report;
}

}  // namespace cuda

}  // namespace tendril
