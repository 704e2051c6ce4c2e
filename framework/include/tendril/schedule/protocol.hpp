#pragma once

#include <cstdint>

#include "tendril/core/target.hpp"

// The launch-control protocol, decided in one place. Nothing here touches memory, barriers or
// threads: each class says what its caller has to do next and is told how it went. The device loop
// (device/kernels.cuh) does it with shared memory, mbarriers and atomics; the model in
// tests/schedule does it with every interleaving of a simulated dispatcher. So the model tests what
// ships.
//
//   unit      what starts, and is stolen, as a whole: a block, or a cluster of blocks
//   request   "cancel a unit that has not started and give it to me"
//   answer    granted, with the first block of the cancelled unit, or refused with a reason
//   slot      where an answer arrives; a request in flight owns one
//   phase     the parity of a slot's barrier: which of two successive answers a reader waits for

namespace tendril::schedule {

/// Why a request was refused.
enum class refusal : std::uint32_t {
  none,             ///< it was granted
  used_up,          ///< no candidate is left
  already_started,  ///< the candidates had started
  yielded,          ///< the host raised the yield flag
  injected,         ///< a test asked for it
  by_device         ///< hardware launch control does not say why
};
/// Enumerators of refusal.
inline constexpr int num_refusals = 6;

/// 16 bytes, one store of a vector of four words. Poisoned unless granted.
struct alignas(16) answer {
  std::uint32_t first_block = ~0u;  ///< of the cancelled unit; only valid if granted
  std::uint32_t granted = 0;        ///< 1: a unit was cancelled
  refusal why = refusal::none;      ///< unless granted
  std::uint32_t near_end = 0;       ///< few candidates are left; only valid if granted
};

/// The rules of the protocol. Tests switch one off to see the model fail; the product has them all.
struct rules {
  static constexpr bool claims_before_start = true;     ///< a stolen unit does not run
  static constexpr bool tells_theft_from_start = true;  ///< a start of one's own unit is no theft
  /// A start counts as decided only when no thread of the unit can leave any more.
  static constexpr bool counts_starts_when_all_are_in = true;
  static constexpr bool stops_after_refusal = true;  ///< who was refused asks no more
  static constexpr bool drains = true;               ///< a block leaves with nothing in flight
  static constexpr bool decodes_only_grants = true;  ///< a refusal names no block
  static constexpr bool syncs_before_reuse = true;   ///< a slot is used again after all read it
  static constexpr bool adds_block_rank = true;      ///< each block of a stolen unit runs its own
  static constexpr bool consumes_grants = true;      ///< a grant is answered once
};

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

/// A claim word says which launch last took its unit, and whether the unit started or was stolen.
/// Launches are told apart by epochs, 1 .. last_epoch, so words are never cleared between them. A
/// word only ever rises (fetch-max): whoever comes second changes nothing that the first one wrote,
/// except that a stolen unit leaves word that it started.
inline constexpr std::uint32_t last_epoch = 0x7fffffffu;

/// What a thief raises a claim word to.
[[nodiscard]] TENDRIL_HD constexpr std::uint32_t stolen_claim(std::uint32_t epoch) {
  return epoch << 1;
}
/// What a unit that starts raises its own word to: above a theft of the same launch.
[[nodiscard]] TENDRIL_HD constexpr std::uint32_t started_claim(std::uint32_t epoch) {
  return (epoch << 1) | 1u;
}
/// Whether nobody has taken the unit in the launch of that epoch.
[[nodiscard]] TENDRIL_HD constexpr bool is_free(std::uint32_t claim, std::uint32_t epoch) {
  return (claim >> 1) != epoch;
}

/// Whether a thread that reads `claim` of its own unit may leave at once: the unit was stolen. A
/// started claim does not say so; another thread of the same unit made it.
template <class Rules = rules>
[[nodiscard]] TENDRIL_HD constexpr bool may_leave(std::uint32_t claim, std::uint32_t epoch) {
  return Rules::tells_theft_from_start ? claim == stolen_claim(epoch) : !is_free(claim, epoch);
}

/// Whether a unit that raised its own claim word to a started claim and saw `previous` runs.
template <class Rules = rules>
[[nodiscard]] TENDRIL_HD constexpr bool may_start(std::uint32_t previous, std::uint32_t epoch) {
  return !Rules::claims_before_start || is_free(previous, epoch);
}

/// A launch counts the units that were stolen, and those that started once all their threads are
/// in. When that is all of them, a thread that is not in yet may leave: its unit was stolen. One
/// number for the whole launch stays in the L1 cache, where claim words have to be fetched from the
/// L2; a count from before only says less.
[[nodiscard]] TENDRIL_HD constexpr bool all_decided(std::uint32_t decided, std::uint32_t units) {
  return decided == units;
}

/// Which unit a request tries first.
enum class steal_order : std::uint8_t {
  far_end,      ///< from the last unit down: the least likely to start soon
  next_in_line  ///< from the first unit that did not fit up, as hardware does: near what is running
};

/// Where requests of one launch find their candidates: worked out once, since one thread looks it
/// up on the way from tile to tile.
class candidates {
 public:
  /// For one launch.
  /// @param units     of the launch
  /// @param resident  units that are expected to start at once, <= units; next_in_line begins
  ///                  behind them
  /// @param order     which unit a request tries first
  TENDRIL_HD candidates(std::uint32_t units, std::uint32_t resident, steal_order order)
      : units_(units),
        resident_(resident),
        num_(order == steal_order::far_end ? units : units - resident),
        first_(order == steal_order::far_end ? units - 1 : resident),
        step_(order == steal_order::far_end ? ~0u : 1u),
        near_end_(first_near_end(units - resident, resident)) {}

