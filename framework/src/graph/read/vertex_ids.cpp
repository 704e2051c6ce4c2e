#include "graph/read/vertex_ids.hpp"

#include <bit>

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

}  // namespace tendril::detail
