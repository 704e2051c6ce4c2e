#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "tendril/core/target.hpp"
#include "tendril/core/types.hpp"
#include "tendril/cuda/detail/context.hpp"
#include "tendril/cuda/memory.hpp"
#include "tendril/graph/csr.hpp"

namespace tendril::cuda {

/// Word of a device bitmap: bit v % 32 of word v / 32 belongs to vertex v.
using bit_word = std::uint32_t;
inline constexpr vertex_id bits_per_word = 32;

/// Rows in device memory, borrowed. Position: std::uint32_t where a graph has fewer than 2^32
/// edges, else std::uint64_t.
template <weight W, class Position>
struct device_rows {
  const Position* offsets = nullptr;   ///< [num_vertices + 1]
  const vertex_id* targets = nullptr;  ///< [num_edges]
  const W* weights = nullptr;          ///< [num_edges], null when W is none

  [[nodiscard]] TENDRIL_HD Position degree(vertex_id v) const {
    return offsets[v + std::size_t{1}] - offsets[v];
  }
};

/// Part of a row too long for a warp: a pull hands such parts to blocks.
struct hub_part {
  vertex_id vertex;
  std::uint32_t part;  ///< edges part * hub_part_edges .. of the row
};
inline constexpr std::uint32_t hub_part_edges = 8192;

/// Up to four neighbours in 16 bytes; no_vertex where there are fewer.
struct alignas(16) short_row {
  vertex_id targets[4];
};
/// Where rows are packed, none is longer.
inline constexpr edge_offset short_graph_degree = 64;
/// In a short_row: the row is longer; targets[1] edges from position targets[0].
inline constexpr vertex_id long_row = no_vertex - 1;

/// A degree in a byte; many_edges: so many or more.
using degree_byte = std::uint8_t;
inline constexpr degree_byte many_edges = 255;

/// Owner of rows.
template <weight W>
struct owned_rows {
  device_buffer<edge_offset> wide_offsets;  ///< one of the two offsets
  device_buffer<std::uint32_t> narrow_offsets;
  device_buffer<vertex_id> targets;
  device_buffer<W> weights;

  [[nodiscard]] std::size_t size_bytes() const noexcept {
    return wide_offsets.size_bytes() + narrow_offsets.size_bytes() + targets.size_bytes() +
           weights.size_bytes();
  }
};

/// What cuda_graph shares: rows, and what the preparation added.
template <weight W>
struct placed_graph {
  std::shared_ptr<engine_context> context;
  std::optional<csr<W>> host;  ///< none where the rows lay on the device already
  vertex_id num_vertices = 0;
  edge_offset num_edges = 0;
  bool undirected = false;
  bool narrow = false;
  bool sort_rows = false;
  edge_offset max_degree = 0;

  owned_rows<W> own_out;
  owned_rows<W> own_in;  ///< of a directed graph, once it is prepared for pulling
  bool can_pull = false;
  device_rows<W, edge_offset> wide_out;  ///< the pair that `narrow` names is set
  device_rows<W, edge_offset> wide_in;
  device_rows<W, std::uint32_t> narrow_out;
  device_rows<W, std::uint32_t> narrow_in;

  device_buffer<bit_word> isolated;  ///< no edge in or out; bits past the end set too
  vertex_id num_isolated = 0;
  device_buffer<degree_byte> degrees;  ///< of out-rows
  /// First in-neighbour, or no_vertex; no_vertex too where the row has hub parts.
  device_buffer<vertex_id> first_in;
  device_buffer<hub_part> hub_parts;
  device_buffer<short_row> short_rows;  ///< empty unless degrees are low

  double copy_ms = 0;
  double prepare_ms = 0;
};

/// The rows with positions of the wanted width.
template <class Position, weight W>
[[nodiscard]] const device_rows<W, Position>& out_rows(const placed_graph<W>& graph) {
  if constexpr (sizeof(Position) == sizeof(std::uint32_t)) {
    return graph.narrow_out;
  } else {
    return graph.wide_out;
  }
}
template <class Position, weight W>
[[nodiscard]] const device_rows<W, Position>& in_rows(const placed_graph<W>& graph) {
  if constexpr (sizeof(Position) == sizeof(std::uint32_t)) {
    return graph.narrow_in;
  } else {
    return graph.wide_in;
  }
}

}  // namespace tendril::cuda
