#pragma once

#include <cstdint>

#include "cuda/place_steps.cuh"

// Kernels of place(): one thread per vertex, edge or word, grid-stride.

namespace tendril::cuda {

static __global__ void narrow_kernel(const edge_offset* wide, std::uint32_t* narrow,
                                     std::uint64_t size) {
  for (std::uint64_t i = global_thread(); i < size; i += global_stride()) {
    narrow[i] = static_cast<std::uint32_t>(wide[i]);
  }
}

template <class Position>
__global__ void degree_keys_kernel(const Position* offsets, const vertex_id* rows,
                                   const vertex_id* targets, std::uint64_t size,
                                   edge_offset max_degree, int degree_bits, std::uint64_t* keys,
                                   std::uint32_t* positions) {
  for (std::uint64_t i = global_thread(); i < size; i += global_stride()) {
    const std::uint64_t u = targets[i];
    const edge_offset degree = offsets[u + 1] - offsets[u];
    keys[i] = (static_cast<std::uint64_t>(rows[i]) << static_cast<unsigned>(degree_bits)) |
              (max_degree - degree);
    positions[i] = static_cast<std::uint32_t>(i);
  }
}

template <class T, class Position>
__global__ void gather_kernel(const T* from, const Position* positions, std::uint64_t size, T* to) {
  for (std::uint64_t i = global_thread(); i < size; i += global_stride()) {
    to[i] = from[positions[i]];
  }
}

static __global__ void target_keys_kernel(const vertex_id* targets, std::uint64_t size,
                                          vertex_id* keys, edge_offset* positions) {
  for (std::uint64_t i = global_thread(); i < size; i += global_stride()) {
    keys[i] = targets[i];
    positions[i] = i;
  }
}

/// offsets[v] = edges whose sorted key is less than v.
template <class Position>
__global__ void offsets_kernel(const vertex_id* keys, std::uint64_t num_edges,
                               std::uint64_t num_vertices, Position* offsets) {
  for (std::uint64_t v = global_thread(); v <= num_vertices; v += global_stride()) {
    std::uint64_t low = 0;
    std::uint64_t high = num_edges;
    while (low < high) {
      const std::uint64_t middle = (low + high) / 2;
      if (keys[middle] < v) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    offsets[v] = static_cast<Position>(low);
  }
}

/// Totals that the preparation needs on the host.
struct row_totals {
  unsigned long long max_degree;
  unsigned int num_isolated;
  unsigned int num_hub_parts;
};

template <class Position>
__global__ void max_degree_kernel(const Position* offsets, std::uint64_t num_vertices,
                                  row_totals* totals) {
  unsigned long long most = 0;
  for (std::uint64_t v = global_thread(); v < num_vertices; v += global_stride()) {
    most = max(most, static_cast<unsigned long long>(offsets[v + 1] - offsets[v]));
  }
  if (most != 0) {
    atomicMax(&totals->max_degree, most);
  }
}

/// One warp per word. in_offsets is null where in-edges are not known: then no vertex is marked.
template <class Position>
__global__ void isolated_kernel(const Position* out_offsets, const Position* in_offsets,
                                vertex_id num_vertices, bit_word* isolated, degree_byte* degrees,
                                row_totals* totals) {
  const std::uint64_t num_bits = (static_cast<std::uint64_t>(num_vertices) + bits_per_word - 1) /
                                 bits_per_word * bits_per_word;
  for (std::uint64_t v = global_thread(); v < num_bits; v += global_stride()) {
    const bool is_past = v >= num_vertices;
    const Position degree = is_past ? 0 : out_offsets[v + 1] - out_offsets[v];
    if (!is_past) {
      degrees[v] = static_cast<degree_byte>(min(degree, Position{many_edges}));
    }
    const bool is_isolated =
        !is_past && in_offsets != nullptr && degree == 0 && in_offsets[v] == in_offsets[v + 1];
    const bit_word marked = __ballot_sync(~0U, is_past || is_isolated);
    const bit_word alone = __ballot_sync(~0U, is_isolated);
    if (v % bits_per_word == 0) {
      isolated[v / bits_per_word] = marked;
      if (alone != 0) {
        atomicAdd(&totals->num_isolated, static_cast<unsigned>(__popc(alone)));
      }
    }
  }
}

template <class Position>
__global__ void first_in_kernel(const Position* offsets, const vertex_id* targets,
                                std::uint64_t num_vertices, vertex_id* first_in,
                                row_totals* totals) {
  for (std::uint64_t v = global_thread(); v < num_vertices; v += global_stride()) {
    const Position begin = offsets[v];
    const Position degree = offsets[v + 1] - begin;
    first_in[v] = degree == 0 || degree > hub_part_edges ? no_vertex : targets[begin];
    if (degree > hub_part_edges) {
      atomicAdd(&totals->num_hub_parts,
                static_cast<unsigned>((degree + hub_part_edges - 1) / hub_part_edges));
    }
  }
}

template <class Position>
__global__ void hub_parts_kernel(const Position* offsets, std::uint64_t num_vertices,
                                 hub_part* parts, unsigned int* cursor) {
  for (std::uint64_t v = global_thread(); v < num_vertices; v += global_stride()) {
    const Position degree = offsets[v + 1] - offsets[v];
    if (degree > hub_part_edges) {
      const auto count = static_cast<unsigned>((degree + hub_part_edges - 1) / hub_part_edges);
      const unsigned first = atomicAdd(cursor, count);
      for (unsigned part = 0; part < count; ++part) {
        parts[first + part] = {static_cast<vertex_id>(v), part};
      }
    }
  }
}

template <class Position>
__global__ void short_rows_kernel(const Position* offsets, const vertex_id* targets,
                                  std::uint64_t num_vertices, short_row* rows) {
  for (std::uint64_t v = global_thread(); v < num_vertices; v += global_stride()) {
    const Position begin = offsets[v];
    const Position degree = offsets[v + 1] - begin;
    short_row row{{no_vertex, no_vertex, no_vertex, no_vertex}};
    if (degree <= 4) {
      for (Position i = 0; i < degree; ++i) {
        row.targets[i] = targets[begin + i];
      }
    } else {
      row = {{static_cast<vertex_id>(begin), static_cast<vertex_id>(degree), long_row, long_row}};
    }
    rows[v] = row;
  }
}

}  // namespace tendril::cuda
