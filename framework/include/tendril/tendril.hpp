#pragma once

// All of the library that needs no GPU. The GPU engine: tendril/cuda/engine.hpp.

#include "tendril/algorithms/bfs.hpp"
#include "tendril/algorithms/distance.hpp"
#include "tendril/algorithms/sssp.hpp"
#include "tendril/core/atomics.hpp"
#include "tendril/core/error.hpp"
#include "tendril/core/target.hpp"
#include "tendril/core/types.hpp"
#include "tendril/graph/analyse.hpp"
#include "tendril/graph/builder.hpp"
#include "tendril/graph/csr.hpp"
#include "tendril/graph/generate.hpp"
#include "tendril/graph/read.hpp"
#include "tendril/graph/vertex_names.hpp"
#include "tendril/graph/write.hpp"
#include "tendril/host/engine.hpp"
#include "tendril/schedule/host.hpp"
#include "tendril/traverse/traverse.hpp"
