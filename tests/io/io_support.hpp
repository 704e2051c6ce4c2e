#pragma once

#include <gtest/gtest.h>
#include <unistd.h>
#include <zlib.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "tendril/core/error.hpp"
#include "tendril/graph/read.hpp"

// Files to read and graphs to compare with, both as short texts.

namespace io_test {

/// A file that exists as long as this object.
class temp_file {
 public:
  temp_file(const std::string& name, std::string_view content)
      : folder_(std::filesystem::temp_directory_path() /
                ("tendril_io_" + std::to_string(::getpid()) + "_" + std::to_string(counter()++))),
        path_(folder_ / name) {
    std::filesystem::create_directory(folder_);
    std::ofstream(path_, std::ios::binary).write(content.data(), std::streamsize(content.size()));
  }
  ~temp_file() { std::filesystem::remove_all(folder_); }
  temp_file(const temp_file&) = delete;
  temp_file& operator=(const temp_file&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  static int& counter() {
    static int next = 0;
    return next;
  }

  std::filesystem::path folder_;
  std::filesystem::path path_;
};

/// One gzip member.
[[nodiscard]] inline std::string gzip(std::string_view text) {
  z_stream zlib{};
  EXPECT_EQ(deflateInit2(&zlib, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
  std::string out(deflateBound(&zlib, text.size()) + 32, '\0');
  std::string in(text);
  zlib.next_in = reinterpret_cast<Bytef*>(in.data());
  zlib.avail_in = static_cast<uInt>(in.size());
  zlib.next_out = reinterpret_cast<Bytef*>(out.data());
  zlib.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(deflate(&zlib, Z_FINISH), Z_STREAM_END);
  out.resize(zlib.total_out);
  deflateEnd(&zlib);
  return out;
}

/// "4 directed: 1>2 1>3*0.5": the number of vertices, the kind, and the edges in the order of the
/// graph by the names in the file, with weights that are not 1.
template <tendril::weight W>
[[nodiscard]] std::string listing(const tendril::graph_file<W>& file) {
  std::ostringstream text;
  text.precision(17);
  const auto view = file.graph.view();
  text << view.num_vertices() << (file.graph.is_undirected() ? " undirected:" : " directed:");
  for (tendril::vertex_id v = 0; v < view.num_vertices(); ++v) {
    for (auto i = view.first_edge(v); i < view.last_edge(v); ++i) {
      text << ' ' << file.names.name(v) << '>' << file.names.name(view.target(i));
      if constexpr (!std::is_same_v<W, tendril::none>) {
        if (view.weight(i) != W{1}) {
          text << '*' << view.weight(i);
        }
      }
    }
  }
  return text.str();
}

template <tendril::weight W = tendril::none>
[[nodiscard]] std::string listing(const std::filesystem::path& path,
                                  const tendril::read_options& options = {}) {
  return listing(tendril::read_graph_file<W>(path, options));
}

/// What the file at that path reads as, for texts written where they are used.
template <tendril::weight W = tendril::none>
[[nodiscard]] std::string listing_of(const std::string& name, std::string_view content,
                                     const tendril::read_options& options = {}) {
  const temp_file file(name, content);
  return listing<W>(file.path(), options);
}

/// The text of the input_error that reading throws, without the folder; or what was read.
template <tendril::weight W = tendril::none>
[[nodiscard]] std::string refusal(const std::filesystem::path& path,
                                  const tendril::read_options& options = {}) {
  try {
    return "read: " + listing<W>(path, options);
  } catch (const tendril::input_error& error) {
    std::string text = error.what();
    const std::string folder = path.parent_path().string() + "/";
    if (text.starts_with(folder)) {
      text.erase(0, folder.size());
    }
    return text;
  }
}

template <tendril::weight W = tendril::none>
[[nodiscard]] std::string refusal_of(const std::string& name, std::string_view content,
                                     const tendril::read_options& options = {}) {
  const temp_file file(name, content);
  return refusal<W>(file.path(), options);
}

}  // namespace io_test
