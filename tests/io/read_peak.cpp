#include <cstdio>
#include <fstream>
#include <string>

#include "tendril/graph/read.hpp"

// Reads a graph and prints "PEAK_BYTES GRAPH_BYTES ENTRIES": the peak resident memory of this
// process, what the finished graph takes of it, and the entries in the file. A program of its own,
// so that nothing else has used memory before.

namespace {

std::uint64_t peak_bytes() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("VmHWM:")) {
      return std::stoull(line.substr(6)) << 10U;
    }
  }
  return 0;
}

template <tendril::weight W>
void read(const char* path) {
  const auto file = tendril::read_graph_file<W>(path);
  const auto& graph = file.graph;
  const std::uint64_t graph_bytes = sizeof(tendril::edge_offset) * graph.offsets().size() +
                                    sizeof(tendril::vertex_id) * graph.targets().size() +
                                    sizeof(W) * graph.weights().size();
  std::printf("%llu %llu %llu\n", static_cast<unsigned long long>(peak_bytes()),
              static_cast<unsigned long long>(graph_bytes),
              static_cast<unsigned long long>(file.facts.stored_entries));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    return 2;
  }
  if (std::string(argv[2]) == "double") {
    read<double>(argv[1]);
  } else {
    read<tendril::none>(argv[1]);
  }
  return 0;
}
