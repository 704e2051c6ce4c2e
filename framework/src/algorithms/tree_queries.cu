#include "tendril/algorithms/nearest.hpp"
#include "tendril/algorithms/range_query.hpp"
#include "tendril/cuda/tree.cuh"

// What range and nearest queries and ranges of values run on a GPU, compiled once: plain C++ calls
// them with a cuda_engine and needs no nvcc.

namespace tendril {

#define TENDRIL_QUERIES_OF(Real, Shape)                                                         \
  template void run_traverse_tree(cuda_engine&, const cuda_quadtree<Real>&, std::uint32_t,      \
                                  const point<Real>*, const count_visitor<Real, Shape<Real>>&,  \
                                  query_order);                                                 \
  template void run_traverse_tree(cuda_engine&, const cuda_quadtree<Real>&, std::uint32_t,      \
                                  const point<Real>*, const report_visitor<Real, Shape<Real>>&, \
                                  query_order);                                                 \
  template void run_for_each(cuda_engine&, std::size_t,                                         \
                             const detail::write_position<Real, Shape<Real>>&);
#define TENDRIL_NEAREST_OF(Real)                                                                  \
  template void run_traverse_tree(cuda_engine&, const cuda_quadtree<Real>&, std::uint32_t,        \
                                  const point<Real>*, const nearest_visitor<Real>&, query_order); \
  template void run_for_each(cuda_engine&, std::size_t, const detail::write_circle<Real>&);
#define TENDRIL_VALUES_OF(Real)                                                                  \
  template cuda_array<value_range<Real>> run_aggregate(cuda_engine&, const cuda_quadtree<Real>&, \
                                                       const range_of_values<Real>&);

TENDRIL_QUERIES_OF(float, rectangle)
TENDRIL_QUERIES_OF(float, circle)
TENDRIL_NEAREST_OF(float)
TENDRIL_VALUES_OF(float)
TENDRIL_QUERIES_OF(double, rectangle)
TENDRIL_QUERIES_OF(double, circle)
TENDRIL_NEAREST_OF(double)
TENDRIL_VALUES_OF(double)

#undef TENDRIL_QUERIES_OF
#undef TENDRIL_NEAREST_OF
#undef TENDRIL_VALUES_OF

}  // namespace tendril
