#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>

#include "graph/read/assemble.hpp"
#include "tendril/graph/read.hpp"

// One function per file format, called by read_graph_file once the format is known. Each opens the
// file itself and is compiled for every weight type in its own .cpp. The parse functions leave
// building to read_graph_file.

namespace tendril::detail {

/// True if a file that starts with these bytes (at least 16, unless it is shorter) is a .tgr.
[[nodiscard]] bool is_tgr(std::string_view first_bytes) noexcept;

template <weight W>
[[nodiscard]] graph_file<W> read_tgr(const std::filesystem::path& path,
                                     const read_options& options);

/// GAP's .sg, and .wsg with int32 weights; which of the two follows the extension.
template <weight W>
[[nodiscard]] graph_file<W> read_gap_serial(const std::filesystem::path& path,
                                            const read_options& options);

/// The lists of a METIS file. Whether both ends list an edge is seen once they are sorted.
template <weight W>
struct metis_lists {
  parsed_graph<W> parsed;
  std::uint64_t num_edges = 0;  ///< by the header, in this line
  std::uint64_t header_line = 0;
  vertex_id index_base = 1;
};

template <weight W>
[[nodiscard]] metis_lists<W> parse_metis(const std::filesystem::path& path,
                                         const read_options& options);

template <weight W>
[[nodiscard]] graph_file<W> read_metis(const std::filesystem::path& path,
                                       const read_options& options);

template <weight W>
[[nodiscard]] parsed_graph<W> parse_edge_list(const std::filesystem::path& path,
                                              const read_options& options);

template <weight W>
[[nodiscard]] parsed_graph<W> parse_matrix_market(const std::filesystem::path& path,
                                                  const read_options& options);

/// .gr with `p sp` or `p tw`, and .col.
template <weight W>
[[nodiscard]] parsed_graph<W> parse_dimacs(const std::filesystem::path& path,
                                           const read_options& options);

template <weight W>
[[nodiscard]] parsed_graph<W> parse_adjacency(const std::filesystem::path& path,
                                              const read_options& options);

}  // namespace tendril::detail
