#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "tendril/cuda/device.hpp"
#include "tendril/cuda/graph.hpp"
#include "tendril/cuda/memory.hpp"
#include "tendril/cuda/options.hpp"
#include "tendril/graph/csr.hpp"
#include "tendril/traverse/options.hpp"

// The engine that runs a traversal on one GPU. This header is plain C++: a program that only calls
// algorithms needs no nvcc. A visitor of one's own is compiled by nvcc and includes
// tendril/cuda/traverse.cuh instead.

namespace tendril {

/// An array in a GPU's memory, for a visitor to write. Made by cuda_engine::array; move only.
template <class T>
class cuda_array {
 public:
  /// What cuda_engine::uninitialised_array calls.
  cuda_array(std::shared_ptr<cuda::engine_context> context, std::size_t size);
  cuda_array(cuda_array&&) noexcept = default;  ///< The other is left empty.
  /// What this one held is freed on its engine's stream, which may end with it.
  cuda_array& operator=(cuda_array&& other) noexcept {
    values_ = std::move(other.values_);
    context_ = std::move(other.context_);
    return *this;
  }
  ~cuda_array() = default;

  /// Device pointer.
  [[nodiscard]] T* data() noexcept { return values_.data(); }
  /// Device pointer.
  [[nodiscard]] const T* data() const noexcept { return values_.data(); }
  /// Number of elements.
  [[nodiscard]] std::size_t size() const noexcept { return values_.size(); }

  /// A copy of the values. @sync waits for the engine's stream
  [[nodiscard]] std::vector<T> to_host() const;

 private:
  std::shared_ptr<cuda::engine_context> context_;
  cuda::device_buffer<T> values_;
};

/// One GPU: a stream, memory and working space. Copies share them. Not for several threads at once.
/// Its calls clear the thread's last CUDA error: what launches of your own left is to be read
/// before.
class cuda_engine {
 public:
  /// What array() makes.
  template <class T>
  using array_type = cuda_array<T>;

  /// Makes the device current for the calling thread.
  /// @throws resource_error saying why there is no GPU to use; usage_error for a driver or schedule
  ///         that this engine does not have
  explicit cuda_engine(const cuda_options& options = {});

  /// The GPU, less what the tuning takes from it.
  [[nodiscard]] const cuda_device& device() const noexcept;
  /// What everything here is ordered on.
  [[nodiscard]] cudaStream_t stream() const noexcept;

  /// Copies a graph to the GPU and prepares it: rows sorted so that a pull finds a parent early,
  /// isolated vertices marked, short rows packed. Paid once; cuda_graph::prepare_ms() says how
  /// much.
  /// @param graph    shared with the result
  /// @param options  what is prepared
  /// @throws resource_error with needed and free bytes before anything is allocated
  /// @sync   waits
  template <weight W>
  [[nodiscard]] cuda_graph<W> place(const csr<W>& graph, const place_options& options = {}) const;

  /// Uses a graph that lies in device memory already, borrowed: nothing is copied or sorted. Short
  /// rows are packed, and vertices marked, as by place().
  /// @param graph  device pointers, valid as long as the result and its copies; what was written
  ///               to them is ordered before this call on the engine's stream
  /// @param kind   undirected: the reverse of each edge is stored too (not checked)
  /// @throws resource_error
  /// @sync   waits
  template <weight W>
  [[nodiscard]] cuda_graph<W> place_device(const csr_view<W>& graph, orientation kind) const;

  /// An array of `size` values, each `value`: of 1, 2, or 4, 8, 12, ... 64 bytes.
  /// @throws resource_error with needed and free bytes
  /// @sync   none; ordered on stream()
  template <class T>
  [[nodiscard]] cuda_array<T> array(std::size_t size, T value) const;

  /// An array of `size` values that are yet to be written.
  /// @throws resource_error with needed and free bytes
  /// @sync   none; ordered on stream()
  template <class T>
  [[nodiscard]] cuda_array<T> uninitialised_array(std::size_t size) const;

  /// Called by tendril::traverse. Defined in tendril/cuda/traverse.cuh, for nvcc.
  template <weight W, class Visitor>
  traverse_report traverse(const cuda_graph<W>& graph, const source_list& sources,
                           const Visitor& visitor, const traverse_options& options);

  /// What moved the last traversal from one level to the next.
  [[nodiscard]] const driver_choice& last_driver() const noexcept;

  /// Milliseconds that the device took for the last traversal, by events around its kernels.
  /// @pre  a traversal with a source was run
  /// @sync waits for its end
  [[nodiscard]] float device_ms() const;

  /// Bytes of working memory that a first-visit traversal of the graph takes beyond graph and
  /// results: with 32-bit positions 8 per vertex for the queue (12 where the visitor reads edges
  /// or short rows are packed), a quarter for two bitmaps, and 1 MiB at most for counters and the
  /// record of levels.
  template <weight W>
  [[nodiscard]] std::size_t working_bytes(const cuda_graph<W>& graph, bool reads_edges) const;

  /// For the library's own calls: what the engine and its arrays share.
  [[nodiscard]] cuda::engine_context& context() const noexcept { return *context_; }

 protected:
  /// For engines that have more to share.
  explicit cuda_engine(std::shared_ptr<cuda::engine_context> context)
      : context_(std::move(context)) {}

 private:
  std::shared_ptr<cuda::engine_context> context_;
};

}  // namespace tendril

#include "tendril/cuda/detail/engine_inline.hpp"
