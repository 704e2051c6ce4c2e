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
  double a = 0.57;
  double b = 0.19;
  double c = 0.19;
};

/// Kronecker graph with scrambled ids: 2^scale vertices, 2^scale * edge_factor edges drawn.
/// @source Chakrabarti, Zhan, Faloutsos 2004; constants of Graph500
template <weight W = none>
[[nodiscard]] csr<W> generate_rmat(int scale, int edge_factor, std::uint64_t seed = 1,
                                   rmat_shape shape = {});

/// Uniform random end points: 2^scale vertices, 2^scale * edge_factor edges drawn.
template <weight W = none>
[[nodiscard]] csr<W> generate_urand(int scale, int edge_factor, std::uint64_t seed = 1);

/// width x height lattice, vertex y * width + x, each edge removed with removed_percent chance.
template <weight W = none>
[[nodiscard]] csr<W> generate_grid(std::uint64_t width, std::uint64_t height,
                                   int removed_percent = 0, std::uint64_t seed = 1);

/// 0 - 1 - ... - n-1, undirected.
template <weight W = none>
[[nodiscard]] csr<W> generate_path(std::uint64_t num_vertices);

/// Vertex 0 joined to each of the others, undirected.
template <weight W = none>
[[nodiscard]] csr<W> generate_star(std::uint64_t num_vertices);

/// Complete tree of the given depth, every inner vertex with `fanout` children; root 0, level by
/// level, undirected.
template <weight W = none>
[[nodiscard]] csr<W> generate_tree(int depth, std::uint64_t fanout);

/// True if the text names a generator: `rmat:`, `urand:`, `grid:`, `path:`, `star:` or `tree:`.
[[nodiscard]] bool names_generator(std::string_view text) noexcept;

/// Makes the graph that the text names: rmat:SCALE:EDGEFACTOR[:SEED],
/// urand:SCALE:EDGEFACTOR[:SEED], grid:WxH[:REMOVED%[:SEED]], path:N, star:N, tree:DEPTH:FANOUT. An
/// rmat text may end in :A:B:C, quadrant probabilities.
/// @throws usage_error with the form that was expected
template <weight W = none>
[[nodiscard]] csr<W> generate(std::string_view text);

/// The seed that `generate` uses for the text; 0 for graphs that have none.
[[nodiscard]] std::uint64_t generator_seed(std::string_view text);

}  // namespace tendril
