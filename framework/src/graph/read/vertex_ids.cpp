#include "graph/read/vertex_ids.hpp"

#include <bit>

namespace tendril::detail {

namespace {

/// A set of ids that threads fill together, and then the rank of each id in it.
class id_set {
 public:
  explicit id_set(vertex_id largest_id) : words_(largest_id / 64 + 1) {}

  void insert(vertex_id id) {
    auto& word = words_[id / 64];
    const std::uint64_t bit = std::uint64_t{1} << (id % 64);
    if ((word.load(std::memory_order_relaxed) & bit) == 0) {
      word.fetch_or(bit, std::memory_order_relaxed);
    }
  }

  /// Makes rank() known. @return the number of ids
  vertex_id count() {
    ranks_.reserve(words_.size());
    vertex_id total = 0;
    for (const auto& word : words_) {
      ranks_.push_back(total);
      total += static_cast<vertex_id>(std::popcount(word.load(std::memory_order_relaxed)));
    }
    return total;
  }

  [[nodiscard]] bool contains(vertex_id id) const {
    return (words_[id / 64].load(std::memory_order_relaxed) >> (id % 64) & 1U) != 0;
  }
  /// Ids in the set below this one.
  [[nodiscard]] vertex_id rank(vertex_id id) const {
    const std::uint64_t below = (std::uint64_t{1} << (id % 64)) - 1;
    const std::uint64_t word = words_[id / 64].load(std::memory_order_relaxed);
    return ranks_[id / 64] + static_cast<vertex_id>(std::popcount(word & below));
  }

  /// All ids, ascending.
  [[nodiscard]] std::vector<std::uint64_t> elements(vertex_id size) const {
    std::vector<std::uint64_t> ids;
    ids.reserve(size);
    for (std::size_t i = 0; i < words_.size(); ++i) {
      for (std::uint64_t word = words_[i].load(std::memory_order_relaxed); word != 0;
           word &= word - 1) {
        ids.push_back(64 * i + static_cast<std::uint64_t>(std::countr_zero(word)));
      }
    }
    return ids;
  }

 private:
  std::vector<std::atomic<std::uint64_t>> words_;
  std::vector<vertex_id> ranks_;  // [words], ids in the words before
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
