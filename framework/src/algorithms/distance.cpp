#include "tendril/algorithms/distance.hpp"

#include <tbb/blocked_range.h>
#include <tbb/parallel_reduce.h>

#include <algorithm>
#include <cmath>
#include <sstream>
#include <string>

#include "tendril/algorithms/distance_overflow.hpp"
#include "tendril/core/error.hpp"

namespace tendril {

namespace {

template <numeric_weight W>
bool is_usable(W weight) {
  if constexpr (std::is_floating_point_v<W>) {
    return weight >= 0 && std::isfinite(weight);
  } else {
    return weight >= 0;
  }
}

template <numeric_weight W>
std::string name(const edge<W>& e) {
  std::ostringstream text;
  text << "edge " << e.source << " -> " << e.target << " of weight " << e.weight;
  return text.str();
}

}  // namespace

template <numeric_weight W>
std::optional<edge<W>> first_unusable_edge(const csr<W>& graph) {
  const csr_view<W> view = graph.view();
  const edge_offset first = tbb::parallel_reduce(
      tbb::blocked_range<edge_offset>(0, view.num_edges(), 1U << 16), view.num_edges(),
      [&](const auto& range, edge_offset best) {
        if (best <= range.begin()) {
          return best;
        }
        const W* const end = view.weights + range.end();
        const W* const found = std::find_if_not(view.weights + range.begin(), end, is_usable<W>);
        return found == end ? best : std::min(best, static_cast<edge_offset>(found - view.weights));
      },
      [](edge_offset a, edge_offset b) { return std::min(a, b); });
  if (first == view.num_edges()) {
    return std::nullopt;
  }
  const auto& offsets = graph.offsets();
  const auto row = std::upper_bound(offsets.begin(), offsets.end(), first) - offsets.begin() - 1;
  return edge<W>{static_cast<vertex_id>(row), view.target(first), view.weight(first)};
}

template <numeric_weight W>
void require_usable_weights(const csr<W>& graph) {
  if (const auto unusable = first_unusable_edge(graph)) {
    throw input_error(name(*unusable) + ": shortest distances need finite weights of 0 or more");
  }
}

template <numeric_weight W>
bool distances_may_overflow(const csr<W>& graph) {
  if constexpr (std::is_floating_point_v<W>) {
    if (graph.num_edges() == 0) {
      return false;
    }
    const W largest = *std::max_element(graph.weights().begin(), graph.weights().end());
    return largest > std::numeric_limits<W>::max() / static_cast<W>(graph.num_vertices());
  } else {
    return false;
  }
}

template <numeric_weight W>
void require_no_overflow(const csr<W>& graph, std::span<const distance_type<W>> distance) {
  const csr_view<W> view = graph.view();
  for (vertex_id u = 0; u < view.num_vertices(); ++u) {
    if (distance[u] == infinite_distance<W>) {
      continue;
    }
    for (edge_offset position = view.first_edge(u); position < view.last_edge(u); ++position) {
      if (distance[view.target(position)] == infinite_distance<W>) {
        const edge<W> over{u, view.target(position), view.weight(position)};
        throw distance_overflow<W>(
            over, name(over) + ": the distance over it is beyond the largest number of its type");
      }
    }
  }
}

// NOLINTBEGIN(bugprone-macro-parentheses): W is a type
#define TENDRIL_INSTANTIATE(W)                                           \
  template std::optional<edge<W>> first_unusable_edge<W>(const csr<W>&); \
  template void require_usable_weights<W>(const csr<W>&);                \
  template bool distances_may_overflow<W>(const csr<W>&);                \
  template void require_no_overflow<W>(const csr<W>&, std::span<const distance_type<W>>)
// NOLINTEND(bugprone-macro-parentheses)

TENDRIL_INSTANTIATE(std::int32_t);
TENDRIL_INSTANTIATE(float);
TENDRIL_INSTANTIATE(double);
#undef TENDRIL_INSTANTIATE

}  // namespace tendril
