#include "tendril/oracle/certificate.hpp"

#include <algorithm>
#include <sstream>
#include <vector>

namespace tendril::oracle {

namespace {

using verdict = std::optional<std::string>;

template <class... Parts>
std::string sentence(const Parts&... parts) {
  std::ostringstream text;
  (text << ... << parts);
  return text.str();
}

std::vector<bool> marked(std::span<const vertex_id> vertices, vertex_id num_vertices) {
  std::vector<bool> marks(num_vertices);
  for (const vertex_id v : vertices) {
    marks[v] = true;
  }
  return marks;
}

verdict check_size(const char* what, std::size_t found, vertex_id num_vertices) {
  if (found == num_vertices) {
    return std::nullopt;
  }
  return sentence("expected one ", what, " for each of ", num_vertices, " vertices, found ", found);
}

/// One breadth-first result under proof, a rule per function.
template <weight W>
class bfs_proof {
 public:
  bfs_proof(const csr<W>& graph, std::span<const vertex_id> sources,
            std::span<const std::int32_t> depth, std::span<const vertex_id> parent,
            std::int32_t depth_limit)
      : graph_(graph.view()),
        depth_(depth),
        parent_(parent),
        depth_limit_(depth_limit),
        is_source_(marked(sources, graph.num_vertices())),
        has_parent_edge_(graph.num_vertices()) {}

  verdict run() {
    for (vertex_id v = 0; v < graph_.num_vertices(); ++v) {
      if (auto wrong = vertex(v)) {
        return wrong;
      }
    }
    for (vertex_id u = 0; u < graph_.num_vertices(); ++u) {
      if (depth_[u] == unreached) {
        continue;
      }
      for (edge_offset position = graph_.first_edge(u); position < graph_.last_edge(u);
           ++position) {
        if (auto wrong = arc(u, graph_.target(position))) {
          return wrong;
        }
      }
    }
    for (vertex_id v = 0; v < graph_.num_vertices(); ++v) {
      if (depth_[v] > 0 && !has_parent_edge_[v]) {
        return parent_.empty()
                   ? sentence("vertex ", v, " has depth ", depth_[v],
                              " and no edge from a vertex one level up")
                   : sentence("vertex ", v, " has parent ", parent_[v], " but no edge from it");
      }
    }
    return std::nullopt;
  }

 private:
  verdict vertex(vertex_id v) const {
    const std::int32_t depth = depth_[v];
    if (is_source_[v] != (depth == 0)) {
      return is_source_[v] ? sentence("source ", v, " has depth ", depth)
                           : sentence("vertex ", v, " has depth 0 and is no source");
    }
    if (depth < unreached || depth > depth_limit_) {
      return sentence("vertex ", v, " has depth ", depth, ", the limit is ", depth_limit_);
    }
    return parent_.empty() ? std::nullopt : parent(v);
  }

  verdict parent(vertex_id v) const {
    const vertex_id p = parent_[v];
    if (depth_[v] == unreached) {
      return p == no_vertex ? std::nullopt
                            : verdict(sentence("vertex ", v, " is unreached and has parent ", p));
    }
    if (is_source_[v]) {
      return p == v ? std::nullopt
                    : verdict(sentence("source ", v, " has parent ", p, ", not itself"));
    }
    if (p >= graph_.num_vertices()) {
      return sentence("vertex ", v, " is reached and has no parent");
    }
    if (depth_[p] != depth_[v] - 1) {
      return sentence("vertex ", v, " has depth ", depth_[v], " and its parent ", p, " depth ",
                      depth_[p]);
    }
    return std::nullopt;
  }

  /// An edge that leaves a reached vertex.
  verdict arc(vertex_id u, vertex_id v) {
    if (depth_[u] < depth_limit_ && (depth_[v] == unreached || depth_[v] > depth_[u] + 1)) {
      return sentence(
          "edge ", u, " -> ", v, " goes from depth ", depth_[u], " to ",
          depth_[v] == unreached ? "an unreached vertex" : "depth " + std::to_string(depth_[v]));
    }
    if (depth_[v] == depth_[u] + 1 && (parent_.empty() || parent_[v] == u)) {
      has_parent_edge_[v] = true;
    }
    return std::nullopt;
  }

