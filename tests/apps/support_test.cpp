#include <gtest/gtest.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <random>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "apps/program.hpp"
#include "support/output_file.hpp"
#include "support/progress.hpp"
#include "support/search_command.hpp"
#include "support/search_report.hpp"
#include "support/sources.hpp"
#include "support/text.hpp"
#include "tendril/algorithms/voronoi.hpp"
#include "tendril/core/error.hpp"
#include "tendril/graph/builder.hpp"

// The pieces that commands are made of, where running the program does not show them well.

namespace tendril::test {
namespace {

TEST(text, numbers_are_grouped_by_thousands) {
  EXPECT_EQ(app::grouped(0), "0");
  EXPECT_EQ(app::grouped(999), "999");
  EXPECT_EQ(app::grouped(1000), "1,000");
  EXPECT_EQ(app::grouped(1234567), "1,234,567");
  EXPECT_EQ(app::grouped(18446744073709551615U), "18,446,744,073,709,551,615");
}

TEST(text, words_are_joined) {
  EXPECT_EQ(app::joined({}, ", "), "");
  EXPECT_EQ(app::joined({"", "a", "b"}, " and "), " and a and b");
}

TEST(text, one_thing_is_not_plural) {
  EXPECT_EQ(app::counted(0, "vertex", "vertices"), "0 vertices");
  EXPECT_EQ(app::counted(1, "vertex", "vertices"), "1 vertex");
  EXPECT_EQ(app::counted(2000, "vertex", "vertices"), "2,000 vertices");
}

TEST(text, three_digits_and_a_unit) {
  EXPECT_EQ(app::duration(0.0123), "12.3 us");
  EXPECT_EQ(app::duration(0.9999), "1.00 ms");
  EXPECT_EQ(app::duration(999.4), "999 ms");
  EXPECT_EQ(app::duration(999.6), "1.00 s");
  EXPECT_EQ(app::duration(123456), "123 s");
  EXPECT_EQ(app::duration(1234567), "1,235 s");
  EXPECT_EQ(app::metric(12), "12.0");
  EXPECT_EQ(app::rounded(1e30), "1e+30");
  EXPECT_EQ(app::metric(1.234e9), "1.23 G");
  EXPECT_EQ(app::metric(999.9e6), "1.00 G");
  EXPECT_EQ(app::binary_bytes(1023), "1023 B");
  EXPECT_EQ(app::binary_bytes(1536), "1.50 KiB");
  EXPECT_EQ(app::binary_bytes(std::uint64_t{5} << 40U), "5.00 TiB");
}

TEST(text, numbers_read_back_as_they_were) {
  EXPECT_EQ(app::number(0.1), "0.1");
  EXPECT_EQ(app::number(0.1F), "0.1");
  EXPECT_EQ(app::number(3.0), "3");
  EXPECT_EQ(app::number(std::int64_t{-7}), "-7");
}

TEST(text, alignment_counts_characters) {
  EXPECT_EQ(app::align_right("ab", 4), "  ab");
  EXPECT_EQ(app::align_left("ab", 4), "ab  ");
  EXPECT_EQ(app::align_left("abcde", 4), "abcde");
  EXPECT_EQ(app::align_right("\xC3\xA9", 3), "  \xC3\xA9");
}

TEST(run_times, median_and_least) {
  EXPECT_EQ(app::run_times({{5}}).median(), 5);
  EXPECT_EQ(app::run_times({{9, 1, 4}}).median(), 4);
  EXPECT_EQ(app::run_times({{9, 1, 4, 2}}).median(), 3);
  EXPECT_EQ(app::run_times({{9, 1, 4}}).least(), 1);
}

csr<none> star_with_isolated(vertex_id num_leaves, vertex_id num_isolated) {
  edge_list<none> edges;
  for (vertex_id leaf = 1; leaf <= num_leaves; ++leaf) {
    edges.append({{0, leaf, {}}});
  }
  return build_csr(std::move(edges), 1 + num_leaves + num_isolated,
                   {.kind = orientation::undirected});
}

// The definition, written once more with the standard's own twister.
TEST(random_sources, are_drawn_as_the_gap_benchmark_draws_them) {
  const csr<none> graph = star_with_isolated(9, 990);
  std::mt19937 twister(27491095);
  const std::uint64_t beyond = 4294967000U;  // the largest multiple of 1000 in 32 bits
  std::uint64_t drawn = twister();
  while (drawn >= beyond || drawn % 1000 > 9) {
    drawn = static_cast<std::uint32_t>(twister());
  }
  const app::chosen_sources chosen = app::choose_sources({}, graph, vertex_names(1000));
  EXPECT_EQ(chosen.seed, 27491095U);
  EXPECT_EQ(chosen.ids, std::vector<vertex_id>{static_cast<vertex_id>(drawn % 1000)});
}

TEST(random_sources, are_distinct_and_all_have_edges) {
  const csr<none> graph = star_with_isolated(9, 90);
  app::source_options options;
  options.list = "random:10";
  std::vector<vertex_id> ids = app::choose_sources(options, graph, vertex_names(100)).ids;
  std::sort(ids.begin(), ids.end());
  EXPECT_EQ(ids, (std::vector<vertex_id>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}));
  options.list = "random:11";
  EXPECT_THROW(static_cast<void>(app::choose_sources(options, graph, vertex_names(100))),
               input_error);
}

TEST(random_sources, without_edges_the_first_vertex_serves) {
  const csr<none> edgeless = build_csr(edge_list<none>(), 5);
  EXPECT_EQ(app::choose_sources({}, edgeless, vertex_names(5)).ids, std::vector<vertex_id>{0});
  EXPECT_TRUE(app::choose_sources({}, csr<none>(), vertex_names(0)).ids.empty());
}

TEST(output_files, appear_only_when_all_are_committed) {
  const program_folder folder;
  folder.write("kept", "old");
  {
    app::output_files files;
    files.add(folder.path("kept"), "new");
    files.add(folder.path("second"), "new");
    EXPECT_EQ(folder.read("kept"), "old");
  }
  EXPECT_EQ(folder.read("kept"), "old");
  EXPECT_EQ(folder.list(), std::vector<std::string>{"kept"});
  app::output_files files;
  files.add(folder.path("kept"), "new");
  files.add(folder.path("second"), "newer");
  files.commit();
  EXPECT_EQ(folder.read("kept"), "new");
  EXPECT_EQ(folder.read("second"), "newer");
  EXPECT_EQ(folder.list(), (std::vector<std::string>{"kept", "second"}));
}

TEST(output_files, follow_links_and_write_into_devices) {
  const program_folder folder;
  folder.write("target", "old");
  std::filesystem::create_symlink("target", folder.path("link"));
  app::output_files files;
  files.add(folder.path("link"), "new");
  files.add("/dev/null", "gone");
  files.commit();
  EXPECT_EQ(folder.read("target"), "new");
  EXPECT_TRUE(std::filesystem::is_symlink(folder.path("link")));
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
}

/// A stream that another thread may watch.
class watched_stream : public std::ostream {
 public:
  watched_stream() : std::ostream(&buffer_) {}
  void wait_for_a_line() const {
    while (buffer_.num_flushes == 0) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }
  [[nodiscard]] std::string text() const { return buffer_.str(); }

