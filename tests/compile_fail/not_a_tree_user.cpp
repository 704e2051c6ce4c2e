#include <cstddef>
#include <cstdint>

#include "tendril/expand/expand.hpp"
#include "tendril/tree/aggregate.hpp"
#include "tendril/tree/traverse_tree.hpp"

// A tree visitor, an expander and an aggregate that lack what the macros say.

struct counting_visitor {
  std::uint32_t* counts;

  struct walker {
    std::uint32_t count = 0;

    tendril::tree_step enter(const tendril::quadtree_node<double>& /*node*/) const {
      return tendril::tree_step::descend;
    }
#ifndef NO_TAKE
    bool take(const tendril::quadtree_node<double>& /*node*/) {
      return true;
    }
#endif
    bool visit(const tendril::point<double>& /*p*/, tendril::point_id /*row*/) {
      ++count;
      return true;
    }
  };

#ifndef NO_BEGIN
  walker begin(std::uint32_t /*query*/) const {
    return {};
  }
#endif
  void end(std::uint32_t query, const walker& w) const {
    counts[query] = w.count;
  }
};

struct chain_expander {
  struct node_type {
    std::int32_t depth;
  };

  template <class Sink>
  void split(node_type& node, Sink& children) const {
    if (node.depth < 31) {
      children.add({node.depth + 1});
    }
  }
#ifndef NO_REDUCE
  void reduce(node_type& /*node*/, const node_type* /*children*/, std::size_t /*count*/) const {}
#endif
};

struct count_aggregate {
  using value_type = std::uint32_t;

  value_type zero() const { return 0; }
  void add(value_type& sum, const tendril::point<double>& /*p*/, tendril::point_id /*row*/) const {
    ++sum;
  }
#ifndef NO_COMBINE
  void combine(value_type& sum, const value_type& other) const {
    sum += other;
  }
#endif
};

void check_all() {
  tendril::check_tree_visitor<counting_visitor, double>();
  tendril::check_expander<chain_expander>();
  tendril::check_aggregate<count_aggregate, double>();
}
