#include "support/sources.hpp"

#include <algorithm>
#include <charconv>
#include <numeric>
#include <optional>
#include <random>
#include <string_view>
#include <unordered_set>

#include "support/input.hpp"
#include "support/text.hpp"
#include "tendril/core/error.hpp"

namespace tendril::app {

namespace {

constexpr std::string_view random_prefix = "random:";

std::vector<vertex_id> read_sources(const std::string& path, const vertex_names& names) {
  std::vector<vertex_id> ids;
  for_each_line(path, [&](const std::string& where, const std::string& name) {
    const bool is_comment = name.starts_with('#') && !names.find(name);
    if (!is_comment) {
      ids.push_back(named_vertex(where, name, names));
    }
  });
  if (ids.empty()) {
    throw input_error(path + ":1: expected the name of a vertex, found none in the file");
  }
  return ids;
}

/// Uniform numbers 0 .. size - 1 by rejection, the same on every machine.
class uniform_vertex {
 public:
  uniform_vertex(std::uint32_t seed, vertex_id size)
      : twister_(seed), size_(size), end_(values - values % size) {}
  vertex_id operator()() {
    std::uint64_t drawn = twister_();
    while (drawn >= end_) {
      drawn = twister_();
    }
    return static_cast<vertex_id>(drawn % size_);
  }

 private:
  static constexpr std::uint64_t values = std::uint64_t{1} << 32U;
  std::mt19937 twister_;
  std::uint64_t size_;
  std::uint64_t end_;  // the largest multiple of size_ that is at most `values`
};

std::vector<vertex_id> draw_sources(std::uint32_t seed, std::uint64_t count,
                                    const csr<none>& graph) {
  const csr_view<none> view = graph.view();
  uniform_vertex draw(seed, graph.num_vertices());
  std::unordered_set<vertex_id> drawn;
  std::vector<vertex_id> ids;
  while (ids.size() < count) {
    const vertex_id v = draw();
    if (view.degree(v) > 0 && drawn.insert(v).second) {
      ids.push_back(v);
    }
  }
  return ids;
}

std::uint64_t num_random(const std::string& list) {
  std::uint64_t count = 0;
  const char* begin = list.data() + random_prefix.size();
  const char* end = list.data() + list.size();
  const auto [stop, error] = std::from_chars(begin, end, count);
  if (error != std::errc() || stop != end || count == 0) {
    throw usage_error("--sources: expected random:K with K at least 1, found " + list);
  }
  return count;
}

std::vector<vertex_id> random_sources(std::uint32_t seed, std::uint64_t count,
                                      const csr<none>& graph) {
  const csr_view<none> view = graph.view();
  vertex_id num_candidates = 0;
  for (vertex_id v = 0; v < graph.num_vertices(); ++v) {
    num_candidates += view.degree(v) > 0 ? 1U : 0U;
  }
  if (count == 1 && num_candidates == 0) {
    return graph.num_vertices() == 0 ? std::vector<vertex_id>() : std::vector<vertex_id>{0};
  }
  if (count > num_candidates) {
    throw input_error("--sources: expected at most " +
                      counted(num_candidates, "source", "sources") +
                      ", the vertices with outgoing edges; found random:" + std::to_string(count));
  }
  return draw_sources(seed, count, graph);
}

}  // namespace

vertex_id named_vertex(const std::string& where, const std::string& name,
                       const vertex_names& names) {
  const std::optional<vertex_id> found = names.find(name);
  if (!found) {
    throw input_error(where + "expected a vertex of the graph (" + names.range() + "), found " +
                      name);
  }
  return *found;
}

chosen_sources choose_sources(const source_options& options, const csr<none>& graph,
                              const vertex_names& names) {
  if (options.list.starts_with(random_prefix)) {
    return {random_sources(options.random_seed, num_random(options.list), graph),
            options.random_seed};
  }
  if (options.takes_all && options.list == "all") {
    std::vector<vertex_id> all(graph.num_vertices());
    std::iota(all.begin(), all.end(), vertex_id{0});
    return {std::move(all), {}};
  }
  if (!options.list.empty()) {
    return {read_sources(options.list, names), {}};
  }
  if (options.names.empty()) {
    return {random_sources(options.random_seed, 1, graph), options.random_seed};
  }
  std::vector<vertex_id> ids;
  for (const std::string& name : options.names) {
    ids.push_back(named_vertex("--source: ", name, names));
  }
  return {ids, {}};
}

}  // namespace tendril::app
