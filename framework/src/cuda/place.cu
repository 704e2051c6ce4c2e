#include <algorithm>
#include <chrono>
#include <vector>

#include "cuda/place_kernels.cuh"
#include "cuda/place_steps.cuh"
#include "tendril/core/error.hpp"
#include "tendril/cuda/engine.hpp"

// place(): rows to the device, then what makes a traversal fast, once per graph.
//   1 offsets become 32-bit where there are fewer than 2^32 edges
//   2 rows are sorted by degree of the neighbour, descending, a chunk of rows at a time
//   3 vertices without edges are marked, each vertex's first in-neighbour is laid out apart, rows
//     too long for a warp are cut into parts, short rows are packed

namespace tendril::cuda {

namespace {

constexpr edge_offset sort_chunk_edges = edge_offset{1} << 25U;
constexpr edge_offset short_graph_degree = 64;      ///< no row longer: short rows are packed
constexpr edge_offset short_graph_mean_degree = 8;  ///< nor a mean above this

using clock = std::chrono::steady_clock;

double ms_since(clock::time_point start) {
  return std::chrono::duration<double, std::milli>(clock::now() - start).count();
}

template <class T>
T fetch(const device_buffer<T>& one, cudaStream_t stream) {
  return to_host(one, stream).front();
}

/// Sorts whole rows that hold at most one chunk of edges, or one longer row.
template <weight W, class Position>
void sort_chunk(const workplace& at, const Position* degree_offsets, const Position* offsets,
                vertex_id* targets, W* weights, vertex_id first_row, vertex_id last_row,
                edge_offset base, edge_offset size, edge_offset max_degree,
                position_sort<std::uint64_t, std::uint32_t>& sort) {
  const auto rows = rows_of_edges(at, offsets, first_row, last_row - first_row, base, size);
  const int degree_bits = std::bit_width(max_degree);
  const int row_bits = std::bit_width(last_row - first_row);
  degree_keys_kernel<<<place_blocks(size), place_threads, 0, at.stream>>>(
      degree_offsets, rows.data(), targets + base, size, max_degree, degree_bits, sort.keys(),
      sort.positions());
  TENDRIL_CUDA_CHECK_LAUNCH();
  sort.sort(size, degree_bits + row_bits);
  const auto reorder = [&](auto* values) {
    using value = std::remove_pointer_t<decltype(values)>;
    auto sorted = at.buffer<value>(size);
    gather_kernel<<<place_blocks(size), place_threads, 0, at.stream>>>(
        values + base, sort.positions(), size, sorted.data());
    TENDRIL_CUDA_CHECK_LAUNCH();
    TENDRIL_CUDA_CHECK(cudaMemcpyAsync(values + base, sorted.data(), sorted.size_bytes(),
                                       cudaMemcpyDeviceToDevice, at.stream));
  };
  reorder(targets);
  if constexpr (!std::is_same_v<W, none>) {
    reorder(weights);
  }
}

/// Edges of the largest chunk: what sorting needs memory for.
edge_offset largest_chunk(edge_offset num_edges, edge_offset max_row) {
  return std::min(num_edges, std::max(sort_chunk_edges, max_row));
}

/// Sorts every row by degree of the neighbour, descending; equal degrees keep their order.
/// @param host_offsets  [num_vertices + 1], of the rows to be sorted
template <weight W, class Position, class HostPosition>
void sort_rows(const workplace& at, const Position* degree_offsets, const Position* offsets,
               vertex_id* targets, W* weights, const HostPosition* host_offsets,
               vertex_id num_vertices, edge_offset max_degree, edge_offset max_row) {
  const edge_offset num_edges = host_offsets[num_vertices];
  position_sort<std::uint64_t, std::uint32_t> sort(at, largest_chunk(num_edges, max_row));
  for (vertex_id first = 0; first < num_vertices;) {
    const edge_offset base = host_offsets[first];
    const auto* end = std::upper_bound(host_offsets + first + 1, host_offsets + num_vertices + 1,
                                       base + sort_chunk_edges);
    const auto last = static_cast<vertex_id>(
        std::max<std::ptrdiff_t>(end - host_offsets - 1, std::ptrdiff_t{first} + 1));
    const edge_offset size = host_offsets[last] - base;
    if (size > 0) {
      sort_chunk<W, Position>(at, degree_offsets, offsets, targets, weights, first, last, base,
                              size, max_degree, sort);
    }
    first = last;
  }
}

template <class Position>
edge_offset find_max_degree(const workplace& at, const Position* offsets, vertex_id num_vertices) {
  auto totals = at.buffer<row_totals>(1);
  TENDRIL_CUDA_CHECK(cudaMemsetAsync(totals.data(), 0, totals.size_bytes(), at.stream));
  max_degree_kernel<<<place_blocks(num_vertices), place_threads, 0, at.stream>>>(
      offsets, num_vertices, totals.data());
  TENDRIL_CUDA_CHECK_LAUNCH();
  return fetch(totals, at.stream).max_degree;
}

/// Isolated vertices, first in-neighbours, hub parts. Rows are as they will stay.
template <weight W, class Position>
void mark(placed_graph<W>& graph, const workplace& at) {
  const vertex_id n = graph.num_vertices;
  const auto& out = out_rows<Position>(graph);
  const auto& in = in_rows<Position>(graph);
  const std::size_t num_words = (static_cast<std::size_t>(n) + bits_per_word - 1) / bits_per_word;
  graph.isolated = at.buffer<bit_word>(num_words);
  auto totals = at.buffer<row_totals>(1);
  TENDRIL_CUDA_CHECK(cudaMemsetAsync(totals.data(), 0, totals.size_bytes(), at.stream));
  isolated_kernel<<<place_blocks(n), place_threads, 0, at.stream>>>(
      out.offsets, graph.can_pull ? in.offsets : nullptr, n, graph.isolated.data(), totals.data());
  TENDRIL_CUDA_CHECK_LAUNCH();
  if (graph.can_pull) {
    graph.first_in = at.buffer<vertex_id>(n);
    first_in_kernel<<<place_blocks(n), place_threads, 0, at.stream>>>(
        in.offsets, in.targets, n, graph.first_in.data(), totals.data());
    TENDRIL_CUDA_CHECK_LAUNCH();
  }
  const row_totals found = fetch(totals, at.stream);
  graph.num_isolated = found.num_isolated;
  if (found.num_hub_parts != 0) {
    graph.hub_parts = at.buffer<hub_part>(found.num_hub_parts);
    auto cursor = at.buffer<unsigned int>(1);
    TENDRIL_CUDA_CHECK(cudaMemsetAsync(cursor.data(), 0, cursor.size_bytes(), at.stream));
    hub_parts_kernel<<<place_blocks(n), place_threads, 0, at.stream>>>(
        in.offsets, n, graph.hub_parts.data(), cursor.data());
    TENDRIL_CUDA_CHECK_LAUNCH();
  }
}

template <weight W>
bool has_short_rows(const placed_graph<W>& graph) {
  return graph.max_degree <= short_graph_degree && graph.num_edges < (edge_offset{1} << 32U) &&
         graph.num_edges <= short_graph_mean_degree * graph.num_vertices;
}

template <weight W, class Position>
void pack_short_rows(placed_graph<W>& graph, const workplace& at) {
  const auto& out = out_rows<Position>(graph);
  graph.short_rows = at.buffer<short_row>(graph.num_vertices);
  short_rows_kernel<<<place_blocks(graph.num_vertices), place_threads, 0, at.stream>>>(
      out.offsets, out.targets, graph.num_vertices, graph.short_rows.data());
  TENDRIL_CUDA_CHECK_LAUNCH();
}

/// Makes the rows of a directed graph turned round.
template <weight W, class Position>
void turn_round(placed_graph<W>& graph, const workplace& at) {
  const vertex_id n = graph.num_vertices;
  const edge_offset m = graph.num_edges;
  const auto& out = out_rows<Position>(graph);
  constexpr std::size_t per_edge = 2 * (sizeof(vertex_id) + sizeof(edge_offset)) +
                                   2 * sizeof(vertex_id) +
                                   (std::is_same_v<W, none> ? 0 : sizeof(W));
  require_memory(*at.memory, m * per_edge + (n + std::size_t{1}) * sizeof(Position),
                 "GPU memory for the edges turned round");
  auto& own = graph.own_in;
  Position* offsets = nullptr;
  if constexpr (sizeof(Position) == sizeof(std::uint32_t)) {
    own.narrow_offsets = at.buffer<std::uint32_t>(n + std::size_t{1});
    offsets = own.narrow_offsets.data();
  } else {
    own.wide_offsets = at.buffer<edge_offset>(n + std::size_t{1});
    offsets = own.wide_offsets.data();
  }
  own.targets = at.buffer<vertex_id>(m);
  if (m != 0) {
    const auto rows = rows_of_edges(at, out.offsets, 0, n, 0, m);
    position_sort<vertex_id, edge_offset> sort(at, m);
    target_keys_kernel<<<place_blocks(m), place_threads, 0, at.stream>>>(
        out.targets, m, sort.keys(), sort.positions());
    TENDRIL_CUDA_CHECK_LAUNCH();
    sort.sort(m, std::bit_width(n));
    offsets_kernel<<<place_blocks(n + std::uint64_t{1}), place_threads, 0, at.stream>>>(
        sort.keys(), m, n, offsets);
    TENDRIL_CUDA_CHECK_LAUNCH();
    gather_kernel<<<place_blocks(m), place_threads, 0, at.stream>>>(rows.data(), sort.positions(),
                                                                    m, own.targets.data());
    TENDRIL_CUDA_CHECK_LAUNCH();
    if constexpr (!std::is_same_v<W, none>) {
      own.weights = at.buffer<W>(m);
      gather_kernel<<<place_blocks(m), place_threads, 0, at.stream>>>(out.weights, sort.positions(),
                                                                      m, own.weights.data());
      TENDRIL_CUDA_CHECK_LAUNCH();
    }
  } else {
    TENDRIL_CUDA_CHECK(
        cudaMemsetAsync(offsets, 0, (n + std::size_t{1}) * sizeof(Position), at.stream));
  }
  const device_rows<W, Position> in{offsets, own.targets.data(), own.weights.data()};
  if constexpr (sizeof(Position) == sizeof(std::uint32_t)) {
    graph.narrow_in = in;
  } else {
    graph.wide_in = in;
  }
}

template <weight W, class Position>
void prepare_pull(placed_graph<W>& graph, const workplace& at) {
  turn_round<W, Position>(graph, at);
  if (graph.sort_rows && graph.num_edges != 0) {
    const auto& in = in_rows<Position>(graph);
    std::vector<Position> host_offsets(graph.num_vertices + std::size_t{1});
    TENDRIL_CUDA_CHECK(cudaMemcpyAsync(host_offsets.data(), in.offsets,
                                       host_offsets.size() * sizeof(Position),
                                       cudaMemcpyDeviceToHost, at.stream));
    TENDRIL_CUDA_CHECK(cudaStreamSynchronize(at.stream));
    sort_rows<W, Position>(at, out_rows<Position>(graph).offsets, in.offsets,
                           graph.own_in.targets.data(), graph.own_in.weights.data(),
                           host_offsets.data(), graph.num_vertices, graph.max_degree,
                           find_max_degree(at, in.offsets, graph.num_vertices));
  }
  graph.can_pull = true;
  mark<W, Position>(graph, at);
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
  mark<W, Position>(graph, at);
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
  const std::size_t marks = n / 8 + n * sizeof(vertex_id) + (n + m / hub_part_edges) / 8 +
                            (max_row <= short_graph_degree ? n * sizeof(short_row) : 0);
  constexpr std::size_t sort_bytes_per_edge =
      2 * (sizeof(std::uint64_t) + sizeof(std::uint32_t)) + sizeof(vertex_id) +
      (weight_bytes > sizeof(vertex_id) ? weight_bytes : sizeof(vertex_id));
  const std::size_t sorting = options.sort_rows && graph.is_undirected()
                                  ? largest_chunk(m, max_row) * sort_bytes_per_edge
                                  : 0;
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
