#pragma once

#include <vector>

namespace tendril::draw {

/// One axis of a plot: values lowest .. highest lie on pixels from .. to.
struct axis {
  bool is_logarithmic = false;
  double lowest = 0;
  double highest = 1;
  double from = 0;
  double to = 1;

  /// Where a value lies. @pre value > 0 on a logarithmic axis
  [[nodiscard]] double position(double value) const;
};

/// Round values in lowest .. highest at which to put a mark: 1, 2 or 5 times a power of ten on a
/// linear axis, at most `most` of them; powers of ten, or of 10^k where those are too many, on a
/// logarithmic one.
/// @param whole  no fractions
[[nodiscard]] std::vector<double> ticks(const axis& a, int most, bool whole = true);

}  // namespace tendril::draw
