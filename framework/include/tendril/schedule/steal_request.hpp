#pragma once

#include <cstdint>

#include "tendril/core/target.hpp"
#include "tendril/schedule/answer.hpp"

// Who gets a unit: the one that starts it or a thief.

namespace tendril::schedule {

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
