#pragma once

#include <oneapi/tbb/parallel_sort.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/parallel.hpp"
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
  [[nodiscard]] vertex_id number_of(view name) {
    const std::uint64_t hash = hash_of(name);
    shard& home = shards_[hash % num_shards];
    const std::scoped_lock lock(home.guard);
    entry& found = home.slot_of(name, hash);
    if (found.number != no_vertex) {
      return found.number;
    }
    const std::uint64_t number = size_.fetch_add(1, std::memory_order_relaxed);
    if (number >= no_vertex - 1) {
      throw resource_error("edge list: more than " + std::to_string(no_vertex - 1) + " vertices");
    }
    found = {Name(name), static_cast<vertex_id>(number)};
    ++home.num_used;
    home.grow_if_full();
    return static_cast<vertex_id>(number);
  }

  /// Replaces the provisional numbers in the edges by ranks. Consumes the table.
  template <weight W>
  [[nodiscard]] vertex_set rank(edge_list<W>& edges) {
    std::vector<entry> sorted = take_entries();
    oneapi::tbb::parallel_sort(sorted.begin(), sorted.end(),
                               [](const entry& a, const entry& b) { return a.name < b.name; });
    std::vector<vertex_id> rank_of(sorted.size());
    std::vector<Name> names;
    names.reserve(sorted.size());
    for (entry& one : sorted) {
      rank_of[one.number] = static_cast<vertex_id>(names.size());
      names.push_back(std::move(one.name));
    }
    for_each_edge(edges, [&](edge<W>& one) {
      one.source = rank_of[one.source];
      one.target = rank_of[one.target];
    });
    const auto num_vertices = names.size();
    return {num_vertices, 0, vertex_names(std::move(names))};
  }

 private:
  struct entry {
    Name name{};
    vertex_id number = no_vertex;  // no_vertex: a free slot
  };

  static constexpr std::size_t num_shards = 64;
  static constexpr std::size_t first_slots = 16;  // a power of two, as all sizes

  [[nodiscard]] static std::uint64_t hash_of(view name) {
    if constexpr (std::is_same_v<view, std::uint64_t>) {
      // Fibonacci hashing; the high bits, which are the well mixed ones, are folded down.
      const std::uint64_t mixed = name * 0x9E3779B97F4A7C15U;
      return mixed ^ (mixed >> 32U);
    } else {
      return std::hash<view>{}(name);
    }
  }

  struct alignas(64) shard {
    std::mutex guard;
    std::vector<entry> slots = std::vector<entry>(first_slots);
    std::size_t num_used = 0;

    /// The slot that holds the name, or the free one where it belongs.
    [[nodiscard]] entry& slot_of(view name, std::uint64_t hash) {
      const std::size_t mask = slots.size() - 1;
      std::size_t at = (hash / num_shards) & mask;
      while (slots[at].number != no_vertex && slots[at].name != name) {
        at = (at + 1) & mask;
      }
      return slots[at];
    }

    /// Doubles the slots when more than 7 of 10 are used.
    void grow_if_full() {
      if (10 * num_used <= 7 * slots.size()) {
        return;
      }
      std::vector<entry> old(2 * slots.size());
      old.swap(slots);
      for (entry& one : old) {
        if (one.number != no_vertex) {
          slot_of(one.name, hash_of(one.name)) = std::move(one);
        }
      }
    }
  };

  [[nodiscard]] std::vector<entry> take_entries() {
    std::vector<entry> entries;
    entries.reserve(size_);
    for (shard& one : shards_) {
      for (entry& slot : one.slots) {
        if (slot.number != no_vertex) {
          entries.push_back(std::move(slot));
        }
      }
      std::vector<entry>().swap(one.slots);  // gives the memory back, which = {} would not
    }
    return entries;
  }

  std::vector<shard> shards_;
  std::atomic<std::uint64_t> size_ = 0;
};

}  // namespace tendril::detail
