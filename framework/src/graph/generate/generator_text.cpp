#include <array>

#include "graph/generate/generator_fields.hpp"
#include "tendril/graph/generate.hpp"

// The text form of the generators: `rmat:22:16`, `grid:2048x2048:30`.

namespace tendril {

namespace {

using generate_detail::default_seed;
using generate_detail::generator_form;
using fields = generate_detail::generator_fields;

constexpr std::array forms{
    generator_form{"rmat", "rmat:SCALE:EDGEFACTOR[:SEED][:A:B:C]"},
    generator_form{"urand", "urand:SCALE:EDGEFACTOR[:SEED]"},
    generator_form{"grid", "grid:WIDTHxHEIGHT[:REMOVED%[:SEED]]"},
    generator_form{"path", "path:N"},
    generator_form{"star", "star:N"},
    generator_form{"tree", "tree:DEPTH:FANOUT"},
};

[[nodiscard]] fields fields_of(std::string_view text) {
  return {forms, text};
}

template <weight W>
csr<W> rmat_of(const fields& f) {
  f.expect_size(2, 6);
  if (f.size() == 4) {  // neither with nor without a seed do A, B and C fit
    f.expect_size(2, 3);
  }
  const int scale = f.number<int>(0);
  const int edge_factor = f.number<int>(1);
  rmat_shape shape;
  if (f.size() >= 5) {
    const std::size_t first = f.size() - 3;
    shape = {f.number<double>(first), f.number<double>(first + 1), f.number<double>(first + 2)};
  }
  const bool has_seed = f.size() == 3 || f.size() == 6;
  return generate_rmat<W>(scale, edge_factor, has_seed ? f.number<std::uint64_t>(2) : default_seed,
                          shape);
}

}  // namespace

bool names_generator(std::string_view text) noexcept {
  return generate_detail::form_of(forms, text) != nullptr;
}

template <weight W>
csr<W> generate(std::string_view text) {
  const fields f = fields_of(text);
  if (f.name() == "rmat") {
    return rmat_of<W>(f);
  }
  if (f.name() == "urand") {
    f.expect_size(2, 3);
    return generate_urand<W>(f.number<int>(0), f.number<int>(1),
                             f.number_or<std::uint64_t>(2, default_seed));
  }
  if (f.name() == "grid") {
    f.expect_size(1, 3);
    const auto [width, height] = f.extent(0);
    return generate_grid<W>(width, height, f.percent_or(1, 0),
                            f.number_or<std::uint64_t>(2, default_seed));
  }
  if (f.name() == "tree") {
    f.expect_size(2, 2);
    return generate_tree<W>(f.number<int>(0), f.number<std::uint64_t>(1));
  }
  f.expect_size(1, 1);
  const auto num_vertices = f.number<std::uint64_t>(0);
  return f.name() == "path" ? generate_path<W>(num_vertices) : generate_star<W>(num_vertices);
}

std::uint64_t generator_seed(std::string_view text) {
  const fields f = fields_of(text);
  if (f.name() == "grid") {
    return f.number_or<std::uint64_t>(2, default_seed);
  }
  if (f.name() == "urand" || f.name() == "rmat") {
    const bool has_seed = f.size() == 3 || f.size() == 6;
    return has_seed ? f.number<std::uint64_t>(2) : default_seed;
  }
  return 0;
}

template csr<none> generate(std::string_view);
template csr<std::int32_t> generate(std::string_view);
template csr<float> generate(std::string_view);
template csr<double> generate(std::string_view);

}  // namespace tendril
