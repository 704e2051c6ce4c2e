#include "graph/read/as_asked.hpp"

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_reduce.h>

#include <algorithm>
#include <string>

#include "graph/build/rebuild.hpp"
#include "tendril/core/error.hpp"

namespace tendril::detail {

namespace {

constexpr std::uint64_t nowhere = ~std::uint64_t{0};

// The first index below size for which is_bad holds.
template <class Test>
std::uint64_t first_bad(std::uint64_t size, const Test& is_bad) {
  using range = tbb::blocked_range<std::uint64_t>;
  return tbb::parallel_reduce(
      range(0, size), nowhere,
      [&](const range& indices, std::uint64_t found) {
        for (std::uint64_t i = indices.begin(); found == nowhere && i < indices.end(); ++i) {
          found = is_bad(i) ? i : nowhere;
        }
        return found;
      },
      [](std::uint64_t a, std::uint64_t b) { return std::min(a, b); });
}

}  // namespace

template <weight W>
csr<W> as_asked(const std::filesystem::path& path, const csr<W>& stored,
                const read_options& options) {
  if (options.index_base) {
    throw usage_error(path.string() + ": an index base was given; only text formats have one");
  }
  const orientation kind = options.kind.value_or(stored.kind());
  const build_options policies{
      .kind = kind, .loops = options.loops, .parallel_edges = options.parallel_edges};
  const bool as_it_is = policies.loops == build_options::self_loops::keep &&
                        policies.parallel_edges == build_options::duplicates::keep &&
                        (kind == stored.kind() || stored.is_undirected()) &&
                        build::has_sorted_rows(stored.view());
  const csr<W> graph = as_it_is ? stored : build::rebuild(stored, policies);
  return {graph.offsets(), graph.targets(), graph.weights(), kind};
}

std::string fault_in(std::span<const edge_offset> offsets, std::span<const vertex_id> targets) {
  if (offsets.front() != 0 || offsets.back() != targets.size()) {
    return "expected offsets from 0 to " + std::to_string(targets.size()) + ", found " +
           std::to_string(offsets.front()) + " to " + std::to_string(offsets.back());
  }
  const std::uint64_t row =
      first_bad(offsets.size() - 1, [&](std::uint64_t v) { return offsets[v] > offsets[v + 1]; });
  if (row != nowhere) {
    return "expected offsets that never decrease, found " + std::to_string(offsets[row + 1]) +
           " after " + std::to_string(offsets[row]) + " at vertex " + std::to_string(row);
  }
  const std::uint64_t num_vertices = offsets.size() - 1;
  const std::uint64_t position =
      first_bad(targets.size(), [&](std::uint64_t i) { return targets[i] >= num_vertices; });
  if (position != nowhere) {
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
