#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <optional>
#include <ostream>
#include <span>
#include <string>

#include "tendril/algorithms/bfs.hpp"
#include "tendril/graph/csr.hpp"
#include "tendril/host/engine.hpp"
#include "tendril/oracle/boost_answers.hpp"
#include "tendril/oracle/certificate.hpp"

// The facts that an expected.json holds of a folder's files, counted without tendril.

namespace datasets {

inline nlohmann::json read_facts(const std::filesystem::path& folder) {
  std::ifstream file(folder / "expected.json");
  return nlohmann::json::parse(file);
}

/// What a breadth-first search found.
struct search_facts {
  std::uint64_t reached = 0;
  std::int32_t depth = 0;
  std::uint64_t sum_of_depths = 0;

  friend bool operator==(const search_facts&, const search_facts&) = default;
  friend std::ostream& operator<<(std::ostream& out, const search_facts& facts) {
    return out << facts.reached << " reached, depth " << facts.depth << ", sum of depths "
               << facts.sum_of_depths;
  }
};

inline search_facts search_of(const nlohmann::json& bfs) {
  return {bfs.at("reached"), bfs.at("depth"), bfs.at("sum_of_depths")};
}

/// @param depth  [num_vertices], -1 where no path leads
inline search_facts summary_of(std::span<const std::int32_t> depth) {
  search_facts facts;
  for (const std::int32_t d : depth) {
    if (d >= 0) {
      ++facts.reached;
      facts.depth = std::max(facts.depth, d);
      facts.sum_of_depths += static_cast<std::uint64_t>(d);
    }
  }
  return facts;
}

/// Searches in each direction and expects the facts, Boost.Graph's depths and a valid certificate.
template <tendril::weight W>
void expect_search(const tendril::csr<W>& graph, tendril::vertex_id source,
                   const search_facts& expected) {
  tendril::host_engine engine;
  const auto placed = engine.place(graph);
  for (const auto way :
       {tendril::direction::automatic, tendril::direction::push, tendril::direction::pull}) {
    SCOPED_TRACE(tendril::to_string(way));
    const auto found = tendril::bfs(engine, placed, {source}, {.way = way});
    const auto depth = found.depth.to_host();
    const auto parent = found.parent.to_host();
    EXPECT_EQ(summary_of(depth), expected);
    EXPECT_EQ(tendril::oracle::compare_bfs(graph, {&source, 1}, depth), std::nullopt);
    EXPECT_EQ(tendril::oracle::certify_bfs(graph, {&source, 1}, depth, parent), std::nullopt);
  }
}

}  // namespace datasets
