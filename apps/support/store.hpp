#pragma once

#include <string>

#include "support/input.hpp"

namespace tendril::app {

/// Where `convert` and `generate` put a graph.
struct store_options {
  std::string path;
  weight_choice weights = weight_choice::automatic;
};

/// Loads, writes, and says what was written.
void load_and_store(const input_options& input, const store_options& store,
                    const common_options& common);

}  // namespace tendril::app
