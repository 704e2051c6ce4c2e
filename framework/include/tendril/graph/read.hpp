#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "tendril/graph/builder.hpp"
#include "tendril/graph/csr.hpp"
#include "tendril/graph/vertex_names.hpp"

namespace tendril {

// What a file means as a graph:
//   matrix_market  entry (i, j) is the edge i -> j; only square matrices. Symmetric and hermitian
//                  ones are undirected; a skew-symmetric one is undirected as a pattern and
//                  directed with weights, because those of i -> j and j -> i differ in sign.
//                  Complex values count by magnitude. Zeros are edges in coordinate files, and
//                  no edges in arrays.
//   edge_list      directed. The vertices are the ids that occur, numbers up to 64 bits or texts;
//                  given an index base, all numbers from it to the largest. Two or three columns
//                  (the third is the weight) with blanks, tabs, commas or semicolons between;
//                  comments start with #, % or //. The first row may be a header.
//   dimacs         `p sp` directed with weights, `p tw` (PACE) and `p edge`, `p col` undirected
//   metis          undirected: each edge must be in the lists of both ends. Read as directed, the
//                  lists are arcs as they stand. A format that declares vertex sizes or weights
//                  wants them on every line.
//   adjacency      directed
//   gap_serial     as they say. An undirected graph must hold both directions of each edge, with
//   and tgr        one weight.
// A file read as undirected gets the reverse of each edge, even if it lists both already; ask for
// duplicates to be merged then. Explicit self-loops and duplicates are kept unless asked.

/// File formats, the text ones also gzipped (known by content, several members are one file).
enum class file_format : std::uint8_t {
  matrix_market,  ///< .mtx .mm
  edge_list,      ///< .el .wel .txt .tsv .csv .edges .snap
  dimacs,         ///< .gr
  dimacs_color,   ///< .col
  metis,          ///< .graph .metis .mgraph
  adjacency,      ///< Ligra/PBBS: AdjacencyGraph or WeightedAdjacencyGraph is the first word
  gap_serial,     ///< .sg .wsg, binary
  tgr             ///< own binary
};
/// "mtx", "el", ... as --format and `info` write it.
[[nodiscard]] std::string_view to_string(file_format format) noexcept;

/// How a file is read.
struct read_options {
  std::optional<file_format> format;    ///< by content, then extension, when not given
  std::optional<orientation> kind;      ///< the file's own when not given
  std::optional<vertex_id> index_base;  ///< 0 or 1; the format's own when not given
  build_options::self_loops loops = build_options::self_loops::keep;  ///< kept or dropped
  /// Kept, or merged into the one of smallest weight.
  build_options::duplicates parallel_edges = build_options::duplicates::keep;
  /// Called now and then with bytes read and bytes in the file (compressed bytes for gzip), from
  /// one thread at a time.
  std::function<void(std::uint64_t, std::uint64_t)> progress;
};

/// What a file said of itself, for `info` and reports.
struct file_facts {
  file_format format = file_format::edge_list;  ///< asked for, or found out
  bool gzipped = false;                         ///< known by content
  bool has_weights = false;                     ///< of its own: not the 1 that stands in for them
  std::uint64_t stored_entries = 0;             ///< entries in the file, before any mirroring
  std::uint64_t header_line = 0;  ///< of an edge list: taken for the names of columns; 0: none
};

/// A graph with what its file calls the vertices.
template <weight W = none>
struct graph_file {
  csr<W> graph;        ///< the vertices are 0 .. num_vertices - 1
  vertex_names names;  ///< what the file calls them
  file_facts facts;    ///< what the file said of itself
};

/// Reads a graph with its vertex names. Weights a file lacks are 1; weights that W cannot hold
/// exactly are refused (a decimal fraction may be rounded to the nearest float or double).
/// @throws input_error `FILE:LINE: expected ..., found ...`; resource_error when it cannot fit
/// @cost   one pass over the file, in parallel. Peak memory: the finished graph + 12 bytes per
///         stored entry + 64 MiB
template <weight W = none>
[[nodiscard]] graph_file<W> read_graph_file(const std::filesystem::path& path,
                                            const read_options& options = {});

/// Reads a graph. @throws as read_graph_file does
template <weight W = none>
[[nodiscard]] csr<W> read_graph(const std::filesystem::path& path,
                                const read_options& options = {}) {
  return read_graph_file<W>(path, options).graph;
}

/// The line on which a file lists an edge of negative weight, for messages. @cost reads it again
/// @param path    of the file
/// @param format  the file's
/// @param source  what the file calls one end
/// @param target  what it calls the other
/// @return nothing for a format without a line for each edge, and where the file says it otherwise
[[nodiscard]] std::optional<std::uint64_t> line_of_negative_edge(const std::filesystem::path& path,
                                                                 file_format format,
                                                                 const std::string& source,
                                                                 const std::string& target);

}  // namespace tendril
