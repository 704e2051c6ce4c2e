#pragma once

#include "tendril/cuda/detail/placed_graph.hpp"

// Packed rows (short_row) as kernels read them.

namespace tendril::cuda {

[[nodiscard]] __device__ inline short_row no_row() {
  return {{no_vertex, no_vertex, no_vertex, no_vertex}};
}
[[nodiscard]] __device__ inline bool is_long(const short_row& row) {
  return row.targets[3] == long_row;
}
[[nodiscard]] __device__ inline std::uint32_t degree_of(const short_row& row) {
  std::uint32_t degree = 0;
#pragma unroll
  for (const vertex_id target : row.targets) {
    degree += target != no_vertex ? 1U : 0U;
  }
  return is_long(row) ? row.targets[1] : degree;
}
/// Up to four targets from edge `first` of a row that is long, else none.
/// @param rows  of the graph
template <weight W, class Position>
[[nodiscard]] __device__ short_row part_of_long(const device_rows<W, Position>& rows,
                                                const short_row& row, std::uint32_t first) {
  short_row part = no_row();
  if (is_long(row)) {
    const vertex_id* const targets = rows.targets + static_cast<Position>(row.targets[0]);
#pragma unroll
    for (std::uint32_t i = 0; i < 4; ++i) {
      if (first + i < row.targets[1]) {
        part.targets[i] = targets[first + i];
      }
    }
  }
  return part;
}

}  // namespace tendril::cuda
