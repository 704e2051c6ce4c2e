#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#include "graph/graph_testing.hpp"
#include "tendril/graph/builder.hpp"

// What tests of files share: a folder of their own, and a small graph that is hard to write.

namespace tendril::testing {

namespace fs = std::filesystem;

// A folder that goes with the test.
class scratch_folder {
 public:
  scratch_folder()
      : path_(fs::temp_directory_path() / ("tendril-write-" + std::to_string(getpid()))) {
    fs::create_directories(path_);
  }
  ~scratch_folder() { fs::remove_all(path_); }
  scratch_folder(const scratch_folder&) = delete;
  scratch_folder& operator=(const scratch_folder&) = delete;

  [[nodiscard]] fs::path operator/(const std::string& name) const { return path_ / name; }
  [[nodiscard]] std::size_t num_files() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(path_), {}));
  }

 private:
  fs::path path_;
};

inline std::string content_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

inline void put(const fs::path& path, const std::string& content) {
  std::ofstream(path, std::ios::binary) << content;
}

// Values that are hard to print and read back.
template <class W>
std::vector<W> awkward_weights() {
  using limits = std::numeric_limits<W>;
  if constexpr (std::is_same_v<W, none>) {
    return {{}};
  } else if constexpr (std::is_same_v<W, std::int32_t>) {
    return {0, 1, -1, limits::max(), limits::lowest()};
  } else {
    return {W(0.1),       W(1) / 3,          limits::max(), limits::lowest(), limits::min(),
            W(123456789), limits::epsilon(), W(1e-7),       W(2.5e10),        W(0x1p64)};
  }
}

// Every vertex has an edge, so formats that list edges alone know them all.
template <class W>
csr<W> awkward_graph(orientation kind) {
  std::vector<edge<W>> edges{{0, 0, {}}, {3, 4, {}}, {4, 3, {}},
                             {3, 4, {}}, {2, 1, {}}, {1, 5, {}}};
  const auto weights = awkward_weights<W>();
  for (std::size_t i = 0; i < 2 * weights.size(); ++i) {
    edges.push_back({static_cast<vertex_id>(i % 6), static_cast<vertex_id>((i / 6 + i) % 6), {}});
  }
  for (std::size_t i = 0; i < edges.size(); ++i) {
    edges[i].weight = weights[i % weights.size()];
  }
  return build_csr(in_chunks(edges, 4), 6, {.kind = kind});
}

template <class Error>
std::string refusal(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

}  // namespace tendril::testing
