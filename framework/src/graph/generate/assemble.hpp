#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/pages.hpp"
#include "core/parallel.hpp"
#include "graph/generate/hash.hpp"
#include "tendril/graph/builder.hpp"

// What every generator shares: edges made in parallel by number, built into an undirected graph
// without self-loops or duplicates, and weights drawn at the end.

namespace tendril::generate_detail {

inline constexpr std::uint64_t chunk_edges = std::uint64_t{1} << 17U;

/// Builds the undirected simple graph of the edges that make(number, chunk) appends for each number
/// below num_draws; at most `per_draw` each.
/// @throws resource_error before anything is allocated
template <class Make>
csr<> assemble(std::uint64_t num_vertices, std::uint64_t num_draws, std::uint64_t per_draw,
               std::string_view purpose, const Make& make) {
  // The edges and their mirror images, while they are partitioned.
  require_memory(saturating_product(num_draws, per_draw * 2 * sizeof(edge<>)), purpose);
  const std::uint64_t draws_per_chunk = chunk_edges / per_draw;
  const std::uint64_t num_chunks = (num_draws + draws_per_chunk - 1) / draws_per_chunk;
  std::vector<edge_list<>::chunk> chunks(num_chunks);
  parallel::for_each(num_chunks, [&](std::uint64_t c) {
    const std::uint64_t begin = c * draws_per_chunk;
    const std::uint64_t end = std::min(begin + draws_per_chunk, num_draws);
    edge_list<>::chunk& chunk = chunks[c];
    chunk.reserve((end - begin) * per_draw);
    for (std::uint64_t number = begin; number < end; ++number) {
      make(number, chunk);
    }
  });
  edge_list<> edges;
  for (edge_list<>::chunk& chunk : chunks) {
    edges.append(std::move(chunk));
  }
  return build_csr(std::move(edges), num_vertices,
                   {.kind = orientation::undirected,
                    .loops = build_options::self_loops::drop,
                    .parallel_edges = build_options::duplicates::merge});
}

/// Gives every edge a weight in 1 .. 256 by a hash of its end points, the same both ways.
template <weight W>
csr<W> with_weights(csr<> graph, std::uint64_t seed) {
  if constexpr (std::is_same_v<W, none>) {
    return graph;
  } else {
    const random_stream random(~seed);  // apart from the stream that drew the edges
    const csr_view<> view = graph.view();
    page_vector<W> weights(view.num_edges());
    prefer_huge_pages(weights.data(), weights.size() * sizeof(W));
    parallel::for_each(view.num_vertices(), [&](std::size_t index) {
      const auto v = static_cast<vertex_id>(index);
      for (edge_offset i = view.first_edge(v); i < view.last_edge(v); ++i) {
        const vertex_id target = view.target(i);
        const std::uint64_t pair = std::uint64_t{std::min(v, target)} << 32U | std::max(v, target);
        weights[i] = static_cast<W>(1 + below(random[pair], 256));
      }
    });
    const std::size_t num_weights = weights.size();
    return {graph.offsets(), graph.targets(), share(std::move(weights), num_weights), graph.kind()};
  }
}

}  // namespace tendril::generate_detail
