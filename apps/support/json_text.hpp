#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace tendril::app {

/// The text of a document, with its end. Bytes of a name that are not UTF-8 become U+FFFD.
[[nodiscard]] std::string json_text(const nlohmann::ordered_json& document);

}  // namespace tendril::app
