#pragma once

#include <cstdint>

#include "tendril/core/target.hpp"
#include "tendril/schedule/answer.hpp"

// What a block does from its launch until it leaves.

namespace tendril::schedule {

/// How a unit asks for more work. A unit that asks before the body of the tile in hand hides the
/// answer's way behind that body, but binds the next tile to a unit that may be busy for long. So
/// from an answer near the end on, every unit asks after the body, one request at a time.
struct asking {
  bool early = true;            ///< before the body of the tile in hand, or after it
  std::uint32_t in_flight = 1;  ///< 1 .. max_in_flight
};
/// The same, known when the loop is compiled: the kernels of the usual policies are shorter.
template <bool Early, std::uint32_t InFlight>
struct fixed_asking {
  static constexpr bool early = Early;                  ///< as asking::early
  static constexpr std::uint32_t in_flight = InFlight;  ///< as asking::in_flight
};
inline constexpr std::uint32_t max_in_flight = 3;  ///< requests; each has a slot
inline constexpr std::uint32_t max_cluster = 8;    ///< blocks

/// What a thread of a unit has to do next.
enum class step : std::uint8_t {
  sync,  ///< wait for every thread of the unit: all have read the answers consumed so far
  ask,   ///< post a request into ask_slot(); one thread of the unit does, all count it
  run,   ///< run the body on block()
  wait,  ///< wait for read_slot() to complete phase read_parity(), and read the answer
  leave  ///< nothing in hand and nothing in flight
};

/// The loop of one block. Every thread of the unit keeps its own copy; the copies stay equal
/// because all of them read the same answers. Do what now() says, then call the function of that
/// name.
/// @tparam How  asking or fixed_asking
template <class Rules = rules, class How = asking>
class steal_loop {
 public:
  /// At the start of a block.
  /// @param how        when it asks
  /// @param own_block  index of the calling block in the launch
  /// @param rank       index of the calling block in its unit
  TENDRIL_HD steal_loop(How how, std::uint32_t own_block, std::uint32_t rank)
      : how_(how), block_(own_block), rank_(rank), now_(how.early ? step::sync : step::run) {}

  /// What to do next.
  [[nodiscard]] TENDRIL_HD step now() const { return now_; }
  /// The block in hand: whose tile run is for.
  [[nodiscard]] TENDRIL_HD std::uint32_t block() const { return block_; }
  /// False while the block in hand is the one that was launched.
  [[nodiscard]] TENDRIL_HD bool is_stolen() const { return stolen_; }
  /// True from the first refusal on.
  [[nodiscard]] TENDRIL_HD bool has_seen_refusal() const { return refused_; }
  /// True from the first answer near the end on.
  [[nodiscard]] TENDRIL_HD bool is_near_end() const { return near_end_; }
  /// Requests that are not answered yet.
  [[nodiscard]] TENDRIL_HD std::uint32_t in_flight() const { return in_flight_; }
  /// Slot of the next request.
  [[nodiscard]] TENDRIL_HD std::uint32_t ask_slot() const { return ask_slot_; }
  /// Slot of the next answer.
  [[nodiscard]] TENDRIL_HD std::uint32_t read_slot() const { return read_slot_; }
  /// Phase of the next answer in its slot.
  [[nodiscard]] TENDRIL_HD std::uint32_t read_parity() const { return read_parity_; }

  /// step::sync is done.
  TENDRIL_HD void synced() { fill(); }

  /// step::ask is done: one more request is in flight.
  TENDRIL_HD void asked() {
    ++in_flight_;
    ask_slot_ = after(ask_slot_);
    fill();
  }

  /// step::run is done.
  TENDRIL_HD void ran() {
    if (asks_early()) {
      collect();
    } else if (Rules::syncs_before_reuse) {
      now_ = step::sync;
    } else {
      fill();
    }
  }

  /// step::wait is done, with that answer.
  TENDRIL_HD void answered(const answer& reply) {
    if (Rules::consumes_grants || reply.granted == 0) {
      --in_flight_;
      read_slot_ = after(read_slot_);
      read_parity_ ^= read_slot_ == 0 ? 1u : 0u;
    }
    if (reply.granted != 0 || !Rules::decodes_only_grants) {
      block_ = reply.first_block + (Rules::adds_block_rank ? rank_ : 0u);
      stolen_ = true;
      near_end_ = near_end_ || reply.near_end != 0;
      start_tile();
    } else {
      refused_ = true;
      collect();
    }
  }

 private:
  [[nodiscard]] TENDRIL_HD std::uint32_t after(std::uint32_t slot) const {
    return slot + 1 == how_.in_flight ? 0 : slot + 1;
  }
  [[nodiscard]] TENDRIL_HD bool asks_early() const { return how_.early && !near_end_; }
  TENDRIL_HD void start_tile() {
    if (!asks_early()) {
      now_ = step::run;
    } else if (Rules::syncs_before_reuse) {
      now_ = step::sync;
    } else {
      fill();
    }
  }
  TENDRIL_HD void fill() {
    const std::uint32_t most = near_end_ ? 1 : how_.in_flight;
    const bool may_ask = !(Rules::stops_after_refusal && refused_) && in_flight_ < most;
    if (may_ask) {
      now_ = step::ask;
    } else if (asks_early()) {
      now_ = step::run;
    } else {
      collect();
    }
  }
  TENDRIL_HD void collect() {
    const bool done = in_flight_ == 0 || (!Rules::drains && refused_);
    now_ = done ? step::leave : step::wait;
  }

  [[no_unique_address]] How how_;
  std::uint32_t block_;
  std::uint32_t rank_;
  std::uint32_t in_flight_ = 0;
  std::uint32_t ask_slot_ = 0;
  std::uint32_t read_slot_ = 0;
  std::uint32_t read_parity_ = 0;
  bool stolen_ = false;
  bool refused_ = false;
  bool near_end_ = false;
  step now_;
};

}  // namespace tendril::schedule
