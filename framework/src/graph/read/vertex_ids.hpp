#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/parallel.hpp"
#include "tendril/graph/edge_list.hpp"
#include "tendril/graph/vertex_names.hpp"

// From what an edge list calls its vertices to 0 .. n-1, where n is the number of distinct names.

namespace tendril::detail {

/// Vertices of an edge list: how many, what the edges call the first, and what the file calls each.
struct vertex_set {
  std::uint64_t num_vertices = 0;
  vertex_id index_base = 0;
  vertex_names names = vertex_names();
};

/// Numbers below this are ids at once; the set of those that occur takes at most 32 MiB.
inline constexpr std::uint64_t dense_id_limit = std::uint64_t{1} << 27;

/// Renumbers ids so that none is left out; those that run from 0 or 1 without a gap stay as they
/// are.
/// @param largest_id  of all end points, < dense_id_limit
template <weight W>
[[nodiscard]] vertex_set close_gaps(edge_list<W>& edges, vertex_id largest_id);

/// Calls change(edge) for every edge, in parallel.
template <weight W, class Change>
void for_each_edge(edge_list<W>& edges, const Change& change) {
  auto& chunks = edges.chunks();
  parallel::for_each(chunks.size(), [&](std::size_t i) {
    for (auto& one : chunks[i]) {
      change(one);
    }
  });
}

/// Gives names numbers in the order in which threads meet them, and in the end their ranks: the
/// same ids on any number of threads. A hash table with linear probing, cut into shards by hash so
/// that threads rarely wait for each other and growing stops one shard only.
/// @tparam Name  std::uint64_t or std::string
template <class Name>
class name_table {
 public:
  using view =
      std::conditional_t<std::is_same_v<Name, std::string>, std::string_view, std::uint64_t>;

  name_table() : shards_(num_shards) {}

  /// A number for the name, provisional until rank() is called. From any thread.
  /// @throws resource_error for more names than vertices can be numbered
  [[nodiscard]] vertex_id number_of(view name);

  /// Replaces the provisional numbers in the edges by ranks. Consumes the table.
  template <weight W>
  [[nodiscard]] vertex_set rank(edge_list<W>& edges) {
    ranking ranks = take_ranks();
    for_each_edge(edges, [&](edge<W>& one) {
      one.source = ranks.of[one.source];
      one.target = ranks.of[one.target];
    });
    return {ranks.of.size(), 0, std::move(ranks.names)};
  }

 private:
  struct ranking {
    std::vector<vertex_id> of;  // [provisional number]
    vertex_names names;
  };
  struct entry {
    Name name{};
    vertex_id number = no_vertex;  // no_vertex: a free slot
  };

  static constexpr std::size_t num_shards = 64;
  static constexpr std::size_t first_slots = 16;  // a power of two, as all sizes

  struct alignas(64) shard {
    std::mutex guard;
    std::vector<entry> slots = std::vector<entry>(first_slots);
    std::size_t num_used = 0;

    /// The slot that holds the name, or the free one where it belongs.
    [[nodiscard]] entry& slot_of(view name, std::uint64_t hash);
    /// Doubles the slots when more than 7 of 10 are used.
    void grow_if_full();
  };

  [[nodiscard]] std::vector<entry> take_entries();
  [[nodiscard]] ranking take_ranks();

  std::vector<shard> shards_;
  std::atomic<std::uint64_t> size_ = 0;
};

extern template class name_table<std::uint64_t>;
extern template class name_table<std::string>;

}  // namespace tendril::detail
