#include "graph/read/as_asked.hpp"

#include <tbb/blocked_range.h>
#include <tbb/parallel_reduce.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "core/parallel.hpp"
#include "graph/build/rebuild.hpp"
#include "tendril/core/error.hpp"

namespace tendril::detail {

namespace {

/// A mark of an edge, the same from either of its ends. @source splitmix64's finaliser
template <weight W>
[[nodiscard]] std::uint64_t mark_of(vertex_id one, vertex_id other, W value) {
  const auto mixed = [](std::uint64_t mark) {
    mark = (mark ^ mark >> 30U) * 0xBF58476D1CE4E5B9U;
    mark = (mark ^ mark >> 27U) * 0x94D049BB133111EBU;
    return mark ^ mark >> 31U;
  };
  const auto [low, high] = std::minmax(one, other);
  std::uint64_t mark = mixed((std::uint64_t{low} << 32U | high) + 0x9E3779B97F4A7C15U);
  if constexpr (!std::is_same_v<W, none>) {
    const W without_sign_of_zero = value + W{0};
    std::uint64_t bits = 0;
    std::memcpy(&bits, &without_sign_of_zero, sizeof(W));
    mark = mixed(mark + bits);
  }
  return mark;
}

/// The lowest vertex whose row is not what leads to it; no_vertex if all edges stand in the rows of
/// both ends equally often and with the same weights. Rows need not be sorted: sums of marks are
/// compared, and two different rows have the same sum with a probability of 2^-64.
template <weight W>
[[nodiscard]] vertex_id first_one_sided_row(const csr_view<W>& graph) {
  const auto add_rows = [&](const tbb::blocked_range<vertex_id>& rows, std::uint64_t sum) {
    for (vertex_id v = rows.begin(); v != rows.end(); ++v) {
      for (edge_offset e = graph.first_edge(v); e < graph.last_edge(v); ++e) {
        const vertex_id target = graph.target(e);
        if (target != v) {
          const std::uint64_t mark = mark_of(v, target, graph.weight(e));
          sum += v < target ? mark : -mark;
        }
      }
    }
    return sum;
  };
  if (tbb::parallel_reduce(tbb::blocked_range<vertex_id>(0, graph.num_vertices(), 1024),
                           std::uint64_t{0}, add_rows, std::plus<>()) == 0) {
    return no_vertex;
  }
  std::vector<std::uint64_t> difference(graph.num_vertices());
  for (vertex_id v = 0; v < graph.num_vertices(); ++v) {
    for (edge_offset e = graph.first_edge(v); e < graph.last_edge(v); ++e) {
      const std::uint64_t mark = mark_of(v, graph.target(e), graph.weight(e));
      difference[v] += mark;
      difference[graph.target(e)] -= mark;
    }
  }
  const auto found =
      std::find_if(difference.begin(), difference.end(), [](std::uint64_t d) { return d != 0; });
  return static_cast<vertex_id>(found - difference.begin());
}

template <weight W>
void refuse_one_sided_rows(const std::filesystem::path& path, const csr_view<W>& graph) {
  const vertex_id one_sided = first_one_sided_row(graph);
  if (one_sided != no_vertex) {
    throw input_error(path.string() +
                      ": expected both directions of each edge of an undirected graph" +
                      (std::is_same_v<W, none> ? "" : " with the same weight") +
                      ", found one only at vertex " + std::to_string(one_sided));
  }
}

}  // namespace

template <weight W>
csr<W> as_asked(const std::filesystem::path& path, const csr<W>& stored,
                const read_options& options) {
  if (options.index_base) {
    throw usage_error(path.string() + ": an index base was given; only text formats have one");
  }
  const orientation kind = options.kind.value_or(stored.kind());
  if (stored.is_undirected() && kind == orientation::undirected) {
    refuse_one_sided_rows(path, stored.view());
  }
  const build_options policies{
      .kind = kind, .loops = options.loops, .parallel_edges = options.parallel_edges};
  const bool as_it_is = policies.loops == build_options::self_loops::keep &&
                        policies.parallel_edges == build_options::duplicates::keep &&
                        (kind == stored.kind() || stored.is_undirected()) &&
                        build::has_sorted_rows(stored.view());
  return with_kind(as_it_is ? stored : build::rebuild(stored, policies), kind);
}

std::string fault_in(std::span<const edge_offset> offsets, std::span<const vertex_id> targets) {
  if (offsets.front() != 0 || offsets.back() != targets.size()) {
    return "expected offsets from 0 to " + std::to_string(targets.size()) + ", found " +
           std::to_string(offsets.front()) + " to " + std::to_string(offsets.back());
  }
  const std::uint64_t row = parallel::first_where(
      offsets.size() - 1, [&](std::size_t v) { return offsets[v] > offsets[v + 1]; });
  if (row != parallel::nowhere) {
    return "expected offsets that never decrease, found " + std::to_string(offsets[row + 1]) +
           " after " + std::to_string(offsets[row]) + " at vertex " + std::to_string(row);
  }
  const std::uint64_t num_vertices = offsets.size() - 1;
  const std::uint64_t position = parallel::first_where(
      targets.size(), [&](std::size_t i) { return targets[i] >= num_vertices; });
  if (position != parallel::nowhere) {
    return "expected targets below " + std::to_string(num_vertices) + ", found " +
           std::to_string(targets[position]) + " at edge " + std::to_string(position);
  }
  return "";
}

template csr<none> as_asked(const std::filesystem::path&, const csr<none>&, const read_options&);
template csr<std::int32_t> as_asked(const std::filesystem::path&, const csr<std::int32_t>&,
                                    const read_options&);
template csr<float> as_asked(const std::filesystem::path&, const csr<float>&, const read_options&);
template csr<double> as_asked(const std::filesystem::path&, const csr<double>&,
                              const read_options&);

}  // namespace tendril::detail
