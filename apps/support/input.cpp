#include "support/input.hpp"

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string_view>
#include <system_error>
#include <utility>

#include "support/progress.hpp"
#include "tendril/core/error.hpp"
#include "tendril/graph/generate.hpp"

namespace tendril::app {

namespace {

read_options reading(const input_options& input) {
  read_options options;
  options.format = input.format;
  options.index_base = input.index_base;
  if (input.directed || input.undirected) {
    options.kind = input.directed ? orientation::directed : orientation::undirected;
  }
  if (input.drop_loops) {
    options.loops = build_options::self_loops::drop;
  }
  if (input.merge_duplicates) {
    options.parallel_edges = build_options::duplicates::merge;
  }
  return options;
}

void refuse_file_options(const input_options& input) {
  const auto refuse = [&input](bool given, const char* option) {
    if (given) {
      throw usage_error(std::string(option) + " applies to files, and " + input.text +
                        " is a generator");
    }
  };
  refuse(input.directed, "--directed");
  refuse(input.undirected, "--undirected");
  refuse(input.index_base.has_value(), "--base");
  refuse(input.format.has_value(), "--format");
  refuse(input.drop_loops, "--drop-loops");
  refuse(input.merge_duplicates, "--merge-duplicates");
}

template <weight W>
loaded_graph<W> make(const input_options& input) {
  refuse_file_options(input);
  csr<W> graph = generate<W>(input.text);
  const std::uint64_t seed = generator_seed(input.text);
  vertex_names names(graph.num_vertices());
  return {std::move(graph), std::move(names), std::nullopt,
          seed == 0 ? std::nullopt : std::optional(seed)};
}

template <weight W>
loaded_graph<W> read(const input_options& input, progress_line* progress) {
  read_options options = reading(input);
  if (progress != nullptr) {
    options.progress = [progress](std::uint64_t done, std::uint64_t total) {
      progress->update(done, total);
    };
  }
  graph_file<W> file = read_graph_file<W>(input.text, options);
  return {std::move(file.graph), std::move(file.names), file.facts, std::nullopt};
}

/// The structure without its weights, which are then freed.
loaded_graph<none> without_weights(loaded_graph<std::int32_t>&& loaded) {
  return {tendril::without_weights(loaded.graph), std::move(loaded.names), loaded.facts,
          loaded.seed};
}

// What int32 refuses may be a fraction, which double takes, or an error, which double reports.
weighted_graph load_narrowest(const input_options& input, const common_options& common) {
  try {
    return load<std::int32_t>(input, common);
  } catch (const input_error&) {
    return load<double>(input, common);
  }
}

}  // namespace

void for_each_line(const std::string& path,
                   const std::function<void(const std::string&, const std::string&)>& take) {
  constexpr const char* blanks = " \t\r";
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  std::ifstream file(path);
  if (!file) {
    throw input_error(path + ": cannot be opened: " + std::generic_category().message(errno));
  }
  if (std::error_code failure; std::filesystem::is_directory(path, failure)) {
    throw input_error(path + ": expected a file to read, found a folder");
  }
  std::string line;
  for (std::uint64_t number = 1; std::getline(file, line); ++number) {
    if (number == 1 && line.starts_with(byte_order_mark)) {
      line.erase(0, byte_order_mark.size());
    }
    const std::size_t begin = line.find_first_not_of(blanks);
    if (begin != std::string::npos) {
      take(path + ':' + std::to_string(number) + ": ",
           line.substr(begin, line.find_last_not_of(blanks) + 1 - begin));
    }
  }
}

bool input_options::is_generator() const {
  return names_generator(text);
}

template <weight W>
loaded_graph<W> load(const input_options& input, const common_options& common) {
  std::optional<progress_line> progress;
  if (shows_progress(common.quiet)) {
    progress.emplace((input.is_generator() ? "make " : "read ") + input.text, std::cerr);
  }
  return input.is_generator() ? make<W>(input) : read<W>(input, progress ? &*progress : nullptr);
}

template loaded_graph<none> load(const input_options&, const common_options&);
template loaded_graph<std::int32_t> load(const input_options&, const common_options&);
template loaded_graph<float> load(const input_options&, const common_options&);
template loaded_graph<double> load(const input_options&, const common_options&);

any_graph load_any(const input_options& input, weight_choice weights,
                   const common_options& common) {
  if (weights == weight_choice::none ||
      (weights == weight_choice::automatic && input.is_generator())) {
    return load<none>(input, common);
  }
  weighted_graph loaded = load_weighted(input, weights, common);
  if (weights == weight_choice::automatic) {
    auto* whole = std::get_if<loaded_graph<std::int32_t>>(&loaded);
    if (whole != nullptr && !whole->facts->has_weights) {
      return without_weights(std::move(*whole));
    }
  }
  return std::visit([](auto&& each) { return any_graph(std::forward<decltype(each)>(each)); },
                    std::move(loaded));
}

weighted_graph load_weighted(const input_options& input, weight_choice weights,
                             const common_options& common) {
  switch (weights) {
    case weight_choice::int32:
      return load<std::int32_t>(input, common);
    case weight_choice::float32:
      return load<float>(input, common);
    case weight_choice::float64:
      return load<double>(input, common);
    case weight_choice::automatic:
    case weight_choice::none:
      break;
  }
  return load_narrowest(input, common);
}

}  // namespace tendril::app
