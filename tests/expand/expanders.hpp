#pragma once

#include <cstddef>
#include <cstdint>

#include "tendril/core/atomics.hpp"
#include "tendril/core/target.hpp"

// Expanders that the tests of both engines use, word for word.

namespace tendril::test {

TENDRIL_HD constexpr std::uint64_t mix(std::uint64_t x) {
  x = (x ^ (x >> 31U)) * 0x9e3779b97f4a7c15U;
  return x ^ (x >> 29U);
}

/// Numbers its nodes as a complete tree and keeps a record of every call.
struct recording_expander {
  struct node_type {
    std::uint32_t id;
    std::int32_t depth;
    std::uint32_t num_below;  // the result: nodes of the subtree
  };
  std::uint32_t fanout;
  std::int32_t depth;
  std::uint32_t* splits;   // [nodes]
  std::uint32_t* reduces;  // [nodes]
  std::uint32_t* faults;

  template <class Sink>
  TENDRIL_HD void split(node_type& node, Sink& children) const {
    tendril::add(splits[node.id], 1);
    for (std::uint32_t i = 0; node.depth < depth && i < fanout; ++i) {
      children.add({fanout * node.id + 1 + i, node.depth + 1, 0});
    }
  }
  TENDRIL_HD void reduce(node_type& node, const node_type* children,
                         std::size_t num_children) const {
    const std::size_t expected = node.depth < depth ? fanout : 0;
    if (num_children != expected || tendril::load(splits[node.id]) != 1) {
      tendril::add(*faults, 1);
    }
    node.num_below = 1;
    for (std::size_t i = 0; i < num_children; ++i) {
      if (children[i].id != fanout * node.id + 1 + i ||
          tendril::load(reduces[children[i].id]) != 1) {
        tendril::add(*faults, 1);
      }
      node.num_below += children[i].num_below;
    }
    tendril::add(reduces[node.id], 1);
  }
};

/// Its shape is a hash: some nodes have hundreds of children, most few or none. The
/// result depends on the order of the children.
struct skewed_expander {
  struct node_type {
    std::uint64_t seed;
    std::uint32_t budget;  // no node is deeper than its root's budget
    std::uint64_t digest;
  };

  template <class Sink>
  TENDRIL_HD void split(node_type& node, Sink& children) const {
    if (node.budget == 0) {
      return;
    }
    const std::uint64_t random = mix(node.seed);
    const std::uint64_t num_children = random % 499 == 0 ? 300 : random % 3;
    for (std::uint64_t i = 0; i < num_children; ++i) {
      const std::uint32_t budget = i == 0 ? node.budget - 1 : node.budget / 4;
      children.add({mix(node.seed + 7 * i + 1), budget, 0});
    }
  }
  TENDRIL_HD void reduce(node_type& node, const node_type* children,
                         std::size_t num_children) const {
    node.digest = node.seed;
    for (std::size_t i = 0; i < num_children; ++i) {
      node.digest = mix(node.digest * 31 + children[i].digest);
    }
  }
};

}  // namespace tendril::test
