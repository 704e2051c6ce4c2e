#include <string>

#include "graph/generate/assemble.hpp"
#include "tendril/core/error.hpp"
#include "tendril/graph/generate.hpp"

// grid, path, star and tree.

namespace tendril {

namespace {

using generate_detail::assemble;
using generate_detail::below;
using generate_detail::random_stream;
using generate_detail::with_weights;

void check_vertices(const char* name, std::uint64_t num_vertices) {
  if (num_vertices < 1 || num_vertices >= no_vertex) {
    throw usage_error(std::string(name) + ": expected 1 .. " + std::to_string(no_vertex - 1) +
                      " vertices, found " + std::to_string(num_vertices));
  }
}

vertex_id id(std::uint64_t number) {
  return static_cast<vertex_id>(number);
}

// The vertices of a complete tree, or more than any graph can have.
std::uint64_t tree_size(int depth, std::uint64_t fanout) {
  std::uint64_t size = 1;
  std::uint64_t level_size = 1;
  for (int level = 0; level < depth; ++level) {
    if (level_size > no_vertex / fanout || size + level_size * fanout >= no_vertex) {
      return no_vertex;
    }
    level_size *= fanout;
    size += level_size;
  }
  return size;
}

}  // namespace

template <weight W>
csr<W> generate_grid(std::uint64_t width, std::uint64_t height, int removed_percent,
                     std::uint64_t seed) {
  if (width < 1 || height < 1 || width > no_vertex / height) {
    throw usage_error("grid: expected a width and height of at least 1 and at most " +
                      std::to_string(no_vertex - 1) + " vertices, found " + std::to_string(width) +
                      " x " + std::to_string(height));
  }
  check_vertices("grid", width * height);
  if (removed_percent < 0 || removed_percent > 100) {
    throw usage_error("grid: expected 0 .. 100 percent removed, found " +
                      std::to_string(removed_percent));
  }
  const random_stream random(seed);
  const auto stays = [&](std::uint64_t number) {
    return below(random[number], 100) >= static_cast<std::uint64_t>(removed_percent);
  };
  return with_weights<W>(assemble(width * height, width * height, 2, "grid",
                                  [&](std::uint64_t v, edge_list<>::chunk& chunk) {
                                    if ((v + 1) % width != 0 && stays(2 * v)) {
                                      chunk.push_back({id(v), id(v + 1), {}});
                                    }
                                    if (v + width < width * height && stays(2 * v + 1)) {
                                      chunk.push_back({id(v), id(v + width), {}});
                                    }
                                  }),
                         seed);
}

template <weight W>
csr<W> generate_path(std::uint64_t num_vertices) {
  check_vertices("path", num_vertices);
  return with_weights<W>(assemble(num_vertices, num_vertices - 1, 1, "path",
                                  [](std::uint64_t v, edge_list<>::chunk& chunk) {
                                    chunk.push_back({id(v), id(v + 1), {}});
                                  }),
                         0);
}

template <weight W>
csr<W> generate_star(std::uint64_t num_vertices) {
  check_vertices("star", num_vertices);
  return with_weights<W>(assemble(num_vertices, num_vertices - 1, 1, "star",
                                  [](std::uint64_t leaf, edge_list<>::chunk& chunk) {
                                    chunk.push_back({0, id(leaf + 1), {}});
                                  }),
                         0);
}

template <weight W>
csr<W> generate_tree(int depth, std::uint64_t fanout) {
  if (depth < 0 || fanout < 1) {
    throw usage_error("tree: expected a depth of at least 0 and a fanout of at least 1, found " +
                      std::to_string(depth) + " and " + std::to_string(fanout));
  }
  const std::uint64_t num_vertices = tree_size(depth, fanout);
  if (num_vertices == no_vertex) {
    throw usage_error("tree: depth " + std::to_string(depth) + " and fanout " +
                      std::to_string(fanout) + " give more than " + std::to_string(no_vertex - 1) +
                      " vertices");
  }
  // Level by level, the children of v are v * fanout + 1 .. v * fanout + fanout.
  return with_weights<W>(assemble(num_vertices, num_vertices - 1, 1, "tree",
                                  [fanout](std::uint64_t number, edge_list<>::chunk& chunk) {
                                    chunk.push_back({id(number / fanout), id(number + 1), {}});
                                  }),
                         0);
}

#define TENDRIL_INSTANTIATE(W)                                                        \
  template csr<W> generate_grid<W>(std::uint64_t, std::uint64_t, int, std::uint64_t); \
  template csr<W> generate_path<W>(std::uint64_t);                                    \
  template csr<W> generate_star<W>(std::uint64_t);                                    \
  template csr<W> generate_tree<W>(int, std::uint64_t);
TENDRIL_INSTANTIATE(none)
TENDRIL_INSTANTIATE(std::int32_t)
TENDRIL_INSTANTIATE(float)
TENDRIL_INSTANTIATE(double)
#undef TENDRIL_INSTANTIATE

}  // namespace tendril
