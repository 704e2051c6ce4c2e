#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "battery.hpp"
#include "tendril/core/error.hpp"
#include "tendril/graph/generate.hpp"
#include "tendril/oracle/boost_answers.hpp"
#include "tendril/query/query_pool.hpp"

// Thousands of queries with random graphs, sources, priorities, cancellations and failures, the
// same for all engines: each is answered as Boost.Graph does, or fails as it should, and the
// process does not grow.

namespace tendril::test {

/// Queries of a soak: TENDRIL_SOAK, or few.
inline std::size_t soak_queries(std::size_t few) {
  const char* const wanted = std::getenv("TENDRIL_SOAK");
  return wanted == nullptr ? few : std::stoul(wanted);
}

/// Memory of this process that is resident now.
inline std::size_t resident_bytes() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    if (std::size_t kibibytes = 0; word == "VmRSS:" && status >> kibibytes) {
      return kibibytes * 1024;
    }
  }
  return 0;
}

/// What became of the queries.
struct soak_tally {
  std::size_t answered = 0;
  std::size_t cancelled = 0;
  std::size_t failed = 0;
  std::size_t refused = 0;  ///< by a full queue
};

/// @tparam Visitor  writes depths to an array
/// @tparam Clear    clear(array): sets all to unreached, before a query is submitted
template <class Visitor, class Engine, class Clear>
class pool_soak {
 public:
  pool_soak(Engine& engine, const pool_options& options, const Clear& clear)
      : engine_(engine), clear_(clear) {
    for (const char* text : {"path:1", "path:300", "star:500", "grid:40x25:30", "rmat:10:8",
                             "urand:11:2", "tree:6:3"}) {
      ponds_.push_back(std::make_unique<pond>(engine, generate(text), options));
    }
    vertex_id largest = 0;
    for (const auto& each : ponds_) {
      largest = std::max(largest, each->graph.num_vertices());
    }
    for (std::size_t i = 0; i < in_flight; ++i) {
      places_.push_back({engine.array(largest, unreached), std::nullopt, nullptr, 0, false});
    }
  }

  soak_tally run(std::size_t num_queries) {
    [[maybe_unused]] std::size_t grown_from = 0;
    for (std::size_t i = 0; i < num_queries && !testing::Test::HasFatalFailure(); ++i) {
      if (i == 1000) {
        grown_from = resident_bytes();
      }
      place& at = places_[i % in_flight];
      take_answer(at);
      submit(at);
      if (i % 5 == 0) {
        place& other = places_[random_() % in_flight];
        other.was_cancelled = other.pending && (other.pending->cancel() || other.was_cancelled);
      }
    }
    for (place& at : places_) {
      take_answer(at);
    }
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // they keep what was freed
    if (grown_from != 0) {
      EXPECT_LT(resident_bytes(), grown_from + (std::size_t{8} << 20U));
    }
#endif
    return tally_;
  }

 private:
  static constexpr std::size_t in_flight = 96;

  /// A graph, its pool, and what Boost.Graph says of some sources.
  struct pond {
    pond(Engine& engine, csr<> of, const pool_options& options)
        : graph(std::move(of)), pool(engine, engine.place(graph), options) {
      for (vertex_id i = 0; i < 8; ++i) {
        sources.push_back(i * 37 % graph.num_vertices());
        depths.push_back(oracle::bfs_depths(graph, std::vector<vertex_id>{sources.back()}));
      }
    }
    using graph_type = decltype(std::declval<Engine&>().place(std::declval<csr<>>()));
    csr<> graph;
    query_pool<Engine, graph_type> pool;
    std::vector<vertex_id> sources;
    std::vector<std::vector<std::int32_t>> depths;
  };

  /// A query, and the array it writes.
  struct place {
    typename Engine::template array_type<std::int32_t> depth;
    std::optional<pending_query> pending;
    const pond* in;
    std::size_t source;  ///< its number; past the last: one that is not in the graph
    bool was_cancelled;
  };

  void submit(place& at) {
    pond& in = *ponds_[random_() % ponds_.size()];
    clear_(at.depth);
    at.in = &in;
    at.source = random_() % 20 == 0 ? in.sources.size() : random_() % in.sources.size();
    at.was_cancelled = false;
    const vertex_id source =
        at.source < in.sources.size() ? in.sources[at.source] : in.graph.num_vertices();
    const auto priority = random_() % 10 == 0 ? query_priority::urgent : query_priority::usual;
    const Visitor visitor{at.depth.data()};
    if (random_() % 2 == 0) {
      at.pending = in.pool.submit({source}, visitor, priority);
    } else {
      at.pending = in.pool.try_submit({source}, visitor, priority);
      tally_.refused += std::size_t{!at.pending};
    }
  }

  void take_answer(place& at) {
    if (!at.pending) {
      return;
    }
    const bool is_outside = at.source == at.in->sources.size();
    std::vector<std::int32_t> expected(at.in->graph.num_vertices(), unreached);
    try {
      const reach_summary answer = at.pending->get();
      ASSERT_FALSE(is_outside || at.was_cancelled);
      expected = at.in->depths[at.source];
      ASSERT_EQ(answer.depth, *std::max_element(expected.begin(), expected.end()));
      ++tally_.answered;
    } catch (const query_cancelled&) {
      ASSERT_TRUE(at.was_cancelled);
      ++tally_.cancelled;
    } catch (const input_error&) {
      ASSERT_TRUE(is_outside);
      ++tally_.failed;
    }
    at.pending.reset();
    std::vector<std::int32_t> found = at.depth.to_host();
    found.resize(expected.size());
    ASSERT_EQ(found, expected);
  }

  Engine& engine_;
  Clear clear_;
  std::vector<place> places_;  // before the pools: queries in flight write them
  std::vector<std::unique_ptr<pond>> ponds_;
  std::mt19937 random_{8'112'026};
  soak_tally tally_;
};

}  // namespace tendril::test
