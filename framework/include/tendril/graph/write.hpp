#pragma once

#include <filesystem>

#include "tendril/graph/csr.hpp"
#include "tendril/graph/read.hpp"
#include "tendril/graph/vertex_names.hpp"

namespace tendril {

/// Writes a graph; the format follows the extension: .tgr .mtx .el .wel .gr .sg .wsg, the text ones
/// also with .gz. An undirected graph is written so that reading gives it back: symmetric .mtx,
/// both directions elsewhere. The file appears whole or not at all (written beside, then renamed).
/// @param path   where to; its extension is the format
/// @param graph  host memory
/// @param names  [num_vertices], ids as they are written; formats that cannot hold names (.mtx .gr
///               .sg .wsg) write 0- or 1-based positions, as the format asks
/// @throws usage_error for an unknown extension, weights in .el or .sg, another number of names, or
///         names that an edge list would read otherwise; resource_error when the disk refuses
/// @cost   O(vertices + edges)
template <weight W>
void write_graph(const std::filesystem::path& path, const csr<W>& graph, const vertex_names& names);

/// The same with ids as names, from 0 on.
template <weight W>
void write_graph(const std::filesystem::path& path, const csr<W>& graph) {
  write_graph(path, graph, vertex_names(graph.num_vertices()));
}

}  // namespace tendril
