#include "tendril/tree/points.hpp"

#include <array>
#include <charconv>
#include <string>

#include "tendril/core/error.hpp"

namespace tendril {

template <coordinate Real>
std::string to_string(const point<Real>& p) {
  std::array<char, 64> text{};  // a double takes 24 at most
  char* at = text.data();
  const auto append = [&](char before, Real value) {
    *at++ = before;
    at = std::to_chars(at, text.data() + text.size(), value).ptr;
  };
  append('(', p.x);
  *at++ = ',';
  append(' ', p.y);
  *at++ = ')';
  return {text.data(), at};
}

template std::string to_string(const point<float>& p);
template std::string to_string(const point<double>& p);

point_id checked_point_count(std::uint64_t count) {
  if (count >= no_point) {
    throw usage_error("points: at most " + std::to_string(no_point - 1) + " points, found " +
                      std::to_string(count));
  }
  return static_cast<point_id>(count);
}

template <coordinate Real>
points<Real>::points(shared_array<point<Real>> positions) : positions_(std::move(positions)) {
  static_cast<void>(checked_point_count(positions_.size()));
}

template class points<float>;
template class points<double>;

}  // namespace tendril
