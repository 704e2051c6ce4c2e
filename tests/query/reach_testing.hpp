#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <vector>

#include "battery.hpp"
#include "tendril/oracle/boost_answers.hpp"
#include "tendril/query/reach.hpp"

// What a set of queries should answer: counted from Boost.Graph's depths, one source at a time.

namespace tendril::test {

struct expected_reach {
  reach_summary summary;
  std::vector<vertex_id> histogram;
};

inline expected_reach count_depths(const std::vector<std::int32_t>& depths) {
  expected_reach expected;
  for (const std::int32_t depth : depths) {
    if (depth == unreached) {
      continue;
    }
    ++expected.summary.reached;
    expected.summary.depth = std::max(expected.summary.depth, depth);
    expected.summary.total_depth += static_cast<std::uint64_t>(depth);
    const auto place = static_cast<std::size_t>(depth);
    expected.histogram.resize(std::max(expected.histogram.size(), place + 1));
    ++expected.histogram[place];
  }
  return expected;
}

/// Depths by Boost.Graph, each source searched once.
class depths_by_source {
 public:
  explicit depths_by_source(const csr<>& graph) : graph_(graph) {}

  const std::vector<std::int32_t>& operator[](vertex_id source) {
    auto& depths = depths_[source];
    if (depths.empty()) {
      depths = oracle::bfs_depths(graph_, std::vector<vertex_id>{source});
    }
    return depths;
  }

 private:
  csr<> graph_;
  std::map<vertex_id, std::vector<std::int32_t>> depths_;
};

/// `count` sources, `distinct` of them different, spread over the ids, in no order.
inline std::vector<vertex_id> spread_sources(vertex_id num_vertices, std::size_t count,
                                             std::size_t distinct) {
  std::vector<vertex_id> sources;
  for (std::size_t i = 0; i < count && num_vertices != 0; ++i) {
    const std::size_t which = i * 7 % distinct;
    sources.push_back(static_cast<vertex_id>((num_vertices - 1) * which / distinct +
                                             (which == distinct - 1 ? 0 : which % 2)) %
                      num_vertices);
  }
  return sources;
}

inline void expect_right(const reach_result& found, const std::vector<vertex_id>& sources,
                         depths_by_source& depths) {
  ASSERT_EQ(found.queries.size(), sources.size());
  ASSERT_EQ(found.histograms.size(), sources.size());
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const expected_reach expected = count_depths(depths[sources[i]]);
    ASSERT_EQ(found.queries[i], expected.summary)
        << "query " << i << " from " << sources[i] << ": reached " << found.queries[i].reached
        << ", depth " << found.queries[i].depth;
    ASSERT_EQ(found.histograms[i], expected.histogram) << "query " << i << " from " << sources[i];
  }
}

/// Entries in the order of time, each query or pass once, one at a time in each slot.
inline void expect_timeline(const reach_result& found, std::size_t num_entries) {
  ASSERT_EQ(found.timeline.size(), num_entries);
  std::map<std::size_t, int> places;
  std::map<std::uint32_t, std::uint64_t> free_from;
  std::size_t num_queries = 0;
  std::uint64_t last_begin = 0;
  EXPECT_EQ(found.timeline.front().begin_ns, 0U);
  for (const reach_span& span : found.timeline) {
    ++places[span.place];
    num_queries += span.num_queries;
    EXPECT_LT(span.place, num_entries);
    EXPECT_GE(span.begin_ns, last_begin);
    EXPECT_GE(span.end_ns, span.begin_ns);
    EXPECT_GE(span.begin_ns, free_from[span.slot]) << "slot " << span.slot;
    last_begin = span.begin_ns;
    free_from[span.slot] = span.end_ns;
  }
  EXPECT_EQ(places.size(), num_entries);
  EXPECT_EQ(num_queries, found.queries.size());
  EXPECT_LE(free_from.size(), std::max<std::size_t>(1, found.report.slots));
}

}  // namespace tendril::test
