#include "tendril/query/query_pool.hpp"

#include <string>

#include "tendril/core/error.hpp"

namespace tendril::detail {

void check_pool(const pool_options& options, std::size_t most_slots, reach_way side_by_side) {
  if (options.slots && (*options.slots == 0 || *options.slots > most_slots)) {
    throw usage_error("slots must be 1 to " + std::to_string(most_slots) + ", found " +
                      std::to_string(*options.slots));
  }
  if (options.capacity == 0) {
    throw usage_error("the queue of a pool must have room for 1 query at least, found 0");
  }
  if (options.way != reach_way::automatic && options.way != reach_way::streams &&
      options.way != side_by_side) {
    const std::string other =
        side_by_side == reach_way::streams ? "" : " or " + std::string(to_string(side_by_side));
    throw usage_error("a pool of this engine runs queries as streams" + other + ", found " +
                      std::string(to_string(options.way)));
  }
}

}  // namespace tendril::detail
