#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

#include "apps/program.hpp"

// How the program is called: what it refuses with exit status 2, and what it says.

namespace tendril::test {
namespace {

using arguments = std::vector<std::string>;

void expect_usage_error(const arguments& given, const std::string& text) {
  const program_folder folder;
  folder.write("tri.el", "0 1\n1 2\n2 0\n");
  const program_result result = folder.run(given);
  EXPECT_EQ(result.status, 2) << result.out << result.err;
  EXPECT_EQ(result.out, "");
  EXPECT_TRUE(result.err.starts_with("tendril: ")) << result.err;
  EXPECT_NE(result.err.find(text), std::string::npos) << result.err;
  EXPECT_EQ(folder.list(), arguments{"tri.el"});
}

/// What the usage line says: "usage: tendril bfs|sssp|... [INPUT]".
arguments all_commands() {
  std::istringstream words(program_folder().run({}).err);
  std::string word;
  while (words >> word && word != "usage:") {
  }
  words >> word >> word;
  arguments commands;
  std::istringstream between(word);
  while (std::getline(between, word, '|')) {
    commands.push_back(word);
  }
  return commands;
}

TEST(program_usage, without_a_command_shows_the_commands) {
  expect_usage_error({}, "usage: tendril bfs|sssp|");
  EXPECT_GE(all_commands().size(), 11U);
}

TEST(program_usage, unknown_command_is_named) {
  expect_usage_error({"frobnicate", "tri.el"},
                     "tendril: unknown command frobnicate\nusage: tendril bfs|");
}

TEST(program_usage, unknown_option_is_named) {
  expect_usage_error({"bfs", "tri.el", "--frobnicate"}, "--frobnicate");
}

TEST(program_usage, each_output_has_a_place_of_its_own) {
  const std::string text = ": expected a place of its own for each output, found that of ";
  expect_usage_error({"bfs", "tri.el", "--out", "tri.el"}, "tri.el" + text + "an input");
  expect_usage_error({"bfs", "tri.el", "--json", "./tri.el"}, "./tri.el" + text + "an input");
  for (const std::string command : {"bfs", "sssp", "reach"}) {
    expect_usage_error({command, "tri.el", "--sources", "list", "--out", "./list"},
                       "./list" + text + "an input");
  }
  expect_usage_error({"convert", "tri.el", "tri.el"}, "tri.el" + text + "an input");
  expect_usage_error({"bfs", "tri.el", "--json", "-", "--out", "-"}, "-" + text + "another output");
  expect_usage_error({"quadtree", "uniform:9", "--json", "a", "--out", "./a"}, text + "another");
  expect_usage_error({"bfs", "tri.el", "--out", ""}, "--out: expected a text, found nothing");
}

TEST(program_usage, empty_texts_are_refused) {
  expect_usage_error({"bfs", "tri.el", "--source", ""}, "--source: expected a text, found nothing");
  expect_usage_error({"reach", "tri.el", "--source", "0", "--source", ""}, "--source: expected a");
  expect_usage_error({"bfs", "tri.el", "--sources", ""}, "--sources: expected a text");
  expect_usage_error({"quadtree", "uniform:9", "--knn", ""}, "--knn: expected a text");
  expect_usage_error({"nbody", "tri.el", "--columns", ""}, "--columns: expected a text");
  for (const std::string list : {"1,,2,3", ",1,2,3", "1,2,3,"}) {
    expect_usage_error({"nbody", "tri.el", "--columns", list},
                       "--columns: expected an element between commas, found " + list);
  }
}

TEST(program_usage, numbers_are_decimal) {
  expect_usage_error({"bfs", "tri.el", "--runs", "0x2"}, "expected a number from 1 to");
  const program_folder folder;
  const program_result found =
      folder.run({"bfs", "path:100", "--source", "0", "--depth-limit", "010"});
  EXPECT_NE(found.out.find("11 of 100 vertices reached"), std::string::npos) << found.out;
}

TEST(program_usage, missing_input_shows_the_commands_usage) {
  for (const std::string command : {"bfs", "sssp", "info"}) {
    SCOPED_TRACE(command);
    expect_usage_error({command}, "usage: tendril " + command + " INPUT [options]");
  }
  expect_usage_error({"convert", "tri.el"}, "usage: tendril convert INPUT OUT [options]");
  expect_usage_error({"quadtree"}, "usage: tendril quadtree POINTS [options]");
  expect_usage_error({"generate"}, "usage: tendril generate SPEC OUT [options]");
}

TEST(program_usage, a_word_that_is_no_choice_is_named_with_the_choices) {
  expect_usage_error({"bfs", "tri.el", "--engine", "gpu"}, "expected auto|host|cuda, found gpu");
  for (const std::string command : {"bfs", "sssp"}) {
    expect_usage_error({command, "tri.el", "--driver", "parked"},
                       "expected auto|resident|stepped|chained, found parked");
    expect_usage_error({command, "tri.el", "--schedule", "static"},
                       "expected auto|per-block|fixed-grid|ticket|launch-control, found static");
  }
  expect_usage_error({"bfs", "tri.el", "--direction", "down"},
                     "expected auto|push|pull, found down");
  expect_usage_error({"sssp", "tri.el", "--weights", "none"}, "expected auto|int32|float|double");
  expect_usage_error({"info", "tri.el", "--base", "2"}, "expected auto|0|1, found 2");
  expect_usage_error({"info", "tri.el", "--format", "xlsx"}, "found xlsx");
}

TEST(program_usage, numbers_out_of_range_are_refused) {
  expect_usage_error({"bfs", "tri.el", "--runs", "0"},
                     "expected a number from 1 to 1000000, found 0");
  expect_usage_error({"nbody", "plummer:9", "--theta", "nan"},
                     "expected a number from 0 to 2, found nan");
  expect_usage_error({"bfs", "tri.el", "--runs", "many"}, "--runs");
  expect_usage_error({"bfs", "tri.el", "--threads", "-1"}, "--threads");
  expect_usage_error({"bfs", "tri.el", "--device", "-1"}, "--device");
  expect_usage_error({"bfs", "tri.el", "--depth-limit", "-1"}, "--depth-limit");
  expect_usage_error({"bfs", "tri.el", "--sources", "random:0"}, "random:0");
  expect_usage_error({"bfs", "tri.el", "--sources", "random:x"}, "random:x");
}

TEST(program_usage, options_that_exclude_each_other_are_refused) {
  expect_usage_error({"info", "tri.el", "--directed", "--undirected"}, "--directed");
  expect_usage_error({"bfs", "tri.el", "--source", "0", "--sources", "random:1"}, "--source");
  expect_usage_error({"bfs", "tri.el", "--engine", "host", "--driver", "resident"},
                     "--driver applies to a GPU, and --engine host was given");
  expect_usage_error({"bfs", "tri.el", "--engine", "host", "--schedule", "ticket"},
                     "--schedule applies to a GPU, and --engine host was given");
  for (const std::string command : {"bfs", "sssp"}) {  // with and without a GPU
    expect_usage_error({command, "tri.el", "--driver", "resident", "--schedule", "ticket"},
                       "--schedule ticket does not apply to --driver resident");
  }
  expect_usage_error({"sssp", "tri.el", "--engine", "host", "--device", "0"},
                     "--device applies to a GPU, and --engine host was given");
}

TEST(program_usage, options_of_an_option_that_is_missing_are_refused) {
  expect_usage_error({"quadtree", "uniform:9", "--clip"}, "--clip requires --bounds");
  expect_usage_error({"nbody", "plummer:9", "--dt", "1"}, "--dt requires --steps");
}

TEST(program_usage, file_options_do_not_apply_to_generators) {
  expect_usage_error({"bfs", "path:3", "--directed"},
                     "--directed applies to files, and path:3 is a generator");
  expect_usage_error({"info", "path:3", "--base", "1"}, "--base");
  expect_usage_error({"info", "path:3", "--format", "mtx"}, "--format");
  expect_usage_error({"convert", "path:3", "x.el", "--drop-loops"}, "--drop-loops");
}

TEST(program_usage, malformed_generators_are_refused) {
  expect_usage_error({"bfs", "rmat:ten:16"}, "rmat:");
  expect_usage_error({"generate", "tri.el", "x.el"}, "found tri.el");
}

TEST(program_usage, unknown_output_format_is_refused) {
  expect_usage_error({"convert", "tri.el", "x.docx"}, "x.docx");
}

TEST(program_usage, version_is_printed) {
  const program_result result = program_folder().run({"--version"});
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.out, "tendril " TENDRIL_VERSION "\n");
}

TEST(program_usage, help_names_every_command_and_every_option) {
  const program_folder folder;
  const program_result all = folder.run({"--help"});
  EXPECT_EQ(all.status, 0);
  for (const std::string& command : all_commands()) {
    SCOPED_TRACE(command);
    EXPECT_NE(all.out.find(command), std::string::npos) << all.out;
    const program_result help = folder.run({command, "--help"});
    EXPECT_EQ(help.status, 0);
    EXPECT_NE(help.out.find("--threads"), std::string::npos) << help.out;
    EXPECT_NE(help.out.find("--quiet"), std::string::npos) << help.out;
  }
  const std::string bfs = folder.run({"bfs", "--help"}).out;
  for (const std::string option : {"--directed",
                                   "--undirected",
                                   "--base",
                                   "--format",
                                   "--source",
                                   "--sources",
                                   "--seed",
                                   "--engine",
                                   "--device",
                                   "--driver",
                                   "--runs",
                                   "--check",
                                   "--json",
                                   "--out",
                                   "--plot",
                                   "--direction",
                                   "--depth-limit",
                                   "--target",
                                   "rmat:SCALE:EDGEFACTOR",
                                   "What is not reached has -1"}) {
    EXPECT_NE(bfs.find(option), std::string::npos) << option << '\n' << bfs;
  }
}

}  // namespace
}  // namespace tendril::test
