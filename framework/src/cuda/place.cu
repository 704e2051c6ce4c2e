#include <algorithm>
#include <chrono>
#include <limits>

#include "cuda/place_turn.cuh"
#include "tendril/core/error.hpp"
#include "tendril/cuda/detail/profile_range.hpp"
#include "tendril/cuda/engine.hpp"

// place(): rows to the device, then what makes a traversal fast, once per graph.
//   1 offsets become 32-bit where there are fewer than 2^32 edges
//   2 rows are sorted by degree of the neighbour, descending, a chunk of rows at a time
//   3 vertices without edges are marked, each vertex's degree, in a byte, and first in-neighbour
//   are
//     laid out apart, rows too long for a warp are cut into parts, short rows are packed

namespace tendril::cuda {

namespace {

using clock = std::chrono::steady_clock;

double ms_since(clock::time_point start) {
  return std::chrono::duration<double, std::milli>(clock::now() - start).count();
}

/// Everything after the rows are there. @param host_offsets  null: rows stay as they are
template <weight W, class Position>
void prepare(placed_graph<W>& graph, const workplace& at, const place_options& options,
             const edge_offset* host_offsets) {
  if (graph.num_vertices == 0) {
    return;
  }
  const auto& out = out_rows<Position>(graph);
  graph.max_degree = find_max_degree(at, out.offsets, graph.num_vertices);
  if (options.sort_rows && host_offsets != nullptr && graph.undirected && graph.num_edges != 0) {
    sort_rows<W, Position>(at, out.offsets, out.offsets, graph.own_out.targets.data(),
                           graph.own_out.weights.data(), host_offsets, graph.num_vertices,
                           graph.max_degree, graph.max_degree);
  }
  mark<W, Position>(graph, at, in_rows<Position>(graph));
  if (options.pack_short_rows && has_short_rows(graph)) {
    pack_short_rows<W, Position>(graph, at);
  }
}

/// Most bytes that place() holds at once.
template <weight W>
std::size_t placing_bytes(const csr<W>& graph, const place_options& options, bool narrow) {
  constexpr std::size_t weight_bytes = std::is_same_v<W, none> ? 0 : sizeof(W);
  const std::size_t n = graph.num_vertices();
  const std::size_t m = graph.num_edges();
  edge_offset max_row = 0;
  for (std::size_t v = 0; v < n; ++v) {
    max_row = std::max(max_row, graph.view().degree(static_cast<vertex_id>(v)));
  }
  const std::size_t offsets = (n + 1) * (narrow ? sizeof(std::uint32_t) : sizeof(edge_offset));
  const std::size_t rows = offsets + m * (sizeof(vertex_id) + weight_bytes);
  const std::size_t sorting =
      options.sort_rows && graph.is_undirected() ? row_sorting_bytes<W>(m, max_row) : 0;
  const std::size_t marks = marking_bytes(graph.num_vertices(), m) +
                            (max_row <= short_graph_degree ? n * sizeof(short_row) : 0);
  const std::size_t narrowing = narrow ? (n + 1) * sizeof(edge_offset) : 0;
  return rows + std::max(narrowing, sorting + marks);
}

template <weight W>
void copy_rows(placed_graph<W>& placed, const csr<W>& graph, const workplace& at) {
  auto& own = placed.own_out;
  const auto span_of = [](const auto& values) { return std::span(values.data(), values.size()); };
  own.wide_offsets = to_device(span_of(graph.offsets()), at.stream, at.memory);
  if (placed.narrow) {
    const std::size_t size = own.wide_offsets.size();
    own.narrow_offsets = at.buffer<std::uint32_t>(size);
    narrow_kernel<<<place_blocks(size), place_threads, 0, at.stream>>>(
        own.wide_offsets.data(), own.narrow_offsets.data(), size);
    TENDRIL_CUDA_CHECK_LAUNCH();
    own.wide_offsets = {};
  }
  own.targets = to_device(span_of(graph.targets()), at.stream, at.memory);
  own.weights = to_device(span_of(graph.weights()), at.stream, at.memory);
  placed.narrow_out = {own.narrow_offsets.data(), own.targets.data(), own.weights.data()};
  placed.wide_out = {own.wide_offsets.data(), own.targets.data(), own.weights.data()};
}

template <weight W>
void share_undirected_rows(placed_graph<W>& placed) {
  placed.can_pull = placed.undirected;
  if (placed.undirected) {
    placed.narrow_in = placed.narrow_out;
    placed.wide_in = placed.wide_out;
  }
}

}  // namespace

}  // namespace tendril::cuda

