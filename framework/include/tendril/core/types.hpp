#pragma once

#include <concepts>
#include <cstdint>
#include <limits>

// Glossary: each noun of the library, once.
//
// clang-format off
//   vertex       0-based identity; what a file calls it is kept apart (graph/vertex_names.hpp)
//   edge         an ordered pair source -> target, with a weight or none; also called arc
//   undirected   a graph that stores both u -> v and v -> u of every edge (a self-loop once)
//   csr          compressed sparse rows: offsets[v] .. offsets[v + 1] are the positions of v's edges
//   transpose    the same edges turned round: its rows are the in-neighbours
//   frontier     the vertices whose edges the next level looks at
//   level        one step of a traversal: level L looks at the edges of the vertices of depth L, and
//                what it finds has depth L + 1; a source has depth 0
//   push         a level goes over the edges that leave the frontier
//   pull         a level goes over the vertices not yet visited and looks for one in the frontier
//   visitor      the user's code, called by an engine (traverse/visitor.hpp)
//   engine       what runs a traversal: host_engine (threads) or cuda_engine (one GPU)
//   tile         the unit of work that a schedule hands to a block or a task
//   steal        to run a tile whose own block has not started, and to cancel that block
//   ticket       a number drawn from a shared counter: the next tile to run
// clang-format on

/// Irregular traversals on threads and on a GPU: graphs, quadtrees, trees that grow.
namespace tendril {

/// Identity of a vertex: 0 .. num_vertices - 1.
using vertex_id = std::uint32_t;

/// Position of an edge in a csr, or a count of edges: 64 bits, graphs have more than 2^32 edges.
using edge_offset = std::uint64_t;

/// No vertex: the parent of an unreached vertex. Never a valid id, so num_vertices < 2^32.
inline constexpr vertex_id no_vertex = std::numeric_limits<vertex_id>::max();

/// Depth of a vertex that a traversal did not reach.
inline constexpr std::int32_t unreached = -1;

/// The weight type of a graph without weights: takes no space, reads as 1 where a number is asked.
struct none {
  friend constexpr bool operator==(none, none) { return true; }  ///< there is one value
};

/// Weight types of a graph: none, std::int32_t, float or double.
template <class T>
concept weight = std::same_as<T, none> || std::same_as<T, std::int32_t> || std::same_as<T, float> ||
    std::same_as<T, double>;

/// Weight types that can be added and compared.
template <class T>
concept numeric_weight = weight<T> && !std::same_as<T, none>;

/// An edge as readers and generators make it and as visitors receive it. 8 bytes without a weight,
/// 12 with int32 or float, 16 with double.
template <weight W = none>
struct edge {
  vertex_id source;                ///< where it leaves
  vertex_id target;                ///< where it leads
  [[no_unique_address]] W weight;  ///< nothing where W is none

  friend constexpr bool operator==(const edge&, const edge&) = default;  ///< memberwise
};

/// Whether a graph stores the reverse of each of its edges.
enum class orientation : std::uint8_t { directed, undirected };

}  // namespace tendril
