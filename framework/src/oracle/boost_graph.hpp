#pragma once

#include <boost/graph/graph_traits.hpp>
#include <boost/iterator/counting_iterator.hpp>
#include <boost/iterator/transform_iterator.hpp>
#include <utility>

#include "tendril/graph/csr.hpp"

// A csr as Boost.Graph sees it, without a copy: vertices are ids, an edge is its source and its
// position.

namespace tendril::oracle {

struct boost_edge {
  vertex_id source = no_vertex;
  edge_offset position = 0;

  friend bool operator==(const boost_edge&, const boost_edge&) = default;
};

struct edge_at {
  vertex_id source = 0;
  boost_edge operator()(edge_offset position) const { return {source, position}; }
};

template <weight W>
struct boost_graph {
  csr_view<W> view;

  // What boost::graph_traits asks for.
  using vertex_descriptor = vertex_id;
  using edge_descriptor = boost_edge;
  using directed_category = boost::directed_tag;
  using edge_parallel_category = boost::allow_parallel_edge_tag;
  struct traversal_category : boost::incidence_graph_tag, boost::vertex_list_graph_tag {};
  using vertices_size_type = std::size_t;
  using edges_size_type = edge_offset;
  using degree_size_type = edge_offset;
  using vertex_iterator = boost::counting_iterator<vertex_id>;
  using out_edge_iterator =
      boost::transform_iterator<edge_at, boost::counting_iterator<edge_offset>, boost_edge>;

  static vertex_descriptor null_vertex() { return no_vertex; }
};

/// The same for algorithms on undirected graphs: one that stores both directions of each edge.
template <weight W>
struct boost_undirected_graph : boost_graph<W> {
  using directed_category = boost::undirected_tag;
};

template <weight W>
auto vertices(const boost_graph<W>& graph) {
  using iterator = typename boost_graph<W>::vertex_iterator;
  return std::pair(iterator(0), iterator(graph.view.num_vertices()));
}
template <weight W>
std::size_t num_vertices(const boost_graph<W>& graph) {
  return graph.view.num_vertices();
}
template <weight W>
auto out_edges(vertex_id v, const boost_graph<W>& graph) {
  using iterator = typename boost_graph<W>::out_edge_iterator;
  using position = boost::counting_iterator<edge_offset>;
  return std::pair(iterator(position(graph.view.first_edge(v)), edge_at{v}),
                   iterator(position(graph.view.last_edge(v)), edge_at{v}));
}
template <weight W>
edge_offset out_degree(vertex_id v, const boost_graph<W>& graph) {
  return graph.view.degree(v);
}
template <weight W>
vertex_id source(const boost_edge& e, const boost_graph<W>& /*graph*/) {
  return e.source;
}
template <weight W>
vertex_id target(const boost_edge& e, const boost_graph<W>& graph) {
  return graph.view.target(e.position);
}

}  // namespace tendril::oracle
