#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

#include "tendril/graph/csr.hpp"
#include "tendril/host/bitmap.hpp"
#include "tendril/host/frontier.hpp"
#include "tendril/host/levels.hpp"
#include "tendril/host/team.hpp"

// A level that goes over the edges leaving the frontier, the same for both kinds of visitor: small
// levels by the caller alone, others in chunks of vertices, and vertices with very many edges last,
// each cut into chunks of edges.

namespace tendril::detail {

/// What one thread finds in a chunk of a push: vertices for the next frontier and the edges that
/// leave them.
class found_vertices {
 public:
  found_vertices(lane& into, vertex_queue& next) : lane_(into), next_(next) {}

  void add(vertex_id v, edge_offset degree) noexcept {
    lane_.push(next_, v);
    lane_.count(1, degree);
  }

 private:
  lane& lane_;
  vertex_queue& next_;
};

/// Expands a frontier.
/// @param frontier  vertices, distinct; may lie in the storage of `next`, before its end
/// @param edges     stored edges that leave the frontier
/// @param open      open(thread): where a thread keeps what it finds in a chunk, destroyed after it
/// @param expand    expand.template operator()<sharing>(u, first, last, found): goes over the edges
///                  of u at positions first .. last - 1
template <weight W, class Open, class Expand>
class push_level {
 public:
  push_level(team& threads, const csr_view<W>& graph, std::span<const vertex_id> frontier,
             const Open& open, const Expand& expand)
      : threads_(threads), graph_(graph), frontier_(frontier), open_(open), expand_(expand) {}

  void run(edge_offset edges) {
    const std::size_t work = frontier_.size() + edges;
    if (threads_.num_threads() == 1 || work < host_tuning::alone_work) {
      vertices<sharing::alone>(0, frontier_.size(), 0);
      return;
    }
    const std::size_t most =
        host_tuning::chunks_per_thread * static_cast<std::size_t>(threads_.num_threads());
    const auto num_chunks = static_cast<std::uint32_t>(std::clamp(
        work / host_tuning::chunk_work, std::size_t{1}, std::min(most, frontier_.size())));
    threads_.for_each_chunk(num_chunks, [&](std::uint32_t chunk, std::uint32_t thread) {
      const part_range part(frontier_.size(), num_chunks, chunk);
      vertices<sharing::shared>(part.begin, part.end, thread);
    });
    if (has_heavy_.load(std::memory_order_relaxed)) {
      heavy_vertices();
    }
  }

 private:
  template <sharing Sharing>
  void vertices(std::size_t begin, std::size_t end, std::uint32_t thread) {
    constexpr std::size_t ahead = host_tuning::prefetch_distance;
    auto found = open_(thread);
    for (std::size_t i = begin; i < end; ++i) {
      if (i + 2 * ahead < end) {  // the row of a vertex, and the position of one further on
        fetch(graph_.offsets[frontier_[i + 2 * ahead]]);
        fetch(graph_.targets[graph_.first_edge(frontier_[i + ahead])]);
      }
      const vertex_id u = frontier_[i];
      if (Sharing == sharing::shared && graph_.degree(u) >= host_tuning::heavy_degree) {
        has_heavy_.store(true, std::memory_order_relaxed);
        continue;
      }
      expand_.template operator()<Sharing>(u, graph_.first_edge(u), graph_.last_edge(u), found);
    }
  }

  void heavy_vertices() {
    for (const vertex_id u : frontier_) {
      const edge_offset degree = graph_.degree(u);
      if (degree < host_tuning::heavy_degree) {
        continue;
      }
      const auto num_chunks = static_cast<std::uint32_t>(degree / host_tuning::heavy_chunk_edges);
      threads_.for_each_chunk(num_chunks, [&](std::uint32_t chunk, std::uint32_t thread) {
        const part_range part(degree, num_chunks, chunk);
        const edge_offset first = graph_.first_edge(u);
        auto found = open_(thread);
        expand_.template operator()<sharing::shared>(u, first + part.begin, first + part.end,
                                                     found);
      });
    }
  }

  team& threads_;
  csr_view<W> graph_;
  std::span<const vertex_id> frontier_;
  const Open& open_;
  const Expand& expand_;
  std::atomic<bool> has_heavy_{false};
};

}  // namespace tendril::detail
