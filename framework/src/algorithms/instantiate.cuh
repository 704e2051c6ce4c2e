#pragma once

// TENDRIL_RUNS(W, VISITOR) compiles, once, what an algorithm runs on a GPU: plain C++ calls the
// algorithm with a GPU engine and needs no nvcc. Each file that says it is compiled twice: for
// cuda_engine in tendril_cuda, and with TENDRIL_CHAINED for dynamic_cuda_engine in
// tendril_cuda_dynamic, which takes what cuda_engine runs from the other.

#if defined(TENDRIL_CHAINED)

#include "tendril/cuda/chained.cuh"

#define TENDRIL_RUNS(W, VISITOR)                                                                   \
  namespace tendril {                                                                              \
  extern template traverse_report cuda_engine::traverse(const cuda_graph<W>&, const source_list&,  \
                                                        const VISITOR&, const traverse_options&);  \
  template traverse_report dynamic_cuda_engine::traverse(const cuda_graph<W>&, const source_list&, \
                                                         const VISITOR&, const traverse_options&); \
  }

#else

#include "tendril/cuda/traverse.cuh"

#define TENDRIL_RUNS(W, VISITOR)                                                           \
  namespace tendril {                                                                      \
  template traverse_report cuda_engine::traverse(const cuda_graph<W>&, const source_list&, \
                                                 const VISITOR&, const traverse_options&); \
  }

#endif
