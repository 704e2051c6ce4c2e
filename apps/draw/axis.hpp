#pragma once

#include <vector>

namespace tendril::draw {

/// One axis of a plot: values lowest .. highest lie on pixels from .. to.
struct axis {
  bool is_logarithmic = false;  ///< else linear
  double lowest = 0;            ///< value
  double highest = 1;           ///< value, not the lowest
  double from = 0;              ///< pixel of the lowest
  double to = 1;                ///< pixel of the highest

  /// Where a value lies. @pre value > 0 on a logarithmic axis
  [[nodiscard]] double position(double value) const;
};

/// Round values in lowest .. highest at which to put a mark: 1, 2 or 5 times a power of ten on a
/// linear axis, `most` of them or one more at most; powers of ten, or of 10^k where those are too
/// many, on a logarithmic one.
/// @param a      where the values lie
/// @param most   marks; 1 at least
/// @param whole  no fractions
[[nodiscard]] std::vector<double> ticks(const axis& a, int most, bool whole = true);

}  // namespace tendril::draw
