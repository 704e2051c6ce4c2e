#pragma once

#include <cstdint>
#include <string>

namespace tendril::app {

/// What --engine asks for.
enum class engine_choice : std::uint8_t { automatic, host, cuda };

/// The engine that runs, in words.
struct engine_facts {
  std::string name;    ///< "host"
  std::string device;  ///< the processor's own name
  std::string reason;  ///< why auto took it; empty where the user did
};

/// Decides which engine runs.
/// @throws resource_error with the reason, where --engine names one that is not there
[[nodiscard]] engine_facts decide_engine(engine_choice engine);

}  // namespace tendril::app
