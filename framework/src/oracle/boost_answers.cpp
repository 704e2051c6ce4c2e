#include "tendril/oracle/boost_answers.hpp"

#include <algorithm>
#include <boost/graph/breadth_first_search.hpp>
#include <boost/graph/connected_components.hpp>
#include <boost/graph/dijkstra_shortest_paths.hpp>
#include <boost/pending/queue.hpp>
#include <boost/property_map/function_property_map.hpp>
#include <sstream>

#include "graph/build/rebuild.hpp"
#include "oracle/boost_graph.hpp"
#include "tendril/algorithms/voronoi.hpp"

namespace tendril::oracle {

namespace {

/// Calls a function with both ends of each edge over which a vertex is found.
template <class Found>
class tree_edges : public boost::default_bfs_visitor {
 public:
  explicit tree_edges(const Found& found) : found_(&found) {}

  template <weight W>
  void tree_edge(const boost_edge& e, const boost_graph<W>& graph) const {
    (*found_)(e.source, target(e, graph));
  }

 private:
  const Found* found_;
};

/// Labels by boost::breadth_first_search from the sources, in their order: a vertex is found in the
/// order of the queue, from the first that leads to it.
/// @param none    of a vertex that is not found
/// @param source  source(v): of a source
/// @param next    next(label of its parent): of a vertex that is found
/// @return [num_vertices]
template <weight W, class T, class Source, class Next>
std::vector<T> labels_by_boost(const csr<W>& graph, std::span<const vertex_id> sources, T none,
                               const Source& source, const Next& next) {
  std::vector<T> label(graph.num_vertices(), none);
  for (const vertex_id v : sources) {
    label[v] = source(v);
  }
  const auto found = [&](vertex_id parent, vertex_id v) { label[v] = next(label[parent]); };
  std::vector<boost::default_color_type> colors(label.size());
  boost::queue<vertex_id> queue;
  boost::breadth_first_search(boost_graph<W>{graph.view()}, sources.begin(), sources.end(), queue,
                              tree_edges(found),
                              boost::make_iterator_property_map(
                                  colors.begin(), boost::typed_identity_property_map<vertex_id>()));
  return label;
}

template <class T>
std::optional<std::string> first_difference(const std::vector<T>& expected,
                                            std::span<const T> found, const char* what) {
  std::ostringstream text;
  if (expected.size() != found.size()) {
    text << "expected " << expected.size() << " vertices, found " << found.size();
    return text.str();
  }
  const auto at = std::mismatch(expected.begin(), expected.end(), found.begin());
  if (at.first == expected.end()) {
    return std::nullopt;
  }
  text << "vertex " << at.first - expected.begin() << ": Boost.Graph has " << what << ' '
       << *at.first << ", found " << *at.second;
  return text.str();
}

}  // namespace

template <weight W>
std::vector<std::int32_t> bfs_depths(const csr<W>& graph, std::span<const vertex_id> sources,
                                     std::int32_t depth_limit) {
  auto depth = labels_by_boost(
      graph, sources, unreached, [](vertex_id /*source*/) { return 0; },
      [](std::int32_t parent) { return parent + 1; });
  std::replace_if(
      depth.begin(), depth.end(), [&](std::int32_t d) { return d > depth_limit; }, unreached);
  return depth;
}

template <numeric_weight W>
std::vector<distance_type<W>> dijkstra_distances(const csr<W>& graph,
                                                 std::span<const vertex_id> sources) {
  using distance = distance_type<W>;
  const boost_graph<W> adapted{graph.view()};
  std::vector<distance> distances(graph.num_vertices(), infinite_distance<W>);
  const boost::typed_identity_property_map<vertex_id> index;
  std::vector<boost::default_color_type> colors(distances.size());
  const auto weights = boost::make_function_property_map<boost_edge>(
      [&](const boost_edge& e) { return distance{adapted.view.weight(e.position)}; });
  boost::dijkstra_shortest_paths(
      adapted, sources.begin(), sources.end(), boost::dummy_property_map(),
      boost::make_iterator_property_map(distances.begin(), index), weights, index,
      std::less<distance>(), boost::closed_plus<distance>(infinite_distance<W>),
      infinite_distance<W>, distance{0}, boost::default_dijkstra_visitor(),
      boost::make_iterator_property_map(colors.begin(), index));
  return distances;
}

template <weight W>
std::optional<std::string> compare_bfs(const csr<W>& graph, std::span<const vertex_id> sources,
                                       std::span<const std::int32_t> depth,
                                       std::int32_t depth_limit) {
  return first_difference(bfs_depths(graph, sources, depth_limit), depth, "depth");
}

template <numeric_weight W>
std::optional<std::string> compare_sssp(const csr<W>& graph, std::span<const vertex_id> sources,
                                        std::span<const distance_type<W>> distance) {
  return first_difference(dijkstra_distances(graph, sources), distance, "distance");
}

std::optional<std::string> compare_components(const csr<>& graph,
                                              std::span<const vertex_id> label) {
  const csr<> both_ways = build::rebuild(graph, {.kind = orientation::undirected});
  std::vector<vertex_id> expected(graph.num_vertices());
  const boost::typed_identity_property_map<vertex_id> index;
  std::vector<boost::default_color_type> colors(expected.size());
  boost::connected_components(
      boost_undirected_graph<none>{{both_ways.view()}},
      boost::make_iterator_property_map(expected.begin(), index),
      boost::color_map(boost::make_iterator_property_map(colors.begin(), index)));
  std::vector<vertex_id> least(expected.size(), no_vertex);  // of each component
  for (vertex_id v = 0; v < expected.size(); ++v) {
    expected[v] = least[expected[v]] = std::min(least[expected[v]], v);
  }
  return first_difference(expected, label, "component");
}

std::optional<std::string> compare_voronoi(const csr<>& graph, std::span<const vertex_id> sources,
                                           std::span<const std::uint64_t> label) {
  // In ascending order: of equally near sources the lowest finds a vertex first.
  const auto expected = labels_by_boost(
      graph, distinct_sources(sources, graph.num_vertices()), no_cell,
      [](vertex_id source) { return std::uint64_t{source}; },
      [](std::uint64_t parent) { return parent + (std::uint64_t{1} << 32U); });
  return first_difference(expected, label, "steps << 32 | source");
}

// NOLINTBEGIN(bugprone-macro-parentheses): W is a type
#define TENDRIL_INSTANTIATE_BFS(W)                                                              \
  template std::vector<std::int32_t> bfs_depths<W>(const csr<W>&, std::span<const vertex_id>,   \
                                                   std::int32_t);                               \
  template std::optional<std::string> compare_bfs<W>(const csr<W>&, std::span<const vertex_id>, \
                                                     std::span<const std::int32_t>, std::int32_t)
#define TENDRIL_INSTANTIATE_SSSP(W)                                                              \
  template std::vector<distance_type<W>> dijkstra_distances<W>(const csr<W>&,                    \
                                                               std::span<const vertex_id>);      \
  template std::optional<std::string> compare_sssp<W>(const csr<W>&, std::span<const vertex_id>, \
                                                      std::span<const distance_type<W>>)
// NOLINTEND(bugprone-macro-parentheses)

TENDRIL_INSTANTIATE_BFS(none);
TENDRIL_INSTANTIATE_BFS(std::int32_t);
TENDRIL_INSTANTIATE_BFS(float);
TENDRIL_INSTANTIATE_BFS(double);
TENDRIL_INSTANTIATE_SSSP(std::int32_t);
TENDRIL_INSTANTIATE_SSSP(float);
TENDRIL_INSTANTIATE_SSSP(double);
#undef TENDRIL_INSTANTIATE_BFS
#undef TENDRIL_INSTANTIATE_SSSP

}  // namespace tendril::oracle
