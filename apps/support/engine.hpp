#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "tendril/cuda/device.hpp"
#include "tendril/cuda/driver.hpp"
#include "tendril/schedule/ways.hpp"

// Which engine runs a command, and why.

namespace tendril::app {

/// True if this program was built with the GPU engine.
#if defined(TENDRIL_HAS_CUDA)
inline constexpr bool has_gpu_engine = true;
#else
inline constexpr bool has_gpu_engine = false;
#endif

/// What --engine asks for.
enum class engine_choice : std::uint8_t { automatic, host, cuda };

/// --engine, --device, --driver and --schedule.
struct engine_options {
  engine_choice engine = engine_choice::automatic;
  std::optional<std::int32_t> device;  ///< none: the GPU with most multiprocessors
  cuda_driver driver = cuda_driver::automatic;
  std::optional<schedule::any_way> schedule;
};

/// The engine that runs, in words.
struct engine_facts {
  std::string name;    ///< "host" or "cuda"
  std::string device;  ///< the processor's own name, or the GPU's
  std::string reason;  ///< why auto took the CPU; empty where it did not
};

/// GPUs that the GPU engine can use, or why there is none.
[[nodiscard]] cuda_devices find_gpus();

/// Decides by looking for a GPU, without starting an engine on it.
/// @throws resource_error with the reason, where --engine cuda finds none
[[nodiscard]] engine_facts decide_engine(engine_choice engine);

/// The CPU, where no GPU was asked for or none is to be had.
/// @param reason  why there is no GPU
/// @throws resource_error with the reason, where --engine cuda was given
[[nodiscard]] engine_facts fall_back_to_host(engine_choice engine, const std::string& reason);

/// Says on the error output why a GPU was looked for and not taken.
void announce_fallback(const engine_facts& facts, bool quiet);

/// Refuses options of a GPU beside --engine host, and a schedule beside the resident driver.
/// @throws usage_error
void refuse_impossible(const engine_options& options);

}  // namespace tendril::app