 private:
  struct counting_buffer : std::stringbuf {
    int sync() override {
      ++num_flushes;
      return std::stringbuf::sync();
    }
    std::atomic<int> num_flushes = 0;
  };
  counting_buffer buffer_;
};

TEST(progress_line, stays_silent_when_it_is_quick) {
  watched_stream out;
  { const app::progress_line line("read x", out, std::chrono::seconds(30)); }
  EXPECT_EQ(out.text(), "");
}

TEST(progress_line, shows_the_part_done_and_wipes_itself) {
  watched_stream out;
  {
    app::progress_line line("read x", out, std::chrono::milliseconds(20));
    line.update(25, 100);
    out.wait_for_a_line();
  }
  EXPECT_NE(out.text().find("read x  25 %  [######                  ]  "), std::string::npos)
      << out.text();
  EXPECT_NE(out.text().find(" s left"), std::string::npos);
  EXPECT_TRUE(out.text().ends_with("\r\x1b[K"));
}

TEST(progress_line, shows_the_time_where_no_part_is_known) {
  watched_stream out;
  {
    const app::progress_line line("make x", out, std::chrono::milliseconds(1));
    out.wait_for_a_line();
  }
  EXPECT_NE(out.text().find("make x  0 s"), std::string::npos) << out.text();
}

TEST(progress_line, is_not_shown_in_pipes) {
  const program_folder folder;  // its standard error is a file
  EXPECT_EQ(folder.run({"bfs", "grid:300x300", "--engine", "host"}).err, "");
}

// Labels that tell of no steps.
TEST(search_command, without_steps_says_only_how_many_are_reached) {
  const program_folder folder;
  CLI::App app;
  const app::action run = app::add_search_command<std::uint64_t>(
      app,
      {.name = "near",
       .title = "Near",
       .columns = {"source"},
       .none = no_cell,
       .row = [](std::uint64_t label,
                 const vertex_names& names) { return names.name(voronoi_source(label)); },
       .compare =
           [](const csr<>&, std::span<const vertex_id>, std::span<const std::uint64_t>) {
             return std::optional<std::string>("vertex 1 is wrong");
           }},
      [](auto&... with) { return voronoi(with...); });
  app.parse("path:4 --source 1 --engine host --check --quiet --json " +
            folder.path("report").string());
  EXPECT_EQ(run(), app::exit_status::check_failed);
  const auto report = nlohmann::json::parse(folder.read("report"));
  EXPECT_EQ(report["reached"], 4);
  EXPECT_TRUE(report["depth"].is_null());
  EXPECT_EQ(report["check"], "failed");
}

}  // namespace
}  // namespace tendril::test
