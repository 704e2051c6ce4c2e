#pragma once

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "apps/program.hpp"
#include "gpu/needs_gpu.hpp"
#include "support/with_engine.hpp"

// Tests of the program on a GPU: skipped where there is none.

namespace tendril::test {

using json = nlohmann::json;
using argument_list = std::vector<std::string>;

class program_gpu : public needs_gpu {};

/// As report_of, of a run that has no remarks.
inline json silent_report_of(const program_folder& folder, argument_list given) {
  given.insert(given.end(), {"--json", "-"});
  const program_result result = folder.run(given);
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(result.err, "");
  return json::parse(result.out);
}

/// An engine that may take that much of the GPU's memory.
inline cuda_engine limited_engine(std::size_t budget_bytes) {
  cuda_options options;
  options.budget_bytes = budget_bytes;
  return cuda_engine(options);
}

}  // namespace tendril::test
