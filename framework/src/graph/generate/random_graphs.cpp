#include <cmath>
#include <string>

#include "graph/generate/assemble.hpp"
#include "tendril/core/error.hpp"
#include "tendril/graph/generate.hpp"

// rmat and urand.

namespace tendril {

namespace {

using generate_detail::assemble;
using generate_detail::mix;
using generate_detail::random_stream;
using generate_detail::with_weights;

void check_size(const char* name, int scale, int edge_factor) {
  if (scale < 1 || scale > 31) {
    throw usage_error(std::string(name) + ": expected a scale in 1 .. 31, found " +
                      std::to_string(scale));
  }
  if (edge_factor < 1) {
    throw usage_error(std::string(name) + ": expected an edge factor of at least 1, found " +
                      std::to_string(edge_factor));
  }
}

// A bijection on the numbers of `scale` bits: rmat's hubs would all have low ids otherwise. Odd
// multiplications and shifted xors, each of which can be undone.
class scramble {
 public:
  scramble(int scale, std::uint64_t seed)
      : mask_((std::uint64_t{1} << static_cast<unsigned>(scale)) - 1),
        shift_(static_cast<unsigned>(scale + 1) / 2),
        offset_(mix(seed)),
        factors_{mix(seed + 1) | 1U, mix(seed + 2) | 1U, mix(seed + 3) | 1U} {}

  [[nodiscard]] vertex_id operator()(std::uint64_t id) const {
    id = (id + offset_) & mask_;
    for (const std::uint64_t factor : factors_) {
      id = (id * factor) & mask_;
      id ^= id >> shift_;
    }
    return static_cast<vertex_id>(id);
  }

 private:
  std::uint64_t mask_;
  unsigned shift_;
  std::uint64_t offset_;
  std::uint64_t factors_[3];
};

// The quadrant of each level as thresholds on a 32-bit random number.
struct quadrants {
  std::uint64_t a, ab, abc;

  explicit quadrants(const rmat_shape& shape) {
    constexpr std::uint64_t refused = std::uint64_t{1} << 33U;
    const auto is_probability = [](double p) { return p >= 0 && p <= 1; };  // false for NaN
    // Rounded down one by one, added as integers: the same everywhere.
    const auto parts = [&](double p) {
      return is_probability(p) ? static_cast<std::uint64_t>(std::ldexp(p, 32)) : refused;
    };
    a = parts(shape.a);
    ab = a + parts(shape.b);
    abc = ab + parts(shape.c);
    if (abc > std::uint64_t{1} << 32U) {
      throw usage_error(
          "rmat: expected quadrant probabilities a, b, c >= 0 with a + b + c <= 1, found " +
          std::to_string(shape.a) + ", " + std::to_string(shape.b) + ", " +
          std::to_string(shape.c));
    }
  }
};

// One bit of each end point per level, two levels from each 64-bit draw.
edge<> rmat_edge(std::uint64_t number, int scale, const quadrants& bounds,
                 const random_stream& random) {
  std::uint32_t source = 0;
  std::uint32_t target = 0;
  const auto draws_per_edge = static_cast<std::uint64_t>(scale + 1) / 2;
  std::uint64_t draw = 0;
  for (int level = 0; level < scale; ++level) {
    draw = level % 2 == 0 ? random[number * draws_per_edge + static_cast<std::uint64_t>(level / 2)]
                          : draw >> 32U;
    const std::uint64_t r = draw & 0xffffffffU;
    const auto past_a = static_cast<std::uint32_t>(r >= bounds.a);
    const auto past_ab = static_cast<std::uint32_t>(r >= bounds.ab);
    const auto past_abc = static_cast<std::uint32_t>(r >= bounds.abc);
    source = source << 1U | past_ab;
    target = target << 1U | (past_a ^ past_ab ^ past_abc);
  }
  return {source, target, {}};
}

}  // namespace

template <weight W>
csr<W> generate_rmat(int scale, int edge_factor, std::uint64_t seed, rmat_shape shape) {
  check_size("rmat", scale, edge_factor);
  const quadrants bounds(shape);
  const random_stream random(seed);
  const scramble scrambled(scale, seed);
  const std::uint64_t num_vertices = std::uint64_t{1} << static_cast<unsigned>(scale);
  return with_weights<W>(
      assemble(num_vertices, num_vertices * static_cast<std::uint64_t>(edge_factor), 1, "rmat",
               [&](std::uint64_t number, edge_list<>::chunk& chunk) {
                 const edge<> e = rmat_edge(number, scale, bounds, random);
                 chunk.push_back({scrambled(e.source), scrambled(e.target), {}});
               }),
      seed);
}

template <weight W>
csr<W> generate_urand(int scale, int edge_factor, std::uint64_t seed) {
  check_size("urand", scale, edge_factor);
  const random_stream random(seed);
  const std::uint64_t num_vertices = std::uint64_t{1} << static_cast<unsigned>(scale);
  const std::uint64_t mask = num_vertices - 1;
  return with_weights<W>(
      assemble(num_vertices, num_vertices * static_cast<std::uint64_t>(edge_factor), 1, "urand",
               [&](std::uint64_t number, edge_list<>::chunk& chunk) {
                 const std::uint64_t draw = random[number];
                 chunk.push_back({static_cast<vertex_id>(draw & mask),
                                  static_cast<vertex_id>(draw >> 32U & mask),
                                  {}});
               }),
      seed);
}

#define TENDRIL_INSTANTIATE(W)                                           \
  template csr<W> generate_rmat<W>(int, int, std::uint64_t, rmat_shape); \
  template csr<W> generate_urand<W>(int, int, std::uint64_t);
TENDRIL_INSTANTIATE(none)
TENDRIL_INSTANTIATE(std::int32_t)
TENDRIL_INSTANTIATE(float)
TENDRIL_INSTANTIATE(double)
#undef TENDRIL_INSTANTIATE

}  // namespace tendril
