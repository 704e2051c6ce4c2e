#include "support/arguments.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <iostream>
#include <limits>
#include <span>
#include <sstream>
#include <system_error>
#include <type_traits>

#include "support/command.hpp"
#include "support/output_file.hpp"
#include "support/text.hpp"

namespace tendril::app {

namespace {

constexpr std::size_t help_width = 68;

/// Lines of at most help_width characters; CLI11 indents them.
std::string wrapped(const std::string& text) {
  std::istringstream words(text);
  std::string lines;
  std::size_t width = 0;
  for (std::string word; words >> word; width += word.size() + 1) {
    if (width > 0 && width + word.size() > help_width) {
      lines += '\n';
      width = 0;
    }
    lines += (width > 0 ? " " : "") + word;
  }
  return lines;
}

/// A check with a sentence; CLI11's own prints only the range. Numbers are decimal: CLI11 would
/// take 010 for eight.
template <class Number>
CLI::Validator within(Number least, Number most) {
  return CLI::Validator(
      [least, most](std::string& text) {
        Number number{};
        const char* const end = text.data() + text.size();
        const auto [stop, error] = std::from_chars(text.data(), end, number);
        if (stop != end || error != std::errc() || !(number >= least && number <= most)) {
          std::ostringstream range;
          range << "expected a number from " << least << " to " << most;
          return range.str() + ", found " + (text.empty() ? "nothing" : text);
        }
        if constexpr (std::is_integral_v<Number>) {
          text = std::to_string(number);
        }
        return std::string();
      },
      "");
}

/// An empty text is what a shell makes of a variable that is not set.
std::string refuse_empty(const std::string& text) {
  return text.empty() ? "expected a text, found nothing" : "";
}

/// What is left of a list where one of several such variables is not set.
std::string refuse_gap(const std::string& list) {
  return (',' + list + ',').find(",,") == std::string::npos
             ? ""
             : "expected an element between commas, found " + list;
}

struct installed_command {
  CLI::App* app;
  action run;
};

std::vector<installed_command> install_commands(CLI::App& app, std::span<const command> commands) {
  std::vector<installed_command> installed;
  for (const command& each : commands) {
    CLI::App* command_app = app.add_subcommand(each.name, each.description);
    installed.push_back({command_app, each.add(*command_app)});
  }
  return installed;
}

std::string usage_line(std::span<const command> commands, const CLI::App* chosen) {
  if (chosen == nullptr) {
    std::string names;
    for (const command& each : commands) {
      names += std::string(names.empty() ? "" : "|") + each.name;
    }
    return "usage: tendril " + names + " [INPUT] [options], see tendril --help";
  }
  std::string line = "usage: tendril " + chosen->get_name();
  for (const CLI::Option* option : chosen->get_options()) {
    if (option->get_positional()) {
      line += ' ' + option->get_name();
    }
  }
  return line + " [options], see tendril " + chosen->get_name() + " --help";
}

exit_status refuse_usage(std::span<const command> commands, const CLI::App& program,
                         const CLI::ParseError& error) {
  const auto chosen = program.get_subcommands();
  const auto unknown = program.remaining();
  const bool is_unknown_command = chosen.empty() && !unknown.empty();
  std::cerr << "tendril: "
            << (is_unknown_command ? "unknown command " + unknown.front() : error.what()) << '\n'
            << usage_line(commands, chosen.empty() ? nullptr : chosen.front()) << '\n';
  return exit_status::usage;
}

}  // namespace

void add_positional(CLI::App& app, const std::string& name, std::string& value,
                    const std::string& help) {
  app.add_option(name, value, wrapped(help))->required()->type_name("")->check(refuse_empty);
}

void add_text(CLI::App& app, const std::string& name, std::string& value, const std::string& form,
              const std::string& help) {
  app.add_option(name, value, wrapped(help))->type_name(form)->check(refuse_empty);
}

void add_texts(CLI::App& app, const std::string& name, std::vector<std::string>& values,
               const std::string& form, const std::string& help) {
  app.add_option(name, values, wrapped(help))
      ->type_name(form)
      ->allow_extra_args(false)
      ->check(refuse_empty);
}

void add_list(CLI::App& app, const std::string& name, std::vector<std::string>& values,
              const std::string& form, const std::string& help) {
  // Not CLI11's delimiter, which drops empty elements.
  const auto take = [&values](const std::string& text) {
    std::istringstream elements(text);
    for (std::string element; std::getline(elements, element, ',');) {
      values.push_back(element);
    }
  };
  app.add_option_function<std::string>(name, take, wrapped(help))
      ->type_name(form)
      ->check(refuse_empty)
      ->check(refuse_gap);
}

template <class Number>
void add_number(CLI::App& app, const std::string& name, Number& value, Number least,
                std::type_identity_t<Number> most, const std::string& help) {
  app.add_option(name, value, wrapped(help))
      ->type_name("N")
      ->transform(within<Number>(least, most))
      ->capture_default_str();
}

template void add_number(CLI::App&, const std::string&, int&, int, int, const std::string&);
template void add_number(CLI::App&, const std::string&, std::uint32_t&, std::uint32_t,
                         std::uint32_t, const std::string&);
template void add_number(CLI::App&, const std::string&, std::uint64_t&, std::uint64_t,
                         std::uint64_t, const std::string&);
template void add_number(CLI::App&, const std::string&, double&, double, double,
                         const std::string&);

void add_number(CLI::App& app, const std::string& name, std::optional<std::int32_t>& value,
                const std::string& help) {
  app.add_option(name, value, wrapped(help))
      ->type_name("N")
      ->transform(within<std::int32_t>(0, std::numeric_limits<std::int32_t>::max()));
}

void add_flag(CLI::App& app, const std::string& name, bool& value, const std::string& help) {
  app.add_flag(name, value, wrapped(help));
}

void exclude(CLI::App& app, const std::string& one, const std::string& other) {
  app.get_option(one)->excludes(app.get_option(other));
}

void require(CLI::App& app, const std::string& one, const std::string& other) {
  app.get_option(one)->needs(app.get_option(other));
}

void add_footer(CLI::App& app, const std::string& text) {
  app.footer(text);
}

void add_words(CLI::App& app, const std::string& name, const std::vector<std::string>& words,
               const std::function<void(std::size_t)>& choose, const std::string& help) {
  const std::string all = joined(words, "|");
  const auto take = [name, words, choose, all](const std::string& text) {
    const auto found = std::find(words.begin(), words.end(), text);
    if (found == words.end()) {
      throw CLI::ValidationError(name, "expected " + all + ", found " + text);
    }
    choose(static_cast<std::size_t>(found - words.begin()));
  };
  app.add_option_function<std::string>(name, take, wrapped(help))
      ->type_name(all)
      ->default_str(words.front());
}

exit_status run_program(std::span<const command> commands, int argc, char** argv) {
  CLI::App app("Irregular traversals on graphs and trees, on GPUs and CPUs", "tendril");
  app.set_version_flag("--version", "tendril " TENDRIL_VERSION);
  app.require_subcommand(1);
  const std::vector<installed_command> installed = install_commands(app, commands);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) {  // --help, --version
      std::ostringstream text;
      app.exit(error, text);
      print(text.str());
      return exit_status::done;
    }
    return refuse_usage(commands, app, error);
  }
  for (const installed_command& each : installed) {
    if (each.app->parsed()) {
      return each.run();
    }
  }
  return exit_status::usage;
}

}  // namespace tendril::app
