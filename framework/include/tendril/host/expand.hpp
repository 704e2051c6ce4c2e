#pragma once

#include <oneapi/tbb/task_group.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "tendril/expand/expand.hpp"
#include "tendril/host/engine.hpp"

// expand on threads. A task works through a stack of its own, the newest node first, so memory
// stays near what a depth-first walk needs, and nothing recurses, however deep the tree. When few
// tasks are waiting it gives away the older half of its stack: those nodes are near the root and
// have most left to grow. A family counts its unfinished children; whoever finishes the last one
// reduces the parent and goes on upwards.

namespace tendril::detail {

/// The children of one node.
template <class Node>
struct family {
  family* grandparent;  ///< the family of the parent; null for a root's children
  Node* parent;
  std::vector<Node> members;
  std::atomic<std::size_t> unfinished{0};

  TENDRIL_HD_ON_HOST
  TENDRIL_HD void add(const Node& child) { members.push_back(child); }
};

template <class Expander>
class expansion {
 public:
  using node_type = typename Expander::node_type;

  expansion(const Expander& expander, int num_threads)
      : expander_(expander), most_waiting_(2 * num_threads) {}

  expand_report run(std::span<node_type> roots) {
    pending_list all;
    all.reserve(roots.size());
    // Stacks are emptied from the back: the first root comes first.
    for (std::size_t i = roots.size(); i > 0; --i) {
      all.push_back({&roots[i - 1], nullptr, 0});
    }
    if (!all.empty()) {
      start_task(std::move(all));
      tasks_.wait();
    }
    if (failure_ != nullptr) {
      std::rethrow_exception(failure_);
    }
    return {num_nodes_.load(), num_tasks_.load(), depth_.load()};
  }

 private:
  using family = detail::family<node_type>;

  struct pending {
    node_type* node;
    family* kin;  ///< the family it belongs to; null for a root
    std::int32_t depth;
  };
  using pending_list = std::vector<pending>;

  void start_task(pending_list&& work) {
    waiting_.fetch_add(1, std::memory_order_relaxed);
    num_tasks_.fetch_add(1, std::memory_order_relaxed);
    tasks_.run([this, work = std::make_shared<pending_list>(std::move(work))] {
      waiting_.fetch_sub(1, std::memory_order_relaxed);
      work_through(*work);
    });
  }

  void work_through(pending_list& stack) {
    std::uint64_t num_nodes = 0;
    std::int32_t deepest = 0;
    while (!stack.empty()) {
      const pending next = stack.back();
      stack.pop_back();
      ++num_nodes;
      deepest = std::max(deepest, next.depth);
      split(next, stack);
      if (stack.size() > 1 && waiting_.load(std::memory_order_relaxed) < most_waiting_) {
        share_older_half(stack);
      }
    }
    num_nodes_.fetch_add(num_nodes, std::memory_order_relaxed);
    std::int32_t seen = depth_.load(std::memory_order_relaxed);
    while (seen < deepest && !depth_.compare_exchange_weak(seen, deepest)) {
    }
  }

  void share_older_half(pending_list& stack) {
    const auto middle = stack.begin() + static_cast<std::ptrdiff_t>(stack.size() / 2);
    start_task(pending_list(stack.begin(), middle));
    stack.erase(stack.begin(), middle);
  }

  void split(const pending& next, pending_list& stack) {
    auto children = std::make_unique<family>();
    children->grandparent = next.kin;
    children->parent = next.node;
    call([&] { expander_.split(*next.node, *children); });
    if (failed_.load(std::memory_order_relaxed)) {
      children->members.clear();  // grow no further, but let every family come to its end
    }
    if (children->members.empty()) {
      finish(next.node, nullptr, next.kin);
      return;
    }
    children->unfinished.store(children->members.size(), std::memory_order_relaxed);
    family* const kin = children.release();  // freed by whoever finishes its last member
    for (std::size_t i = kin->members.size(); i > 0; --i) {
      stack.push_back({&kin->members[i - 1], kin, next.depth + 1});
    }
  }

  /// Reduces a node whose children (null: it has none) are finished, and every ancestor that it
  /// completes.
  void finish(node_type* node, std::unique_ptr<family> children, family* kin) {
    for (;;) {
      call([&] {
        if (children == nullptr) {
          expander_.reduce(*node, nullptr, 0);
        } else {
          expander_.reduce(*node, children->members.data(), children->members.size());
        }
      });
      // Release what this thread wrote to its siblings, acquire what they wrote.
      if (kin == nullptr || kin->unfinished.fetch_sub(1, std::memory_order_acq_rel) != 1) {
        return;
      }
      children.reset(kin);
      node = children->parent;
      kin = children->grandparent;
    }
  }

  /// Calls the user's code unless some of it has failed before.
  template <class Body>
  void call(const Body& body) {
    if (failed_.load(std::memory_order_relaxed)) {
      return;
    }
    try {
      body();
    } catch (...) {
      const std::lock_guard lock(failure_mutex_);
      if (failure_ == nullptr) {
        failure_ = std::current_exception();
      }
      failed_.store(true, std::memory_order_relaxed);
    }
  }

  Expander expander_;
  int most_waiting_;
  tbb::task_group tasks_;
  std::atomic<int> waiting_{0};
  std::atomic<std::uint64_t> num_nodes_{0};
  std::atomic<std::uint64_t> num_tasks_{0};
  std::atomic<std::int32_t> depth_{-1};
  std::atomic<bool> failed_{false};
  std::mutex failure_mutex_;
  std::exception_ptr failure_;
};

}  // namespace tendril::detail

namespace tendril {

/// What tendril::expand calls for a host engine.
template <class Expander>
expand_report run_expand(host_engine& engine, std::span<typename Expander::node_type> roots,
                         const Expander& expander) {
  check_expander<Expander, detail::family>();
  expand_report report;
  engine.run([&] { report = detail::expansion<Expander>(expander, engine.threads()).run(roots); });
  return report;
}

}  // namespace tendril
