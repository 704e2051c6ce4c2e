#pragma once

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "tendril/core/error.hpp"

// Texts that name a generator: a name, then fields, separated by colons.

namespace tendril::generate_detail {

struct generator_form {
  std::string_view name;
  std::string_view text;  ///< what a message expects
};

inline constexpr std::uint64_t default_seed = 1;

/// The form that the text starts with, or null.
[[nodiscard]] inline const generator_form* form_of(std::span<const generator_form> forms,
                                                   std::string_view text) noexcept {
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos) {
    return nullptr;
  }
  const auto found = std::find_if(forms.begin(), forms.end(), [&](const generator_form& f) {
    return f.name == text.substr(0, colon);
  });
  return found == forms.end() ? nullptr : &*found;
}

/// The fields of a generator text, read with its form in mind.
class generator_fields {
 public:
  generator_fields(std::span<const generator_form> forms, std::string_view text)
      : text_(text), form_(form_of(forms, text)) {
    if (form_ == nullptr) {
      std::string expected;
      for (const generator_form& f : forms) {
        expected += (expected.empty() ? "" : ", ") + std::string(f.text);
      }
      throw usage_error("generator: expected one of " + expected + "; found '" + std::string(text) +
                        "'");
    }
    for (std::string_view rest = text;;) {
      const std::size_t colon = rest.find(':');
      values_.push_back(rest.substr(0, colon));
      if (colon == std::string_view::npos) {
        break;
      }
      rest.remove_prefix(colon + 1);
    }
    values_.erase(values_.begin());  // the name
  }

  [[nodiscard]] std::string_view name() const noexcept { return form_->name; }
  [[nodiscard]] std::size_t size() const noexcept { return values_.size(); }

  void expect_size(std::size_t least, std::size_t most) const {
    if (size() < least || size() > most) {
      refuse();
    }
  }

  template <class T>
  [[nodiscard]] T number(std::size_t i) const {
    return parse<T>(values_[i]);
  }
  template <class T>
  [[nodiscard]] T number_or(std::size_t i, T otherwise) const {
    return i < size() ? number<T>(i) : otherwise;
  }
  [[nodiscard]] int percent_or(std::size_t i, int otherwise) const {
    if (i >= size()) {
      return otherwise;
    }
    std::string_view value = values_[i];
    if (!value.empty() && value.back() == '%') {
      value.remove_suffix(1);
    }
    return parse<int>(value);
  }
  /// WIDTHxHEIGHT
  [[nodiscard]] std::pair<std::uint64_t, std::uint64_t> extent(std::size_t i) const {
    const std::size_t cross = values_[i].find('x');
    if (cross == std::string_view::npos) {
      refuse();
    }
    return {parse<std::uint64_t>(values_[i].substr(0, cross)),
            parse<std::uint64_t>(values_[i].substr(cross + 1))};
  }

 private:
  template <class T>
  [[nodiscard]] T parse(std::string_view digits) const {
    T value{};
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc{} || end != digits.data() + digits.size()) {
      refuse();
    }
    return value;
  }

  [[noreturn]] void refuse() const {
    throw usage_error("generator: expected " + std::string(form_->text) + ", found '" +
                      std::string(text_) + "'");
  }

  std::string_view text_;
  const generator_form* form_;
  std::vector<std::string_view> values_;
};

}  // namespace tendril::generate_detail
