#pragma once

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <memory>
#include <utility>

#include "tendril/graph/csr.hpp"
#include "tendril/host/array.hpp"
#include "tendril/host/first_visit.hpp"
#include "tendril/host/graph.hpp"
#include "tendril/host/levels.hpp"
#include "tendril/host/relaxing.hpp"
#include "tendril/host/team.hpp"
#include "tendril/host/workspace.hpp"
#include "tendril/traverse/traverse.hpp"

namespace tendril {

/// Options of the host engine.
struct host_options {
  int threads = 0;  ///< 0: all that the process may use
};

/// Runs traversals on the threads of this machine: oneTBB's, `threads` of them with the calling
/// one. Traversals may be started from several threads at once; none waits for another.
class host_engine {
 public:
  /// What array() makes.
  template <class T>
  using array_type = host_array<T>;

  /// @throws usage_error for a negative number of threads
  explicit host_engine(const host_options& options = {});
  ~host_engine();
  host_engine(const host_engine&) = delete;
  host_engine& operator=(const host_engine&) = delete;

  /// Threads of a traversal, the calling one included.
  [[nodiscard]] int threads() const noexcept;

  /// Makes a graph usable by this engine. O(1): it shares the graph's arrays.
  template <weight W>
  [[nodiscard]] host_graph<W> place(csr<W> graph) const {
    return host_graph<W>(std::move(graph));
  }

  /// A new array of `size` elements, each `value`.
  /// @throws resource_error with the number of bytes
  /// @cost   O(size), by all threads
  template <class T>
  [[nodiscard]] host_array<T> array(std::size_t size, const T& value) {
    detail::buffer<T> values(size);
    run([&] {
      constexpr std::size_t grain = std::size_t{1} << 16;
      tbb::parallel_for(tbb::blocked_range<std::size_t>(0, size, grain), [&](const auto& range) {
        std::fill_n(values.data() + range.begin(), range.size(), value);
      });
    });
    return host_array<T>(std::move(values));
  }

  /// What tendril::traverse calls. Memory beyond the graph, kept for the next traversal:
  /// num_vertices x (8 + 3/8) bytes, relaxing x (8 + 2/8); to pull on a directed graph, the
  /// transpose. A visitor must not throw here.
  template <weight W, class Visitor>
  traverse_report traverse(const host_graph<W>& graph, const source_list& sources,
                           const Visitor& visitor, const traverse_options& options);

  /// Calls body() on a thread of this engine, the calling one if it can, and waits for it: oneTBB
  /// loops and task groups inside use the engine's threads. What body throws reaches the caller.
  template <class Body>
  void run(const Body& body) {
    run_erased(&body, [](const void* context) { (*static_cast<const Body*>(context))(); });
  }

 private:
  class arena_pool;

  void run_erased(const void* context, void (*body)(const void*));
  /// The same with helpers standing by.
  template <class Body>
  void run_with_team(const Body& body) {
    run_team_erased(&body, [](const void* context, detail::team& threads) {
      (*static_cast<const Body*>(context))(threads);
    });
  }
  void run_team_erased(const void* context, void (*body)(const void*, detail::team&));

  std::unique_ptr<arena_pool> arenas_;
  detail::workspace_pool workspaces_;
};

template <weight W, class Visitor>
traverse_report host_engine::traverse(const host_graph<W>& graph, const source_list& sources,
                                      const Visitor& visitor, const traverse_options& options) {
  const auto started = std::chrono::steady_clock::now();
  check_options(options, detail::names_relaxing<Visitor>);
  const std::vector<vertex_id> distinct = distinct_sources(sources, graph.num_vertices());
  traverse_report report;
  if (distinct.empty()) {
    return report;
  }
  const auto lease = workspaces_.take();
  detail::workspace& space = *lease;
  run_with_team([&](detail::team& threads) {
    const auto run = [&](auto&& stepper) {
      detail::run_levels(stepper, visitor, options, report);
      report.entered = stepper.entered();
    };
    if constexpr (detail::names_first_visit<Visitor>) {
      detail::reserve_first_visit(space, graph.num_vertices());
      run(detail::first_visit_stepper<W, Visitor>(graph, distinct, visitor, options.way, threads,
                                                  space));
    } else {
      detail::reserve_relaxing(space, graph.num_vertices());
      run(detail::relaxing_stepper<W, Visitor>(graph, distinct, visitor, threads, space));
    }
  });
  const std::chrono::duration<double, std::milli> elapsed =
      std::chrono::steady_clock::now() - started;
  report.ms = elapsed.count();
  return report;
}

}  // namespace tendril
