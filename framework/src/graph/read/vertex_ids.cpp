#include "graph/read/vertex_ids.hpp"

#include <oneapi/tbb/parallel_sort.h>

#include <bit>
#include <functional>

#include "tendril/core/error.hpp"

namespace tendril::detail {

namespace {

/// A set of ids that threads fill together, and then the rank of each id in it: how many ids of the
/// set are lower.
class id_set {
 public:
  explicit id_set(vertex_id largest_id) : groups_(largest_id / 32 + 1) {}

  void insert(vertex_id id) {
    std::atomic<std::uint32_t>& members = groups_[id / 32].members;
    const std::uint32_t bit = 1U << (id % 32);
    if ((members.load(std::memory_order_relaxed) & bit) == 0) {
      members.fetch_or(bit, std::memory_order_relaxed);
    }
  }

  /// Makes rank() known. @return the number of ids
  vertex_id count() {
    vertex_id total = 0;
    for (group& one : groups_) {
      one.rank = total;
      total += static_cast<vertex_id>(std::popcount(one.members.load(std::memory_order_relaxed)));
    }
    return total;
  }

  [[nodiscard]] bool contains(vertex_id id) const {
    return (groups_[id / 32].members.load(std::memory_order_relaxed) >> (id % 32) & 1U) != 0;
  }
  [[nodiscard]] vertex_id rank(vertex_id id) const {
    const group& one = groups_[id / 32];
    const std::uint32_t lower = (1U << (id % 32)) - 1;
    return one.rank + static_cast<vertex_id>(
                          std::popcount(one.members.load(std::memory_order_relaxed) & lower));
  }

  /// All ids, ascending.
  [[nodiscard]] std::vector<std::uint64_t> elements(vertex_id size) const {
    std::vector<std::uint64_t> ids;
    ids.reserve(size);
    for (std::size_t i = 0; i < groups_.size(); ++i) {
      for (std::uint32_t left = groups_[i].members.load(std::memory_order_relaxed); left != 0;
           left &= left - 1) {
        ids.push_back(32 * i + static_cast<std::uint64_t>(std::countr_zero(left)));
      }
    }
    return ids;
  }

 private:
  /// 32 ids, in one word with their rank: one cache miss for both.
  struct group {
    std::atomic<std::uint32_t> members;
    std::uint32_t rank;  // of the first of these ids
  };
  std::vector<group> groups_;
};

/// Of the number or the text that names a vertex.
[[nodiscard]] std::uint64_t hash_of(std::uint64_t name) {
  // Fibonacci hashing; the high bits, which are the well mixed ones, are folded down.
  const std::uint64_t mixed = name * 0x9E3779B97F4A7C15U;
  return mixed ^ (mixed >> 32U);
}
[[nodiscard]] std::uint64_t hash_of(std::string_view name) {
  return std::hash<std::string_view>{}(name);
}

}  // namespace

template <weight W>
vertex_set close_gaps(edge_list<W>& edges, vertex_id largest_id) {
  if (edges.size() == 0) {
    return {};
  }
  id_set ids(largest_id);
  for_each_edge(edges, [&](const edge<W>& one) {
    ids.insert(one.source);
    ids.insert(one.target);
  });
  const vertex_id num_vertices = ids.count();
  const vertex_id base = ids.contains(0) ? 0 : 1;
  if (num_vertices == largest_id + 1 - base) {
    return {num_vertices, base, vertex_names(num_vertices, base)};
  }
  for_each_edge(edges, [&](edge<W>& one) {
    one.source = ids.rank(one.source);
    one.target = ids.rank(one.target);
  });
  return {num_vertices, 0, vertex_names(ids.elements(num_vertices))};
}

template vertex_set close_gaps(edge_list<none>&, vertex_id);
template vertex_set close_gaps(edge_list<std::int32_t>&, vertex_id);
template vertex_set close_gaps(edge_list<float>&, vertex_id);
template vertex_set close_gaps(edge_list<double>&, vertex_id);

template <class Name>
vertex_id name_table<Name>::number_of(view name) {
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

template <class Name>
auto name_table<Name>::shard::slot_of(view name, std::uint64_t hash) -> entry& {
  const std::size_t mask = slots.size() - 1;
  std::size_t at = (hash / num_shards) & mask;
  while (slots[at].number != no_vertex && slots[at].name != name) {
    at = (at + 1) & mask;
  }
  return slots[at];
}

template <class Name>
void name_table<Name>::shard::grow_if_full() {
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

template <class Name>
auto name_table<Name>::take_entries() -> std::vector<entry> {
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

template <class Name>
auto name_table<Name>::take_ranks() -> ranking {
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
  return {std::move(rank_of), vertex_names(std::move(names))};
}

template class name_table<std::uint64_t>;
template class name_table<std::string>;

}  // namespace tendril::detail
