#include <algorithm>
#include <cstdio>
#include <tendril/tendril.hpp>

struct hops {
  using kind = tendril::first_visit;
  std::int32_t* depth;  // [num_vertices], unreached = -1
  TENDRIL_HD void arrive(tendril::vertex_id v, std::int32_t level) const { depth[v] = level; }
};

/// 0 -> 1, 2; 1 -> 3; 2 -> 4; and 5 alone.
tendril::csr<> small_graph() {
  return {std::vector<tendril::edge_offset>{0, 2, 3, 4, 4, 4, 4},
          std::vector<tendril::vertex_id>{1, 2, 3, 4},
          {},
          tendril::orientation::directed};
}

/// Searches from vertex 0 of the graph in the file, or of a small one made in memory.
int main(int argc, char** argv) try {
  tendril::host_engine engine;
  auto g = engine.place(argc > 1 ? tendril::read_graph(argv[1]) : small_graph());
  auto depth = engine.array<std::int32_t>(g.num_vertices(), -1);
  const auto report = tendril::traverse(engine, g, {0}, hops{.depth = depth.data()});
  const auto depths = depth.to_host();
  std::printf("reached %llu of %u vertices, depth %d\n",
              static_cast<unsigned long long>(report.entered), g.num_vertices(),
              *std::max_element(depths.begin(), depths.end()));
  return 0;
} catch (const tendril::error& e) {
  std::fprintf(stderr, "hops: %s\n", e.what());
  return 1;
}