namespace tendril {

template <weight W>
cuda_graph<W> cuda_engine::place(const csr<W>& graph, const place_options& options) const {
  const cuda::profile_range range("tendril: place");
  context_->use();
  auto placed = std::make_shared<cuda::placed_graph<W>>();
  placed->context = context_;
  placed->host = graph;
  placed->num_vertices = graph.num_vertices();
  placed->num_edges = graph.num_edges();
  placed->undirected = graph.is_undirected();
  placed->narrow = graph.num_edges() <= std::numeric_limits<std::uint32_t>::max();
  placed->sort_rows = options.sort_rows;
  const cuda::workplace at{context_->stream(), context_->memory()};
  cuda::require_memory(*at.memory, cuda::placing_bytes(graph, options, placed->narrow),
                       "GPU memory for the graph");
  auto start = cuda::clock::now();
  cuda::copy_rows(*placed, graph, at);
  cuda::share_undirected_rows(*placed);
  context_->synchronize();
  placed->copy_ms = cuda::ms_since(start);
  start = cuda::clock::now();
  if (placed->narrow) {
    cuda::prepare<W, std::uint32_t>(*placed, at, options, graph.offsets().data());
  } else {
    cuda::prepare<W, edge_offset>(*placed, at, options, graph.offsets().data());
  }
  context_->synchronize();
  placed->prepare_ms = cuda::ms_since(start);
  return cuda_graph<W>(std::move(placed));
}

template <weight W>
cuda_graph<W> cuda_engine::place_device(const csr_view<W>& graph, orientation kind) const {
  context_->use();
  auto placed = std::make_shared<cuda::placed_graph<W>>();
  placed->context = context_;
  placed->num_vertices = graph.num_vertices();
  placed->num_edges = graph.num_edges();
  placed->undirected = kind == orientation::undirected;
  placed->wide_out = {graph.offsets, graph.targets, graph.weights};
  cuda::share_undirected_rows(*placed);
  const cuda::workplace at{context_->stream(), context_->memory()};
  const auto start = cuda::clock::now();
  cuda::prepare<W, edge_offset>(*placed, at, {}, nullptr);
  context_->synchronize();
  placed->prepare_ms = cuda::ms_since(start);
  return cuda_graph<W>(std::move(placed));
}

template <weight W>
double cuda_graph<W>::prepare_pull() const {
  if (placed_->can_pull || placed_->num_vertices == 0) {
    return 0;
  }
  const cuda::profile_range range("tendril: turn edges round");
  placed_->context->use();
  const cuda::workplace at{placed_->context->stream(), placed_->context->memory()};
  const auto start = cuda::clock::now();
  if (placed_->narrow) {
    cuda::prepare_pull<W, std::uint32_t>(*placed_, at);
  } else {
    cuda::prepare_pull<W, edge_offset>(*placed_, at);
  }
  placed_->context->synchronize();
  return cuda::ms_since(start);
}

#define TENDRIL_PLACE_FOR(W)                                                               \
  template cuda_graph<W> cuda_engine::place(const csr<W>&, const place_options&) const;    \
  template cuda_graph<W> cuda_engine::place_device(const csr_view<W>&, orientation) const; \
  template double cuda_graph<W>::prepare_pull() const;
TENDRIL_PLACE_FOR(none)
TENDRIL_PLACE_FOR(std::int32_t)
TENDRIL_PLACE_FOR(float)
TENDRIL_PLACE_FOR(double)
#undef TENDRIL_PLACE_FOR

}  // namespace tendril
