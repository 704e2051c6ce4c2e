#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "support/exit_status.hpp"

namespace tendril::app {

/// What a command does once its options are parsed.
using action = std::function<exit_status()>;

/// One row of the table in main.cpp.
struct command {
  const char* name;
  const char* description;
  /// Adds the command's options; the action owns them.
  action (*add)(CLI::App& app);
};

/// Adds an option whose value is one of a few words.
template <class Value>
CLI::Option* add_choice(CLI::App& app, const std::string& name, Value& value,
                        const std::vector<std::pair<std::string, Value>>& choices,
                        const std::string& help) {
  std::string words;
  for (const auto& choice : choices) {
    words += (words.empty() ? "" : "|") + choice.first;
  }
  const auto choose = [&value, choices, words, name](const std::string& text) {
    for (const auto& [word, meaning] : choices) {
      if (word == text) {
        value = meaning;
        return;
      }
    }
    throw CLI::ValidationError(name, "expected " + words + ", found " + text);
  };
  return app.add_option_function<std::string>(name, choose, help)->type_name(words);
}

}  // namespace tendril::app
