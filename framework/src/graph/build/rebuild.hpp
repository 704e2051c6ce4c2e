#pragma once

#include "tendril/graph/builder.hpp"

namespace tendril::build {

/// The same graph built anew: rows sorted, policies applied, ids checked. An undirected graph stays
/// one.
/// @throws input_error naming the first edge whose target is out of range
template <weight W>
[[nodiscard]] csr<W> rebuild(const csr<W>& graph, const build_options& options);

/// True if every row is sorted by target, then weight.
template <weight W>
[[nodiscard]] bool has_sorted_rows(const csr_view<W>& graph);

}  // namespace tendril::build
