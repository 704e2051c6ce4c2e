#include "draw/axis.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace tendril::draw {

namespace {

// Steps are counted in whole numbers: adding a step again and again would drift.
std::vector<double> multiples(double step, double lowest, double highest) {
  std::vector<double> values;
  const auto first = static_cast<std::int64_t>(std::ceil(lowest / step - 1e-9));
  const auto last = static_cast<std::int64_t>(std::floor(highest / step + 1e-9));
  for (std::int64_t n = first; n <= last; ++n) {
    values.push_back(static_cast<double>(n) * step);
  }
  return values;
}

double round_step(double least) {
  const double power = std::pow(10, std::floor(std::log10(least)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= least * (1 - 1e-9)) {
      return factor * power;
    }
  }
  return 10 * power;
}

}  // namespace

double axis::position(double value) const {
  const double part = is_logarithmic ? std::log(value / lowest) / std::log(highest / lowest)
                                     : (value - lowest) / (highest - lowest);
  return from + part * (to - from);
}

std::vector<double> ticks(const axis& a, int most, bool whole) {
  if (!a.is_logarithmic) {
    const double least = std::max((a.highest - a.lowest) / most, 1e-300);
    return multiples(whole ? std::max(1.0, round_step(least)) : round_step(least), a.lowest,
                     a.highest);
  }
  const double low = std::log10(a.lowest);
  const double high = std::log10(a.highest);
  std::vector<double> values = multiples(std::max(1.0, std::ceil((high - low) / most)), low, high);
  std::transform(values.begin(), values.end(), values.begin(),
                 [](double exponent) { return std::pow(10, exponent); });
  return values;
}

}  // namespace tendril::draw
