#pragma once

#include <cstdint>

#include "tendril/cuda/detail/context.hpp"
#include "tendril/tree/cells.hpp"

namespace tendril::cuda {

/// Queries by the Morton key of their positions, on 16 levels; equal keys by number.
/// @param positions  [num_queries], device memory
/// @return           [num_queries], query numbers
template <coordinate Real>
[[nodiscard]] device_buffer<std::uint32_t> queries_in_morton_order(engine_context& context,
                                                                   const cell_grid& cells,
                                                                   const point<Real>* positions,
                                                                   std::uint32_t num_queries);

}  // namespace tendril::cuda
