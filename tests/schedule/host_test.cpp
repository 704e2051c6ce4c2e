#include <gtest/gtest.h>
#include <oneapi/tbb/task_arena.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <memory>
#include <stdexcept>
#include <thread>
#include <vector>

#include "schedule/battery.hpp"
#include "tendril/core/error.hpp"
#include "tendril/schedule/host.hpp"
#include "tendril/schedule/study.hpp"

namespace tendril::schedule {
namespace {

using testing::coverage_sizes;

/// How often each tile ran, from many threads.
class tally {
 public:
  explicit tally(std::uint64_t size) : counts_(new std::atomic<int>[size]()), size_(size) {}
  void count(std::uint32_t index) const { counts_[index].fetch_add(1); }
  [[nodiscard]] std::uint64_t num_not_once() const {
    std::uint64_t wrong = 0;
    for (std::uint64_t i = 0; i < size_; ++i) {
      wrong += counts_[i] != 1 ? 1u : 0u;
    }
    return wrong;
  }

 private:
  std::unique_ptr<std::atomic<int>[]> counts_;
  std::uint64_t size_;
};

TEST(schedule_host, every_way_runs_each_tile_once) {
  oneapi::tbb::task_arena arena(8);
  for (const any_way& way : basic_ways()) {
    for (const std::uint32_t size : coverage_sizes) {
      const tally tiles(size);
      launch(
          way, {size}, no_prologue{}, [&](tile t, none) { tiles.count(t.index); },
          host_tasks{.arena = &arena});
      EXPECT_EQ(tiles.num_not_once(), 0u) << describe(way) << ", " << size << " tiles";
    }
  }
}

TEST(schedule_host, an_affinity_partitioner_is_used_again) {
  oneapi::tbb::task_arena arena(4);
  oneapi::tbb::affinity_partitioner affinity;
  for (int round = 0; round < 3; ++round) {
    const tally tiles(1000);
    launch(
        launch_control{}, {1000}, no_prologue{}, [&](tile t, none) { tiles.count(t.index); },
        host_tasks{.arena = &arena, .affinity = &affinity});
    EXPECT_EQ(tiles.num_not_once(), 0u);
  }
}

// The programming guide's example: each block scales its part of a vector by a factor that its
// prologue computes.
TEST(schedule_host, vectors_are_scaled_in_one_two_and_three_dimensions) {
  constexpr std::uint32_t width = 16;
  for (const any_way& way : basic_ways()) {
    for (const tile_grid& shape : testing::shapes) {
      std::vector<float> data(shape.size() * width, 2.0f);
      launch(
          way, shape, [] { return 1.5f; },
          [&](tile t, float factor) {
            const std::uint32_t linear = (t.z * shape.y + t.y) * shape.x + t.x;
            for (std::uint32_t i = 0; i < width; ++i) {
              data[linear * width + i] *= factor;
            }
          },
          host_tasks{});
      EXPECT_EQ(data, std::vector<float>(data.size(), 3.0f)) << describe(way);
    }
  }
}

TEST(schedule_host, a_task_runs_its_prologue_once) {
  oneapi::tbb::task_arena arena(4);
  for (const any_way& way : basic_ways()) {
    std::atomic<std::uint64_t> prologues{0};
    const launch_record made = record(
        way, {5000}, [&] { return prologues.fetch_add(1); }, [](tile, std::uint64_t) {},
        host_tasks{.arena = &arena});
    EXPECT_EQ(made.counts.prologues, prologues.load()) << describe(way);
    EXPECT_EQ(made.counts.units, 5000u);
    EXPECT_EQ(made.counts.started + made.counts.stolen, 5000u) << describe(way);
    EXPECT_EQ(made.counts.cancelled, made.counts.stolen) << describe(way);
    EXPECT_EQ(made.timeline.size(), 5000 + prologues.load()) << describe(way);
    if (std::holds_alternative<per_block>(way)) {
      EXPECT_EQ(prologues.load(), 5000u);
    } else if (std::holds_alternative<fixed_grid>(way) || std::holds_alternative<ticket>(way)) {
      EXPECT_LE(prologues.load(), 4u);
    } else {
      EXPECT_LT(prologues.load(), 2500u) << describe(way);
    }
  }
}

TEST(schedule_host, no_tiles_is_nothing_to_do) {
  for (const any_way& way : basic_ways()) {
    for (const tile_grid& empty : {tile_grid{0}, tile_grid{5, 0}, tile_grid{5, 5, 0}}) {
      launch(
          way, empty,
          [] {
            throw std::logic_error("prologue ran");
            return 0;
          },
          [](tile, int) { throw std::logic_error("body ran"); }, host_tasks{});
    }
  }
}

TEST(schedule_host, an_exception_reaches_the_caller) {
  for (const any_way& way : basic_ways()) {
    EXPECT_THROW(launch(
                     way, {100}, no_prologue{},
                     [](tile t, none) {
                       if (t.index == 57) {
                         throw std::runtime_error("tile 57");
                       }
                     },
                     host_tasks{}),
                 std::runtime_error);
  }
}

TEST(schedule_host, no_ticket_is_drawn_after_an_exception) {
  constexpr std::uint32_t size = 5000;
  std::atomic<std::uint32_t> ran = 0;
  const auto body = [&](tile t, none) {
    if (t.index == 0) {
      throw std::runtime_error("tile 0");
    }
    ++ran;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  };
  EXPECT_THROW(launch(ticket{}, {size}, no_prologue{}, body, host_tasks{}), std::runtime_error);
  EXPECT_LT(ran, size - 1);
}

TEST(schedule_host, bad_calls_are_refused_with_both_numbers) {
  const auto nothing = [](tile, none) {};
  const auto try_it = [&](const any_way& way, const tile_grid& tiles) {
    launch(way, tiles, no_prologue{}, nothing, host_tasks{});
  };
  EXPECT_THROW(try_it(launch_control{.how = {true, 0}}, {1}), usage_error);
  EXPECT_THROW(try_it(launch_control{.how = {true, 4}}, {1}), usage_error);
  EXPECT_THROW(try_it(launch_control{.cluster = 3}, {1}), usage_error);
  EXPECT_THROW(try_it(launch_control{.refused_of_65536 = 65537}, {1}), usage_error);
  for (const tile_grid& large : {tile_grid{0x80000000u}, tile_grid{~0u, ~0u, ~0u}}) {
    try {
      try_it(per_block{}, large);
      ADD_FAILURE() << "accepted";
    } catch (const resource_error& e) {
      EXPECT_NE(std::string(e.what()).find("2147483647"), std::string::npos) << e.what();
      EXPECT_NE(std::string(e.what()).find(std::to_string(large.size())), std::string::npos)
          << e.what();
    }
  }
}

TEST(schedule_tiles, an_index_is_a_place_with_x_fastest) {
  const tile_grid grid{3, 4, 2};
  std::uint32_t index = 0;
  for (std::uint32_t z = 0; z < 2; ++z) {
    for (std::uint32_t y = 0; y < 4; ++y) {
      for (std::uint32_t x = 0; x < 3; ++x) {
        const tile t = grid.at(index);
        EXPECT_EQ(t.index, index++);
        EXPECT_EQ(t.x, x);
        EXPECT_EQ(t.y, y);
        EXPECT_EQ(t.z, z);
      }
    }
  }
  EXPECT_EQ(grid.size(), 24u);
}

TEST(schedule_ways, names_are_read_back) {
  for (const any_way& way : basic_ways()) {
    EXPECT_EQ(parse_way(name_of(way)).index(), way.index());
  }
  EXPECT_THROW((void)parse_way("round-robin"), usage_error);
  EXPECT_EQ(describe(launch_control{.how = {false, 2}, .cluster = 4}),
            "launch-control, late, 2 in flight, cluster of 4");
}

// About the rate asked for, the same ones each time, and none or all at the ends.
TEST(schedule_protocol, injected_refusals_keep_their_rate) {
  for (const std::uint32_t rate : {0u, 655u, 32768u, 65536u}) {
    std::uint32_t refused = 0;
    for (std::uint32_t unit = 0; unit < 1000; ++unit) {
      for (std::uint32_t request = 0; request < 100; ++request) {
        refused += injects_refusal(rate, 7, unit, request) ? 1u : 0u;
      }
    }
    const double expected = rate / 65536.0 * 100000;
    EXPECT_NEAR(refused, expected, rate % 65536 == 0 ? 0 : 5 * std::sqrt(expected)) << rate;
  }
}

}  // namespace
}  // namespace tendril::schedule
