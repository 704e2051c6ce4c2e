#include <algorithm>
#include <string>
#include <vector>

#include "graph/number_text.hpp"
#include "graph/weight_as.hpp"
#include "graph/write/formats.hpp"
#include "tendril/core/error.hpp"
#include "tendril/graph/builder.hpp"

// GAP's serialised graph: a byte (1 for directed), the number of stored edges, the number of
// vertices (64 bits each, unaligned), then offsets and targets; each target is followed by its
// weight in .wsg. A directed graph has the same two arrays of its transpose behind them.

namespace tendril::write {

namespace {

template <weight W>
std::int32_t whole_weight(W value) {
  const std::optional<std::int32_t> whole = exact_weight<std::int32_t>(value);
  if constexpr (!std::same_as<W, none>) {
    if (!whole) {
      throw usage_error("GAP's format holds 32-bit whole weights, found " + number_text(value));
    }
  }
  return *whole;
}

template <weight W>
void write_weighted_targets(output_file& file, const csr<W>& graph) {
  constexpr std::size_t block = std::size_t{1} << 16U;
  const csr_view<W> view = graph.view();
  std::vector<std::int32_t> pairs;
  for (edge_offset begin = 0; begin < view.num_edges(); begin += block) {
    pairs.clear();
    const edge_offset end = std::min(begin + block, view.num_edges());
    for (edge_offset i = begin; i < end; ++i) {
      pairs.push_back(static_cast<std::int32_t>(view.target(i)));
      pairs.push_back(whole_weight(view.weight(i)));
    }
    file.write_array(std::span<const std::int32_t>(pairs));
  }
}

template <weight W>
void write_arrays(output_file& file, const csr<W>& graph, bool with_weights) {
  file.write_array(std::span<const edge_offset>(graph.offsets().data(), graph.offsets().size()));
  if (with_weights) {
    write_weighted_targets(file, graph);
  } else {
    file.write_array(std::span<const vertex_id>(graph.targets().data(), graph.targets().size()));
  }
}

}  // namespace

template <weight W>
void write_gap_serial(output_file& file, const csr<W>& graph, bool with_weights) {
  if (graph.num_vertices() > std::uint32_t{1} << 31U) {
    throw usage_error("GAP's format holds at most 2^31 vertices, found " +
                      std::to_string(graph.num_vertices()));
  }
  const std::uint64_t counts[] = {graph.num_edges(), graph.num_vertices()};
  file.write(std::string_view(graph.is_undirected() ? "\0" : "\1", 1));
  file.write_array(std::span<const std::uint64_t>(counts));
  write_arrays(file, graph, with_weights);
  if (!graph.is_undirected()) {
    write_arrays(file, transpose(graph), with_weights);
  }
}

template void write_gap_serial(output_file&, const csr<none>&, bool);
template void write_gap_serial(output_file&, const csr<std::int32_t>&, bool);
template void write_gap_serial(output_file&, const csr<float>&, bool);
template void write_gap_serial(output_file&, const csr<double>&, bool);

}  // namespace tendril::write
