#include <gtest/gtest.h>

#include "schedule/explore.hpp"

// The model drives the decision logic that the kernels run (schedule/protocol.hpp). With the
// product's rules no interleaving may go wrong; with one rule off, some interleaving must.

namespace tendril::schedule::testing {
namespace {

void expect_sound(model_options options) {
  for (const bool tells_end : {true, false}) {
    options.tells_end = tells_end;
    const exploration found = explore(options);
    EXPECT_EQ(found.violation, "");
    EXPECT_TRUE(found.complete) << found.states << " states";
    EXPECT_GT(found.ends, 0u);
  }
}

TEST(schedule_model, every_interleaving_of_single_blocks_is_sound) {
  for (const bool early : {true, false}) {
    for (const std::uint32_t in_flight : {1u, 2u, 3u}) {
      for (std::uint32_t tiles = 1; tiles + in_flight <= 5; ++tiles) {
        SCOPED_TRACE(::testing::Message() << (early ? "early, " : "late, ") << in_flight
                                          << " in flight, " << tiles << " tiles");
        expect_sound({.num_tiles = tiles, .how = {early, in_flight}});
      }
      expect_sound({.num_tiles = 6 - in_flight, .threads = 1, .how = {early, in_flight}});
    }
  }
}

TEST(schedule_model, every_interleaving_with_refusals_is_sound) {
  for (const bool early : {true, false}) {
    for (const injection refusals : {injection::sometimes, injection::always}) {
      expect_sound({.num_tiles = 3, .how = {early, 2}, .refusals = refusals});
      expect_sound({.num_tiles = 5, .how = {early, 1}, .refusals = refusals});
    }
  }
}

TEST(schedule_model, every_interleaving_with_a_yield_flag_is_sound) {
  for (const bool early : {true, false}) {
    expect_sound({.num_tiles = 2, .how = {early, 2}, .may_yield = true});
    expect_sound({.num_tiles = 5, .how = {early, 1}, .may_yield = true});
  }
}

TEST(schedule_model, every_interleaving_of_clusters_is_sound) {
  for (const bool early : {true, false}) {
    expect_sound({.num_tiles = 5, .cluster = 2, .threads = 1, .how = {early, 1}});
    expect_sound({.num_tiles = 4, .cluster = 2, .threads = 2, .how = {early, 1}});
    expect_sound({.num_tiles = 3, .cluster = 2, .threads = 1, .how = {early, 2}});
  }
}

TEST(schedule_model, every_interleaving_in_either_steal_order_is_sound) {
  expect_sound({.num_tiles = 3, .how = {true, 2}, .order = steal_order::next_in_line});
  expect_sound({.num_tiles = 5, .how = {false, 1}, .order = steal_order::next_in_line});
}

TEST(schedule_model, every_interleaving_of_hardware_launch_control_is_sound) {
  for (const bool early : {true, false}) {
    expect_sound({.num_tiles = 4, .how = {early, 3}, .hardware = true});
    expect_sound({.num_tiles = 3, .cluster = 2, .threads = 1, .how = {early, 2}, .hardware = true});
  }
}

TEST(schedule_model, random_interleavings_of_large_launches_are_sound) {
  std::uint32_t seed = 0;
  for (const std::uint32_t cluster : {1u, 2u, 4u, 8u}) {
    for (const std::uint32_t in_flight : {1u, 2u, 3u}) {
      for (const injection refusals : {injection::never, injection::sometimes, injection::always}) {
        for (const bool hardware : {false, true}) {
          const model_options options{
              .num_tiles = 131,
              .cluster = cluster,
              .room = 7,
              .threads = 2,
              .how = {seed % 2 == 0, in_flight},
              .order = seed % 3 == 0 ? steal_order::next_in_line : steal_order::far_end,
              .tells_end = seed % 7 != 0,
              .hardware = hardware,
              .refusals = refusals,
              .may_yield = seed % 5 == 0};
          EXPECT_EQ(walk(options, ++seed).violation, "") << "seed " << seed;
        }
      }
    }
  }
}

// Stealing happens at all: a model in which every request is refused would pass everything above.
TEST(schedule_model, a_running_unit_takes_the_tiles_of_others) {
  model<rules> state({.num_tiles = 3, .room = 1, .threads = 1});
  for (std::vector<move> moves = state.enabled(); !moves.empty(); moves = state.enabled()) {
    state.apply(moves.back());  // the dispatcher comes last
  }
  state.check_end();
  EXPECT_EQ(state.violation(), "");
  EXPECT_EQ(state.num_stolen(), 2u);
}

// The answer to a request that was in flight is still read, and the slots stay in step.
TEST(schedule_loop, near_the_end_a_unit_asks_after_the_body_one_at_a_time) {
  steal_loop<rules> loop({.early = true, .in_flight = 2}, 0, 0);
  loop.synced();
  loop.asked();
  loop.asked();
  EXPECT_EQ(loop.now(), step::run);
  loop.ran();
  loop.answered({7, 1, refusal::none, 1});
  EXPECT_EQ(loop.now(), step::run) << "with a tile in hand, nothing is asked";
  loop.ran();
  loop.synced();
  EXPECT_EQ(loop.now(), step::wait) << "one request is in flight: no other is made";
  EXPECT_EQ(loop.read_slot(), 1u);
  loop.answered({6, 1, refusal::none, 0});
  loop.ran();
  loop.synced();
  EXPECT_EQ(loop.now(), step::ask);
  EXPECT_EQ(loop.ask_slot(), 0u);
  loop.asked();
  EXPECT_EQ(loop.now(), step::wait);
  EXPECT_EQ(loop.read_slot(), 0u);
  EXPECT_EQ(loop.read_parity(), 1u);
  loop.answered({~0u, 0, refusal::used_up, 0});
  EXPECT_EQ(loop.now(), step::leave);
}

TEST(schedule_loop, near_the_end_is_an_eighth_or_eight_units_for_each_that_runs) {
  const candidates eighth(1001, 1, steal_order::far_end);  // 1000 to steal
  EXPECT_FALSE(eighth.is_near_end(874));
  EXPECT_TRUE(eighth.is_near_end(875));
  const candidates eight_each(1000, 100, steal_order::next_in_line);  // 900 to steal, 800 near
  EXPECT_FALSE(eight_each.is_near_end(99));
  EXPECT_TRUE(eight_each.is_near_end(100));
  const candidates few(100, 20, steal_order::far_end);
  EXPECT_TRUE(few.is_near_end(0));
}

struct without_claim : rules {
  static constexpr bool claims_before_start = false;
};
struct takes_own_start_for_theft : rules {
  static constexpr bool tells_theft_from_start = false;
};
struct counts_starts_too_early : rules {
  static constexpr bool counts_starts_when_all_are_in = false;
};
struct asks_after_refusal : rules {
  static constexpr bool stops_after_refusal = false;
};
struct leaves_requests_in_flight : rules {
  static constexpr bool drains = false;
};
struct decodes_refusals : rules {
  static constexpr bool decodes_only_grants = false;
};
struct reuses_slot_early : rules {
  static constexpr bool syncs_before_reuse = false;
};
struct forgets_block_rank : rules {
  static constexpr bool adds_block_rank = false;
};
struct decodes_grant_twice : rules {
  static constexpr bool consumes_grants = false;
};

TEST(schedule_mutants, without_the_claim_a_tile_runs_twice) {
  EXPECT_NE(explore<without_claim>({.num_tiles = 3}).violation, "");
}

TEST(schedule_mutants, taking_the_own_start_for_a_theft_is_seen) {
  EXPECT_EQ(explore<takes_own_start_for_theft>({.num_tiles = 2}).violation,
            "a thread left a unit that runs");
}

TEST(schedule_mutants, counting_a_start_too_early_is_seen) {
  EXPECT_EQ(explore<counts_starts_too_early>({.num_tiles = 1}).violation,
            "a thread left a unit that runs");
}

TEST(schedule_mutants, asking_after_a_refusal_is_seen) {
  const exploration found = explore<asks_after_refusal>(
      {.num_tiles = 3, .how = {true, 2}, .refusals = injection::sometimes});
  EXPECT_EQ(found.violation, "a unit asked after it had seen a refusal");
}

TEST(schedule_mutants, leaving_requests_in_flight_is_seen) {
  const exploration found = explore<leaves_requests_in_flight>(
      {.num_tiles = 4, .how = {true, 2}, .refusals = injection::sometimes});
  EXPECT_NE(found.violation, "");
}

TEST(schedule_mutants, decoding_a_refusal_is_seen) {
  EXPECT_NE(explore<decodes_refusals>({.num_tiles = 3}).violation, "");
}

TEST(schedule_mutants, reusing_a_slot_early_is_seen) {
  EXPECT_NE(
      explore<reuses_slot_early>({.num_tiles = 4, .how = {true, 1}, .tells_end = false}).violation,
      "");
  EXPECT_NE(explore<reuses_slot_early>({.num_tiles = 4, .how = {false, 1}}).violation, "");
}

TEST(schedule_mutants, forgetting_the_block_rank_is_seen) {
  EXPECT_NE(explore<forgets_block_rank>({.num_tiles = 6, .cluster = 2, .threads = 1}).violation,
            "");
}

TEST(schedule_mutants, decoding_one_grant_twice_is_seen) {
  EXPECT_NE(explore<decodes_grant_twice>({.num_tiles = 3}).violation, "");
}

}  // namespace
}  // namespace tendril::schedule::testing
