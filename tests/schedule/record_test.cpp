#include <gtest/gtest.h>

#include "tendril/schedule/record.hpp"

namespace tendril::schedule {
namespace {

TEST(schedule_record, length_and_tail_are_those_of_the_intervals) {
  launch_record made;  // processor 9 has nothing to do for its last 300 ns
  made.timeline = {{1000, 1500, 0, 0, 4, doing::own_tile},
                   {1010, 1700, 2, 2, 9, doing::own_tile},
                   {1500, 2000, 1, 1, 4, doing::stolen_tile}};
  EXPECT_EQ(made.length_ns(), 1000u);
  EXPECT_DOUBLE_EQ(made.mean_tail_ns(), 150.0);  // (0 + 300) / 2
  EXPECT_EQ(launch_record{}.length_ns(), 0u);
  EXPECT_EQ(launch_record{}.mean_tail_ns(), 0.0);
}

}  // namespace
}  // namespace tendril::schedule