  csr_view<W> graph_;
  std::span<const std::int32_t> depth_;
  std::span<const vertex_id> parent_;
  std::int32_t depth_limit_;
  std::vector<bool> is_source_;
  std::vector<bool> has_parent_edge_;
};

}  // namespace

template <weight W>
verdict certify_bfs(const csr<W>& graph, std::span<const vertex_id> sources,
                    std::span<const std::int32_t> depth, std::span<const vertex_id> parent,
                    std::int32_t depth_limit) {
  if (auto wrong = check_size("depth", depth.size(), graph.num_vertices())) {
    return wrong;
  }
  if (!parent.empty()) {
    if (auto wrong = check_size("parent", parent.size(), graph.num_vertices())) {
      return wrong;
    }
  }
  return bfs_proof<W>(graph, sources, depth, parent, depth_limit).run();
}

template <numeric_weight W>
verdict certify_sssp(const csr<W>& graph, std::span<const vertex_id> sources,
                     std::span<const distance_type<W>> distance) {
  const csr_view<W> view = graph.view();
  if (auto wrong = check_size("distance", distance.size(), view.num_vertices())) {
    return wrong;
  }
  for (const vertex_id source : sources) {
    if (distance[source] != 0) {
      return sentence("source ", source, " has distance ", distance[source]);
    }
  }
  for (vertex_id u = 0; u < view.num_vertices(); ++u) {
    if (distance[u] == infinite_distance<W>) {
      continue;
    }
    for (edge_offset position = view.first_edge(u); position < view.last_edge(u); ++position) {
      const vertex_id v = view.target(position);
      // Written so that a distance that is not a number fails too.
      if (!(distance[v] <= distance[u] + view.weight(position))) {
        return sentence("edge ", u, " -> ", v, " of weight ", view.weight(position),
                        " leads from distance ", distance[u], " to ", distance[v]);
      }
    }
  }
  // Whatever is reached must be reached over tight edges.
  std::vector<bool> is_held = marked(sources, view.num_vertices());
  std::vector<vertex_id> stack(sources.begin(), sources.end());
  while (!stack.empty()) {
    const vertex_id u = stack.back();
    stack.pop_back();
    for (edge_offset position = view.first_edge(u); position < view.last_edge(u); ++position) {
      const vertex_id v = view.target(position);
      if (!is_held[v] && distance[v] == distance[u] + view.weight(position)) {
        is_held[v] = true;
        stack.push_back(v);
      }
    }
  }
  for (vertex_id v = 0; v < view.num_vertices(); ++v) {
    if (!is_held[v] && distance[v] != infinite_distance<W>) {
      return sentence("vertex ", v, " has distance ", distance[v],
                      " and no path of that length from a source");
    }
  }
  return std::nullopt;
}

namespace {

/// The first vertex from which following parents never ends.
std::optional<vertex_id> first_on_cycle(std::span<const vertex_id> parent) {
  enum class state : std::uint8_t { unknown, on_this_walk, ends };
  std::vector<state> states(parent.size(), state::unknown);
  for (std::size_t start = 0; start < parent.size(); ++start) {
    std::vector<vertex_id> walk;
    auto v = static_cast<vertex_id>(start);
    while (parent[v] != no_vertex && parent[v] != v && states[v] == state::unknown) {
      states[v] = state::on_this_walk;
      walk.push_back(v);
      v = parent[v];
    }
    if (states[v] == state::on_this_walk) {
      return v;
    }
    for (const vertex_id passed : walk) {
      states[passed] = state::ends;
    }
  }
  return std::nullopt;
}

}  // namespace

template <numeric_weight W>
verdict certify_shortest_path_tree(const csr<W>& graph, std::span<const vertex_id> sources,
                                   std::span<const distance_type<W>> distance,
                                   std::span<const vertex_id> parent) {
  const csr_view<W> view = graph.view();
  if (auto wrong = check_size("parent", parent.size(), view.num_vertices())) {
    return wrong;
  }
  const std::vector<bool> is_source = marked(sources, view.num_vertices());
  for (vertex_id v = 0; v < view.num_vertices(); ++v) {
    const bool is_reached = distance[v] != infinite_distance<W>;
    if (is_source[v] != (parent[v] == v)) {
      return is_source[v] ? sentence("source ", v, " has parent ", parent[v], ", not itself")
                          : sentence("vertex ", v, " is its own parent and no source");
    }
    if (is_reached != (parent[v] != no_vertex)) {
      return sentence(
          "vertex ", v,
          is_reached ? " is reached and has no parent" : " is unreached and has a parent");
    }
    if (is_reached && parent[v] >= view.num_vertices()) {
      return sentence("vertex ", v, " has parent ", parent[v], ", which is no vertex");
    }
  }
  std::vector<bool> has_parent_edge(view.num_vertices());
  for (vertex_id u = 0; u < view.num_vertices(); ++u) {
    if (distance[u] == infinite_distance<W>) {
      continue;
    }
    for (edge_offset position = view.first_edge(u); position < view.last_edge(u); ++position) {
      const vertex_id v = view.target(position);
      if (parent[v] == u && distance[v] == distance[u] + view.weight(position)) {
        has_parent_edge[v] = true;
      }
    }
  }
  for (vertex_id v = 0; v < view.num_vertices(); ++v) {
    if (parent[v] != no_vertex && !is_source[v] && !has_parent_edge[v]) {
      return sentence("vertex ", v, " has parent ", parent[v],
                      " but no edge from it that gives its distance");
    }
  }
  if (const auto v = first_on_cycle(parent)) {
    return sentence("vertex ", *v, " is its own ancestor");
  }
  return std::nullopt;
}

// NOLINTBEGIN(bugprone-macro-parentheses): W is a type
#define TENDRIL_INSTANTIATE_BFS(W)                                                           \
  template verdict certify_bfs<W>(const csr<W>&, std::span<const vertex_id>,                 \
                                  std::span<const std::int32_t>, std::span<const vertex_id>, \
                                  std::int32_t)
#define TENDRIL_INSTANTIATE_SSSP(W)                                                         \
  template verdict certify_sssp<W>(const csr<W>&, std::span<const vertex_id>,               \
                                   std::span<const distance_type<W>>);                      \
  template verdict certify_shortest_path_tree<W>(const csr<W>&, std::span<const vertex_id>, \
                                                 std::span<const distance_type<W>>,         \
                                                 std::span<const vertex_id>)
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
