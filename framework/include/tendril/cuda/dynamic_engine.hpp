#pragma once

#include "tendril/cuda/engine.hpp"

// The engine of tendril::cuda_dynamic. As cuda_engine, this header is plain C++; with a visitor of
// your own, compile with nvcc -rdc=true and include tendril/cuda/chained.cuh.

namespace tendril {

/// A cuda_engine that may also launch from the device: it has the chained driver, and `automatic`
/// has it to choose from. Everything else is cuda_engine's; copies share it.
class dynamic_cuda_engine : public cuda_engine {
 public:
  /// Makes the device current for the calling thread.
  /// @throws resource_error saying why there is no GPU to use; usage_error for a driver and a
  ///         schedule that do not go together
  explicit dynamic_cuda_engine(const cuda_options& options = {});

  /// Called by tendril::traverse. Defined in tendril/cuda/chained.cuh.
  template <weight W, class Visitor>
  traverse_report traverse(const cuda_graph<W>& graph, const source_list& sources,
                           const Visitor& visitor, const traverse_options& options);
};

}  // namespace tendril
