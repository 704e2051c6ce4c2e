#pragma once

#include <string>

#include "support/input.hpp"

namespace tendril::app {

/// What `convert` and `generate` take.
struct store_options {
  input_options input;
  std::string path;  ///< of the graph to write
  weight_choice weights = weight_choice::automatic;
  common_options common;
};

/// Loads, writes, and says what was written.
void load_and_store(const store_options& given);

}  // namespace tendril::app
