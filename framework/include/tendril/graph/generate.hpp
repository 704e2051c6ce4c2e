#pragma once

#include <cstdint>
#include <string_view>

#include "tendril/graph/csr.hpp"

// Seeded graphs, made in parallel: the same graph for a seed on any number of threads and on any
// machine. rmat and urand come without self-loops and duplicates, undirected (GAP's convention);
// every edge (and its reverse) of a weighted graph draws its weight from 1 .. 256 by a hash of
// its end points and the seed.

namespace tendril {

/// Quadrant probabilities of the recursive matrix generator; d = 1 - a - b - c.
struct rmat_shape {
  double a = 0.57;  ///< low source, low target
  double b = 0.19;  ///< low source, high target
  double c = 0.19;  ///< high source, low target
};

/// Kronecker graph with scrambled ids: 2^scale vertices, 2^scale * edge_factor edges drawn.
/// @throws usage_error for a scale outside 1 .. 31, an edge factor below 1 or a shape of no
///         probabilities; resource_error with needed and available memory, before anything is made
/// @source Chakrabarti, Zhan, Faloutsos 2004; constants of Graph500
template <weight W = none>
[[nodiscard]] csr<W> generate_rmat(int scale, int edge_factor, std::uint64_t seed = 1,
                                   rmat_shape shape = {});

/// Uniform random end points: 2^scale vertices, 2^scale * edge_factor edges drawn.
/// @throws as generate_rmat does
template <weight W = none>
[[nodiscard]] csr<W> generate_urand(int scale, int edge_factor, std::uint64_t seed = 1);

/// width x height lattice, vertex y * width + x, each edge removed with removed_percent chance.
/// @throws usage_error for no vertex, 2^32 - 1 or more, or other than 0 .. 100 percent;
///         resource_error
template <weight W = none>
[[nodiscard]] csr<W> generate_grid(std::uint64_t width, std::uint64_t height,
                                   int removed_percent = 0, std::uint64_t seed = 1);

/// 0 - 1 - ... - n-1, undirected.
/// @throws usage_error for no vertex, or 2^32 - 1 or more; resource_error
template <weight W = none>
[[nodiscard]] csr<W> generate_path(std::uint64_t num_vertices);

/// Vertex 0 joined to each of the others, undirected.
/// @throws as generate_path does
template <weight W = none>
[[nodiscard]] csr<W> generate_star(std::uint64_t num_vertices);

/// Complete tree of the given depth, every inner vertex with `fanout` children; root 0, level by
/// level, undirected.
/// @throws usage_error for a depth below 0, a fanout below 1, or too many vertices; resource_error
template <weight W = none>
[[nodiscard]] csr<W> generate_tree(int depth, std::uint64_t fanout);

/// True if the text names a generator: `rmat:`, `urand:`, `grid:`, `path:`, `star:` or `tree:`.
[[nodiscard]] bool names_generator(std::string_view text) noexcept;

/// Makes the graph that the text names: rmat:SCALE:EDGEFACTOR[:SEED],
/// urand:SCALE:EDGEFACTOR[:SEED], grid:WxH[:REMOVED%[:SEED]], path:N, star:N, tree:DEPTH:FANOUT. An
/// rmat text may end in :A:B:C, quadrant probabilities.
/// @throws usage_error with the form that was expected; resource_error
template <weight W = none>
[[nodiscard]] csr<W> generate(std::string_view text);

/// The seed that `generate` uses for the text; 0 for graphs that have none.
/// @throws usage_error as generate does
[[nodiscard]] std::uint64_t generator_seed(std::string_view text);

}  // namespace tendril
