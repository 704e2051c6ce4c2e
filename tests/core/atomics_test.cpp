#include "tendril/core/atomics.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <thread>
#include <vector>

namespace {

TEST(atomics, lower_says_whether_it_lowered) {
  float value = std::numeric_limits<float>::infinity();
  EXPECT_TRUE(tendril::lower(value, 2.0F));
  EXPECT_FALSE(tendril::lower(value, 2.0F));
  EXPECT_FALSE(tendril::lower(value, 3.0F));
  EXPECT_EQ(value, 2.0F);
}

TEST(atomics, raise_says_whether_it_raised) {
  std::int32_t value = std::numeric_limits<std::int32_t>::min();
  EXPECT_TRUE(tendril::raise(value, -2));
  EXPECT_FALSE(tendril::raise(value, -2));
  EXPECT_FALSE(tendril::raise(value, -3));
  EXPECT_EQ(value, -2);
}

// Each thread lowers through its own descending values. Every successful call takes the value
// strictly down, so the successes of all threads are distinct values and the last one is the
// minimum.
TEST(atomics, concurrent_lower_keeps_the_minimum_and_succeeds_once_per_value) {
  constexpr int num_threads = 4;
  constexpr int steps = 20000;
  int value = steps * num_threads;
  std::vector<int> succeeded(static_cast<std::size_t>(steps) * num_threads, 0);
  std::vector<std::thread> threads;
  threads.reserve(num_threads);
  for (int t = 0; t < num_threads; ++t) {
    threads.emplace_back([&, t] {
      for (int i = steps - 1; i >= 0; --i) {
        const int candidate = i * num_threads + t;
        if (tendril::lower(value, candidate)) {
          ++succeeded[static_cast<std::size_t>(candidate)];
        }
      }
    });
  }
  for (auto& thread : threads) {
    thread.join();
  }
  EXPECT_EQ(value, 0);
  for (const int times : succeeded) {
    EXPECT_LE(times, 1);
  }
}

// Every thread takes the value up from what it read; a call that wrote over another's would lose
// it.
TEST(atomics, replace_writes_only_over_what_was_expected) {
  std::uint32_t value = 0;
  std::vector<std::thread> threads;
  threads.reserve(4);
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 10000;) {
        const std::uint32_t seen = tendril::load(value);
        i += tendril::replace(value, seen, seen + 1) ? 1 : 0;
      }
    });
  }
  for (auto& thread : threads) {
    thread.join();
  }
  EXPECT_EQ(value, 40000U);
  EXPECT_FALSE(tendril::replace(value, 7, 8));
  EXPECT_EQ(value, 40000U);
}

TEST(atomics, add_counts_every_call) {
  std::uint64_t total = 0;
  std::vector<std::thread> threads;
  threads.reserve(4);
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 10000; ++i) {
        tendril::add(total, 1U);
      }
    });
  }
  for (auto& thread : threads) {
    thread.join();
  }
  EXPECT_EQ(tendril::load(total), 40000U);
}

}  // namespace
