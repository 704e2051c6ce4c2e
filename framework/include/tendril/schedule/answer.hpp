#pragma once

#include <cstdint>

// What a request for a unit that has not started comes to.

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

}  // namespace tendril::schedule
