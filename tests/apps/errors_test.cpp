#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <new>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "apps/program.hpp"
#include "support/exit_status.hpp"
#include "support/search.hpp"
#include "tendril/core/error.hpp"

// What goes wrong, what is said of it, and that nothing is written then.

namespace tendril::test {
namespace {

using app::exit_status;
using names = std::vector<std::string>;

// Vertices 5 and 6 are isolated, 4 is a sink.
constexpr const char* six_vertices =
    "%%MatrixMarket matrix coordinate pattern general\n6 6 4\n1 2\n1 3\n2 4\n3 4\n";

template <class Error>
exit_status status_of(const Error& error, std::string& text) {
  std::ostringstream out;
  const exit_status status = app::report_failure(std::make_exception_ptr(error), out);
  text = out.str();
  return status;
}

TEST(program_errors, each_exception_has_its_exit_status) {
  std::string text;
  EXPECT_EQ(status_of(usage_error("a"), text), exit_status::usage);
  EXPECT_EQ(text, "tendril: a\n");
  EXPECT_EQ(status_of(input_error("FILE:3: b"), text), exit_status::bad_input);
  EXPECT_EQ(text, "tendril: FILE:3: b\n");
  EXPECT_EQ(status_of(resource_error("c"), text), exit_status::no_resource);
  EXPECT_EQ(status_of(cuda_error(35, "d"), text), exit_status::no_resource);
  EXPECT_EQ(text, "tendril: d\n");
  EXPECT_EQ(status_of(std::bad_alloc(), text), exit_status::no_resource);
  EXPECT_EQ(text, "tendril: out of memory\n");
  EXPECT_EQ(static_cast<int>(exit_status::done), 0);
  EXPECT_EQ(static_cast<int>(exit_status::check_failed), 1);
  EXPECT_EQ(static_cast<int>(exit_status::usage), 2);
  EXPECT_EQ(static_cast<int>(exit_status::bad_input), 3);
  EXPECT_EQ(static_cast<int>(exit_status::no_resource), 4);
}

TEST(program_errors, failed_check_ends_with_1_and_is_reported) {
  app::search_options options;
  options.common.quiet = true;
  app::search_report report;
  report.times.ms = {1.0};
  report.check =
      app::first_failure({std::nullopt, "vertex 3: depth 2, Boost.Graph says 1"}, "fine");
  EXPECT_FALSE(report.check->passed);
  testing::internal::CaptureStderr();
  EXPECT_EQ(app::finish_search(options, report, {}), exit_status::check_failed);
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "tendril: check FAILED: vertex 3: depth 2, Boost.Graph says 1\n");
  EXPECT_NE(app::to_text(report).find("FAILED: vertex 3: depth 2"), std::string::npos);
  EXPECT_EQ(nlohmann::json::parse(app::to_json(report))["check"], "failed");
  report.check = app::first_failure({std::nullopt, std::nullopt}, "fine");
  EXPECT_EQ(app::finish_search(options, report, {}), exit_status::done);
}

TEST(program_errors, bad_files_end_with_3_and_write_nothing) {
  const program_folder folder;
  folder.write("empty.el", "");
  folder.write("short.mtx", "%%MatrixMarket matrix coordinate pattern general\n5 5 6\n1 2\n2 3\n");
  folder.write("words.gr", "p sp 3 1\na 1 two 3\n");
  folder.write("nan.wel", "0 1 nan\n");
  const names before = folder.list();
  for (const std::string command : {"bfs", "sssp", "info", "convert"}) {
    for (const std::string file : {"absent.mtx", "empty.el", "short.mtx", "words.gr"}) {
      SCOPED_TRACE(testing::Message() << command << ' ' << file);
      std::vector<std::string> arguments = {command, file};
      if (command == "convert") {
        arguments.push_back("out.tgr");
      } else {
        arguments.insert(arguments.end(), {"--json", "out.json"});
      }
      const program_result result = folder.run(arguments);
      EXPECT_EQ(result.status, 3) << result.err;
      EXPECT_EQ(result.out, "");
      EXPECT_TRUE(result.err.starts_with("tendril: " + file)) << result.err;
      EXPECT_EQ(folder.list(), before);
    }
  }
  const program_result nan = folder.run({"sssp", "nan.wel"});
  EXPECT_EQ(nan.status, 3);
  EXPECT_NE(nan.err.find("nan.wel:1:"), std::string::npos) << nan.err;
}

// 0 - 2 stands in the row of 0 alone.
TEST(program_errors, an_undirected_graph_that_lists_an_edge_once_is_refused) {
  const program_folder folder;
  std::string bytes(1, '\0');
  const auto append = [&bytes](auto... values) {
    (bytes.append(reinterpret_cast<const char*>(&values), sizeof(values)), ...);
  };
  append(std::int64_t{4}, std::int64_t{4});  // entries, vertices
  for (const std::int64_t offset : {0, 2, 3, 3, 4}) {
    append(offset);
  }
  append(std::int32_t{1}, std::int32_t{2}, std::int32_t{0}, std::int32_t{0});
  folder.write("one.sg", bytes);
  const program_result refused = folder.run({"bfs", "one.sg", "--source", "0"});
  EXPECT_EQ(refused.status, 3) << refused.out;
  EXPECT_EQ(refused.err,
            "tendril: one.sg: expected both directions of each edge of an undirected graph, found "
            "one only at vertex 0\n");
  EXPECT_EQ(folder.run({"bfs", "one.sg", "--source", "0", "--directed"}).status, 0);
}

TEST(program_errors, queries_and_sources_are_not_read_from_folders) {
  const program_folder folder;
  folder.write("p.csv", "1 2\n");
  folder.write("e.el", "0 1\n");
  EXPECT_EQ(folder.run({"quadtree", "p.csv", "--queries", "."}).err,
            "tendril: .: expected a file to read, found a folder\n");
  EXPECT_EQ(folder.run({"reach", "e.el", "--sources", "."}).status, 3);
}

TEST(program_errors, links_that_go_round_are_named_in_one_line) {
  const program_folder folder;
  folder.write("e.el", "0 1\n");
  std::filesystem::create_symlink("round", folder.path("round"));
  const std::string reason = "Too many levels of symbolic links\n";
  const std::string unreadable = "tendril: round: cannot be opened: " + reason;
  for (const names& arguments : std::initializer_list<names>{
           {"bfs", "round", "--engine", "host"},
           {"bfs", "e.el", "--sources", "round"},
           {"quadtree", "round", "--engine", "host"},
           {"quadtree", "uniform:9", "--engine", "host", "--queries", "round"}}) {
    const program_result refused = folder.run(arguments);
    EXPECT_EQ(refused.status, 3);
    EXPECT_EQ(refused.err, unreadable);
  }
  const program_result unwritable = folder.run({"bfs", "e.el", "--out", "round"});
  EXPECT_EQ(unwritable.status, 4);
  EXPECT_EQ(unwritable.err, "tendril: round: cannot be written: " + reason);
}

TEST(program_errors, names_of_any_bytes_get_into_json) {
  const program_folder folder;
  folder.write("latin.tsv", "Z\xFCrich\tBern\n");
  const program_result found = folder.run({"bfs", "latin.tsv", "--source", "Bern", "--json", "-"});
  EXPECT_EQ(found.status, 0) << found.err;
  EXPECT_EQ(nlohmann::json::parse(found.out)["num_vertices"], 2);
}

TEST(program_errors, h25_source_in_the_graph) {
  const program_folder folder;
  folder.write("six.mtx", six_vertices);
  const std::vector<std::vector<std::string>> expected = {
      {"1", "0", "1", "1", "2", "-1", "-1"},
      {"4", "-1", "-1", "-1", "0", "-1", "-1"},
      {"5", "-1", "-1", "-1", "-1", "0", "-1"},
  };
  for (const std::string command : {"bfs", "sssp"}) {
    for (const auto& values : expected) {
      SCOPED_TRACE(command + " from " + values[0]);
      const program_result result =
          folder.run({command, "six.mtx", "--source", values[0], "--check", "--out", "d.tsv"});
      EXPECT_EQ(result.status, 0) << result.err;
      const auto rows = rows_of(folder.read("d.tsv"));
      ASSERT_EQ(rows.size(), 6U);
      for (std::size_t v = 0; v < 6; ++v) {
        EXPECT_EQ(rows[v][0], std::to_string(v + 1));
        EXPECT_EQ(rows[v][1], values[v + 1]);
      }
    }
  }
}

TEST(program_errors, h25_source_outside_the_graph) {
  const program_folder folder;
  folder.write("six.mtx", six_vertices);
  for (const std::string command : {"bfs", "sssp"}) {
    for (const std::string source : {"0", "7", "-1", "4294967297", "x"}) {
      SCOPED_TRACE(testing::Message() << command << " from " << source);
      const program_result result =
          folder.run({command, "six.mtx", "--source", source, "--json", "out.json"});
      EXPECT_EQ(result.status, 3) << result.err;
      EXPECT_EQ(result.out, "");
      EXPECT_EQ(result.err, "tendril: --source: expected a vertex of the graph (1 .. 6), found " +
                                source + '\n');
      EXPECT_EQ(folder.list(), names{"six.mtx"});
    }
  }
  const program_result target = folder.run({"bfs", "six.mtx", "--source", "1", "--target", "7"});
  EXPECT_EQ(target.status, 3);
  EXPECT_NE(target.err.find("--target: expected a vertex of the graph (1 .. 6), found 7"),
            std::string::npos)
      << target.err;
}

TEST(program_errors, a_file_of_sources_is_refused_by_line) {
  const program_folder folder;
  folder.write("six.mtx", six_vertices);
  folder.write("sources.txt", "1\n# none\n7\n");
  folder.write("none.txt", "# none\n\n");
  const program_result outside = folder.run({"bfs", "six.mtx", "--sources", "sources.txt"});
  EXPECT_EQ(outside.status, 3);
  EXPECT_EQ(outside.err,
            "tendril: sources.txt:3: expected a vertex of the graph (1 .. 6), found 7\n");
  EXPECT_EQ(folder.run({"bfs", "six.mtx", "--sources", "none.txt"}).status, 3);
  EXPECT_EQ(folder.run({"bfs", "six.mtx", "--sources", "absent.txt"}).status, 3);
  const program_result many = folder.run({"bfs", "six.mtx", "--sources", "random:4"});
  EXPECT_EQ(many.status, 3);
  EXPECT_NE(many.err.find("at most 3 sources"), std::string::npos) << many.err;
}

TEST(program_errors, places_that_cannot_be_written_end_with_4) {
  const program_folder folder;
  folder.write("tri.el", "0 1\n1 2\n2 0\n");
  for (const std::string option : {"--json", "--out", "--plot"}) {
    const program_result result = folder.run({"bfs", "tri.el", option, "absent/x"});
    EXPECT_EQ(result.status, 4);
    EXPECT_EQ(result.out, "");
    EXPECT_EQ(result.err, "tendril: absent/x: cannot be written: No such file or directory\n");
  }
  EXPECT_EQ(folder.run({"info", "tri.el", "--json", "."}).status, 4);
  EXPECT_EQ(folder.run({"convert", "tri.el", "absent/x.tgr"}).status, 4);
  EXPECT_EQ(folder.list(), names{"tri.el"});
}

TEST(program_errors, a_full_disk_ends_with_4) {
  if (access("/dev/full", W_OK) != 0) {
    GTEST_SKIP() << "no /dev/full";
  }
  const program_folder folder;
  folder.write("tri.el", "0 1\n1 2\n2 0\n");
  const program_result result = folder.run({"bfs", "tri.el", "--out", "/dev/full"});
  EXPECT_EQ(result.status, 4);
  EXPECT_NE(result.err.find("/dev/full: cannot be written: "), std::string::npos) << result.err;
}

TEST(program_errors, a_help_that_cannot_be_written_ends_with_4) {
  if (access("/dev/full", W_OK) != 0) {
    GTEST_SKIP() << "no /dev/full";
  }
  const program_folder folder;
  for (const names& words : {names{"--help"}, names{"--version"}, names{"bfs", "--help"}}) {
    const program_result result = folder.run(words, "/dev/full");
    EXPECT_EQ(result.status, 4) << words.front();
    EXPECT_EQ(result.err, "tendril: cannot write to standard output\n");
  }
}

// The longest name that a file can have leaves no room for the end of a temporary one.
TEST(program_outputs, may_have_the_longest_names) {
  const program_folder folder;
  folder.write("tri.el", "0 1\n");
  const std::string out = std::string(251, 'x') + ".tsv";
  const std::string report = std::string(250, 'x') + ".json";
  EXPECT_EQ(folder.run({"bfs", "tri.el", "--quiet", "--out", out, "--json", report}).status, 0);
  EXPECT_TRUE(folder.read(out).starts_with("# vertex"));
  EXPECT_TRUE(folder.read(report).starts_with("{"));
  EXPECT_EQ(folder.list().size(), 3U);
}

TEST(program_outputs, go_to_what_is_no_file_as_it_is) {
  const program_folder folder;
  folder.write("tri.el", "0 1\n");
  const std::string rows = folder.run({"bfs", "tri.el", "--quiet", "--out", "-"}).out;
  EXPECT_FALSE(rows.empty());
  const program_result result = folder.run({"bfs", "tri.el", "--quiet", "--out", "/dev/stdout"});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(result.out, rows);
}

// `>> log.txt`: what is open already is written on, not replaced.
TEST(program_outputs, go_on_with_a_file_that_is_open) {
  const program_folder folder;
  folder.write("tri.el", "0 1\n");
  const auto appended = [&](const names& words) {
    folder.write("log.txt", "kept\n");
    const program_result result = folder.run(words, folder.path("log.txt"));
    EXPECT_EQ(result.status, 0) << result.err;
    const std::string log = folder.read("log.txt");
    EXPECT_TRUE(log.starts_with("kept\n")) << log;
    return log.substr(std::min<std::size_t>(log.size(), 5));
  };
  const std::string rows = appended({"bfs", "tri.el", "--quiet", "--out", "-"});
  EXPECT_TRUE(rows.starts_with("# vertex")) << rows;
  std::filesystem::create_symlink("/dev/stdout", folder.path("link"));
  for (const char* place : {"/dev/stdout", "/dev/fd/1", "/proc/self/fd/1", "link"}) {
    EXPECT_EQ(appended({"bfs", "tri.el", "--quiet", "--out", place}), rows) << place;
    const std::string both = appended({"bfs", "tri.el", "--out", place});
    EXPECT_TRUE(both.starts_with("graph ")) << both;
    EXPECT_TRUE(both.ends_with(rows)) << both;
  }
  EXPECT_EQ(folder.list(), (names{"link", "log.txt", "tri.el"}));
}

// Nobody reads on: an error like any other, after which nothing lies about. More than a pipe holds.
TEST(program_outputs, are_not_left_half_where_a_pipe_has_closed) {
  const program_folder folder;
  const std::string pipe = folder.path("pipe");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  std::jthread reader([&pipe] { close(open(pipe.c_str(), O_RDONLY | O_CLOEXEC)); });
  const program_result result =
      folder.run({"bfs", "path:20000", "--quiet", "--out", "-", "--json", "report.json"}, pipe);
  EXPECT_EQ(result.status, 4);
  EXPECT_EQ(result.err, "tendril: cannot write to standard output\n");
  EXPECT_EQ(folder.list(), names{"pipe"});
}

TEST(program_outputs, are_told_apart_behind_links_that_lead_nowhere_yet) {
  const program_folder folder;
  folder.write("tri.el", "0 1\n");
  std::filesystem::create_symlink("rows", folder.path("link"));
  expect_failure(folder, {"bfs", "tri.el", "--json", "link", "--out", "rows"}, 2,
                 "a place of its own for each output");
  EXPECT_EQ(folder.run({"bfs", "tri.el", "--quiet", "--out", "link"}).status, 0);
  EXPECT_TRUE(folder.read("rows").starts_with("# vertex"));
}

TEST(program_outputs, keep_the_permissions_of_what_they_replace) {
  const program_folder folder;
  folder.write("tri.el", "0 1\n");
  folder.write("own.tsv", "");
  constexpr auto own = std::filesystem::perms::owner_read | std::filesystem::perms::owner_write;
  std::filesystem::permissions(folder.path("own.tsv"), own);
  EXPECT_EQ(folder.run({"bfs", "tri.el", "--quiet", "--out", "own.tsv"}).status, 0);
  EXPECT_FALSE(folder.read("own.tsv").empty());
  EXPECT_EQ(std::filesystem::status(folder.path("own.tsv")).permissions(), own);
}

}  // namespace
}  // namespace tendril::test
