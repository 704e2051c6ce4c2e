#pragma once

#include <oneapi/tbb/concurrent_hash_map.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/parallel_sort.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "tendril/core/error.hpp"
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

/// Numbers below this are ids at once; a bitmap of those that occur takes at most 32 MiB.
inline constexpr std::uint64_t dense_id_limit = std::uint64_t{1} << 28;

/// Renumbers ids so that none is left out; those that run from 0 or 1 without a gap stay as they
/// are.
/// @param largest_id  of all end points, < dense_id_limit
template <weight W>
[[nodiscard]] vertex_set close_gaps(edge_list<W>& edges, vertex_id largest_id);

/// Calls change(edge) for every edge, in parallel.
template <weight W, class Change>
void for_each_edge(edge_list<W>& edges, const Change& change) {
  auto& chunks = edges.chunks();
  oneapi::tbb::parallel_for(std::size_t{0}, chunks.size(), [&](std::size_t i) {
    for (auto& one : chunks[i]) {
      change(one);
    }
  });
}

/// Gives names numbers in the order in which threads meet them, and in the end their ranks: the
/// same ids on any number of threads.
/// @tparam Name  std::uint64_t or std::string
template <class Name>
class name_table {
 public:
  using view =
      std::conditional_t<std::is_same_v<Name, std::string>, std::string_view, std::uint64_t>;

  /// A number for the name, provisional until rank() is called. From any thread.
  [[nodiscard]] vertex_id number_of(view name) {
    {
      typename map::const_accessor found;
      if (numbers_.find(found, name)) {
        return found->second;
      }
    }
    typename map::accessor entry;
    if (numbers_.insert(entry, name)) {
      const std::uint64_t number = size_.fetch_add(1, std::memory_order_relaxed);
      if (number >= no_vertex - 1) {
        throw resource_error("edge list: more than " + std::to_string(no_vertex - 1) + " vertices");
      }
      entry->second = static_cast<vertex_id>(number);
    }
    return entry->second;
  }

  /// Replaces the provisional numbers in the edges by ranks. Consumes the table.
  template <weight W>
  [[nodiscard]] vertex_set rank(edge_list<W>& edges) {
    std::vector<std::pair<Name, vertex_id>> sorted(numbers_.begin(), numbers_.end());
    numbers_.clear();
    oneapi::tbb::parallel_sort(sorted.begin(), sorted.end());
    std::vector<vertex_id> rank_of(sorted.size());
    std::vector<Name> names;
    names.reserve(sorted.size());
    for (auto& [name, number] : sorted) {
      rank_of[number] = static_cast<vertex_id>(names.size());
      names.push_back(std::move(name));
    }
    for_each_edge(edges, [&](edge<W>& one) {
      one.source = rank_of[one.source];
      one.target = rank_of[one.target];
    });
    const auto num_vertices = names.size();
    return {num_vertices, 0, vertex_names(std::move(names))};
  }

 private:
  struct hashing {
    using is_transparent = void;
    [[nodiscard]] static std::size_t hash(view name) {
      if constexpr (std::is_same_v<view, std::uint64_t>) {
        // Fibonacci hashing, high bits folded down: consecutive numbers must not share low bits.
        const std::uint64_t mixed = name * 0x9E3779B97F4A7C15U;
        return mixed ^ (mixed >> 32U);
      } else {
        return std::hash<view>{}(name);
      }
    }
    [[nodiscard]] static bool equal(view a, view b) { return a == b; }
  };
  using map = oneapi::tbb::concurrent_hash_map<Name, vertex_id, hashing>;

  map numbers_;
  std::atomic<std::uint64_t> size_ = 0;
};

}  // namespace tendril::detail
