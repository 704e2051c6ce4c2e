#pragma once

#include <gtest/gtest.h>

#include <cstddef>

#include "battery.hpp"
#include "tendril/host/engine.hpp"

namespace tendril::test {

/// Base of a suite of which every TEST_P runs on each graph of the battery.
class on_battery : public testing::TestWithParam<std::size_t> {
 protected:
  [[nodiscard]] const test::battery_case& battery_case() const {
    return test::battery()[GetParam()];
  }
};

/// Calls check(engine, placed graph) on 1, 2 and 4 threads.
template <class Check>
void on_threads(const csr<>& graph, const Check& check) {
  for (const int threads : {1, 2, 4}) {
    SCOPED_TRACE(testing::Message() << threads << " threads");
    host_engine engine({.threads = threads});
    check(engine, engine.place(graph));
  }
}

/// Calls check(engine, placed graph, sources) for every set of sources, on 1, 2 and 4 threads.
template <class Check>
void on_threads_and_sources(const csr<>& graph, const Check& check) {
  for (const source_set& from : source_sets(graph.num_vertices())) {
    SCOPED_TRACE("sources " + from.name);
    on_threads(graph, [&](host_engine& engine, const host_graph<>& placed) {
      check(engine, placed, from.ids);
    });
  }
}

}  // namespace tendril::test

/// Runs a suite that derives from on_battery.
#define TENDRIL_RUN_ON_BATTERY(SUITE)                                                  \
  INSTANTIATE_TEST_SUITE_P(                                                            \
      battery, SUITE, testing::Range(std::size_t{0}, tendril::test::battery().size()), \
      [](const auto& param) { return tendril::test::battery()[param.param].name; })

/// Makes a suite that adds nothing to on_battery, and runs it.
// NOLINTBEGIN(bugprone-macro-parentheses): SUITE is a name
#define TENDRIL_BATTERY_SUITE(SUITE)                 \
  class SUITE : public tendril::test::on_battery {}; \
  TENDRIL_RUN_ON_BATTERY(SUITE)
// NOLINTEND(bugprone-macro-parentheses)
