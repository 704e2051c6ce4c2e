#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tendril/graph/csr.hpp"
#include "tendril/graph/vertex_names.hpp"

namespace tendril::app {

/// Where a traversal starts.
struct source_options {
  std::vector<std::string> names;          ///< --source
  std::string list;                        ///< --sources: a file, random:K, or all
  bool takes_all = false;                  ///< all is a choice, not a file
  std::uint32_t random_seed = 27'491'095;  ///< that of the GAP benchmark
};

/// Sources as ids.
struct chosen_sources {
  std::vector<vertex_id> ids;
  std::optional<std::uint32_t> seed;  ///< of random ones
};

/// The vertex of that name.
/// @throws input_error `WHEREexpected a vertex of the graph (1 .. 6), found NAME`
[[nodiscard]] vertex_id named_vertex(const std::string& where, const std::string& name,
                                     const vertex_names& names);

/// The vertices that the options name; without a name, one random vertex that has edges.
///
/// Random vertices are drawn like the GAP benchmark draws them: uniformly, by the 32-bit Mersenne
/// twister, again until the vertex has an outgoing edge (and was not drawn before). Where no vertex
/// has an edge it is the first one; the empty graph has none.
/// @throws input_error naming the source and what is valid; usage_error for a random:K that is not
///         a number
[[nodiscard]] chosen_sources choose_sources(const source_options& options, const csr<none>& graph,
                                            const vertex_names& names);

}  // namespace tendril::app
