#include "tendril/graph/read.hpp"

#include <utility>

#include "graph/read/assemble.hpp"
#include "graph/read/detect.hpp"
#include "graph/read/formats.hpp"
#include "tendril/core/error.hpp"

namespace tendril {

std::string_view to_string(file_format format) noexcept {
  switch (format) {
    case file_format::matrix_market:
      return "mtx";
    case file_format::edge_list:
      return "el";
    case file_format::dimacs:
      return "gr";
    case file_format::dimacs_color:
      return "col";
    case file_format::metis:
      return "metis";
    case file_format::adjacency:
      return "adj";
    case file_format::gap_serial:
      return "sg";
    case file_format::tgr:
      return "tgr";
  }
  return "";
}

template <weight W>
graph_file<W> read_graph_file(const std::filesystem::path& path, const read_options& options) {
  const auto assembled = [&](detail::parsed_graph<W>&& parsed) {
    return detail::assemble(std::move(parsed), options);
  };
  switch (options.format ? *options.format : detail::detect_format(path)) {
    case file_format::matrix_market:
      return assembled(detail::parse_matrix_market<W>(path, options));
    case file_format::edge_list:
      return assembled(detail::parse_edge_list<W>(path, options));
    case file_format::dimacs:
    case file_format::dimacs_color:
      return assembled(detail::parse_dimacs<W>(path, options));
    case file_format::metis:
      return detail::read_metis<W>(path, options);
    case file_format::adjacency:
      return assembled(detail::parse_adjacency<W>(path, options));
    case file_format::gap_serial:
      return detail::read_gap_serial<W>(path, options);
    case file_format::tgr:
      return detail::read_tgr<W>(path, options);
  }
  throw usage_error("read_graph_file: options.format is no file format");
}

template graph_file<none> read_graph_file(const std::filesystem::path&, const read_options&);
template graph_file<std::int32_t> read_graph_file(const std::filesystem::path&,
                                                  const read_options&);
template graph_file<float> read_graph_file(const std::filesystem::path&, const read_options&);
template graph_file<double> read_graph_file(const std::filesystem::path&, const read_options&);

}  // namespace tendril
