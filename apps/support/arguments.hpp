#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

// How a command says what it takes. CLI11 does the work; it is a header that costs a compiler ten
// seconds, so only arguments.cpp includes it.

namespace CLI {  // NOLINT(readability-identifier-naming): the library's name
class App;
}

namespace tendril::app {

/// A word that must be there, in its place: INPUT, OUT.
void add_positional(CLI::App& app, const std::string& name, std::string& value,
                    const std::string& help);

/// An option that takes a text; `form` stands for it in the help: "FILE".
void add_text(CLI::App& app, const std::string& name, std::string& value, const std::string& form,
              const std::string& help);

/// The same, for an option that may be repeated.
void add_texts(CLI::App& app, const std::string& name, std::vector<std::string>& values,
               const std::string& form, const std::string& help);

/// An option that takes several texts, with commas between them.
void add_list(CLI::App& app, const std::string& name, std::vector<std::string>& values,
              const std::string& form, const std::string& help);

/// An option that takes a number in least .. most. The help shows the value it has now.
template <class Number>
void add_number(CLI::App& app, const std::string& name, Number& value, Number least,
                std::type_identity_t<Number> most, const std::string& help);

/// The same, for a number of 0 or more that need not be there.
void add_number(CLI::App& app, const std::string& name, std::optional<std::int32_t>& value,
                const std::string& help);

/// An option without a value.
void add_flag(CLI::App& app, const std::string& name, bool& value, const std::string& help);

/// Refuses the two options together.
void exclude(CLI::App& app, const std::string& one, const std::string& other);

/// Refuses the one option without the other.
void require(CLI::App& app, const std::string& one, const std::string& other);

/// Text at the end of the help.
void add_footer(CLI::App& app, const std::string& text);

/// An option that takes one of a few words, the first where it is not given; choose(i) is called
/// for the i-th.
void add_words(CLI::App& app, const std::string& name, const std::vector<std::string>& words,
               const std::function<void(std::size_t)>& choose, const std::string& help);

/// The same, where each word has a value.
template <class Value>
void add_choice(CLI::App& app, const std::string& name, Value& value,
                const std::vector<std::pair<std::string, Value>>& choices,
                const std::string& help) {
  std::vector<std::string> words;
  words.reserve(choices.size());
  for (const auto& [word, meaning] : choices) {
    words.push_back(word);
  }
  add_words(
      app, name, words, [&value, choices](std::size_t i) { value = choices[i].second; }, help);
}

}  // namespace tendril::app
