#include "graph/read/as_asked.hpp"

#include <string>

#include "core/parallel.hpp"
#include "graph/build/rebuild.hpp"
#include "tendril/core/error.hpp"

namespace tendril::detail {

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