  /// Units of the launch.
  [[nodiscard]] TENDRIL_HD std::uint32_t units() const { return units_; }
  /// Units that are expected to start at once.
  [[nodiscard]] TENDRIL_HD std::uint32_t resident() const { return resident_; }
  /// Whether there is a candidate for that draw: 0, 1, 2, ...
  [[nodiscard]] TENDRIL_HD bool has(std::uint32_t draw) const { return draw < num_; }
  /// The unit to try for that draw. @pre has(draw)
  [[nodiscard]] TENDRIL_HD std::uint32_t unit(std::uint32_t draw) const {
    return first_ + step_ * draw;
  }
  /// Whether few units are left behind that draw: from there on a unit holds no candidate while it
  /// runs a body.
  [[nodiscard]] TENDRIL_HD bool is_near_end(std::uint32_t draw) const { return draw >= near_end_; }

 private:
  /// The last eighth of what can be stolen, and eight units at least for each that runs: tiles
  /// eight times as long as the mean do not make others wait.
  [[nodiscard]] TENDRIL_HD static std::uint32_t first_near_end(std::uint32_t stealable,
                                                               std::uint32_t resident) {
    const std::uint32_t eighth = (stealable + 7) / 8;
    const std::uint64_t eight_each = std::uint64_t{resident} * 8;
    if (eight_each >= stealable) {
      return 0;
    }
    return stealable - (eighth < eight_each ? static_cast<std::uint32_t>(eight_each) : eighth);
  }

  std::uint32_t units_;
  std::uint32_t resident_;
  std::uint32_t num_;
  std::uint32_t first_;
  std::uint32_t step_;
  std::uint32_t near_end_;
};

/// Candidates that a request tries before it is refused.
inline constexpr std::uint32_t tries_per_request = 2;

/// One software request: draw a number from the launch's counter, raise the candidate's claim word,
/// and look at what was there.
class steal_request {
 public:
  /// What the caller has to do next.
  enum class need : std::uint8_t {
    draw,   ///< fetch-and-add of the launch's counter
    claim,  ///< fetch-max of the claim word of unit() with a stolen claim
    none    ///< the answer is ready
  };

  /// What to do next.
  [[nodiscard]] TENDRIL_HD need now() const { return now_; }
  /// The candidate; ~0 before the first draw.
  [[nodiscard]] TENDRIL_HD std::uint32_t unit() const { return unit_; }
  /// Candidates that were taken already.
  [[nodiscard]] TENDRIL_HD std::uint32_t tries() const { return tries_; }
  /// Whether the candidate is near the end; see candidates.
  [[nodiscard]] TENDRIL_HD bool is_near_end() const { return near_end_; }

  /// need::draw is done, with that number.
  TENDRIL_HD void drew(const candidates& from, std::uint32_t draw) {
    if (from.has(draw)) {
      unit_ = from.unit(draw);
      near_end_ = from.is_near_end(draw);
      now_ = need::claim;
    } else {
      refuse(refusal::used_up);
    }
  }

  /// need::claim is done: the word was `previous` before.
  TENDRIL_HD void claimed(std::uint32_t previous, std::uint32_t epoch) {
    if (is_free(previous, epoch)) {
      now_ = need::none;
    } else if (++tries_ < tries_per_request) {
      now_ = need::draw;
    } else {
      refuse(refusal::already_started);
    }
  }

  /// Ends the request without a unit.
  TENDRIL_HD void refuse(refusal why) {
    why_ = why;
    now_ = need::none;
  }

  /// The answer, with the unit as its first block. @pre now() is none
  [[nodiscard]] TENDRIL_HD answer result(std::uint32_t blocks_per_unit) const {
    if (why_ != refusal::none) {
      return {~0u, 0, why_, 0};
    }
    return {unit_ * blocks_per_unit, 1, refusal::none, near_end_ ? 1u : 0u};
  }

 private:
  std::uint32_t unit_ = ~0u;
  std::uint32_t tries_ = 0;
  bool near_end_ = false;
  refusal why_ = refusal::none;
  need now_ = need::draw;
};

/// True for about rate_16 of 65536 requests, always the same ones. 65536 refuses all.
[[nodiscard]] TENDRIL_HD constexpr bool injects_refusal(std::uint32_t rate_16, std::uint32_t epoch,
                                                        std::uint32_t unit, std::uint32_t request) {
  std::uint32_t mixed = unit * 2654435761u ^ request * 2246822519u ^ epoch * 3266489917u;
  mixed ^= mixed >> 16;
  mixed *= 0x7feb352du;
  mixed ^= mixed >> 15;
  mixed *= 0x846ca68bu;
  mixed ^= mixed >> 16;
  return (mixed & 0xffffu) < rate_16;
}

}  // namespace tendril::schedule
