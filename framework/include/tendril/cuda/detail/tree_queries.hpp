#pragma once

#include <cstddef>
#include <cstdint>

#include "tendril/cuda/detail/context.hpp"
#include "tendril/tree/cells.hpp"

// What queries of trees need that is compiled once.

namespace tendril::cuda {

/// Queries by the Morton key of their positions, on 16 levels; equal keys by number.
/// @param positions  [num_queries], device memory
/// @return           [num_queries], query numbers
template <coordinate Real>
[[nodiscard]] device_buffer<std::uint32_t> queries_in_morton_order(engine_context& context,
                                                                   const cell_grid& cells,
                                                                   const point<Real>* positions,
                                                                   std::uint32_t num_queries);

/// Where lists of the given lengths begin, one after the other.
/// @param offsets  [num_lists + 1], the last is the sum
void write_offsets(engine_context& context, const std::uint64_t* lengths, std::size_t num_lists,
                   std::uint64_t* offsets);

/// Sorts each list, ascending.
/// @param values  [size], the lists one after the other
/// @throws resource_error for 2^32 values or more
/// @cost   a radix sort of all values together; 24 bytes of device memory per value meanwhile
void sort_lists(engine_context& context, const std::uint64_t* offsets, std::size_t num_lists,
                std::uint32_t* values, std::uint64_t size);

}  // namespace tendril::cuda
