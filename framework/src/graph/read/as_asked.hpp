#pragma once

#include <filesystem>
#include <span>
#include <string>

#include "tendril/graph/read.hpp"

namespace tendril::detail {

/// A graph that was stored as arrays, under the options of reading: as it is where nothing is asked
/// and its rows are sorted, else built anew.
/// @throws usage_error if an index base is asked for: only text has one; input_error if an
///         undirected graph lacks a direction of an edge, or the two differ in weight
template <weight W>
[[nodiscard]] csr<W> as_asked(const std::filesystem::path& path, const csr<W>& stored,
                              const read_options& options);

/// What is wrong with arrays from an untrusted file, or nothing.
/// @return "offsets that never decrease, found 3 after 7", ... in the words of a message
[[nodiscard]] std::string fault_in(std::span<const edge_offset> offsets,
                                   std::span<const vertex_id> targets);

}  // namespace tendril::detail
