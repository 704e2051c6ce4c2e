#pragma once

#include "graph/write/output_file.hpp"
#include "tendril/graph/csr.hpp"
#include "tendril/graph/vertex_names.hpp"

// One function per format; write_graph chooses.

namespace tendril::write {

template <weight W>
void write_tgr(output_file& file, const csr<W>& graph, const vertex_names& names);

/// GAP's .sg (weights must be none) or .wsg (weights must fit int32; 1 where there are none).
/// @throws usage_error for a weight that does not fit
template <weight W>
void write_gap_serial(output_file& file, const csr<W>& graph, bool with_weights);

template <weight W>
void write_matrix_market(output_file& file, const csr<W>& graph);

/// .el or .wel.
/// @throws usage_error for a name that would be read as something else
template <weight W>
void write_edge_list(output_file& file, const csr<W>& graph, const vertex_names& names,
                     bool with_weights);

/// .gr
template <weight W>
void write_dimacs(output_file& file, const csr<W>& graph);

}  // namespace tendril::write
