#pragma once

namespace tendril::bench {

/// Registers what is done with trees on a GPU; see tree_queries_gpu.cpp.
void register_tree_queries();

}  // namespace tendril::bench
