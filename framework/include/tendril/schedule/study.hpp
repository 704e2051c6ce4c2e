#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tendril/schedule/record.hpp"
#include "tendril/schedule/ways.hpp"

// The ways side by side on tiles of known cost: what `tendril schedule` and bench/ print. A step is
// one round of a xorshift generator in every thread of the block; the next step waits for it.

namespace tendril::schedule {

/// How many steps a tile takes.
struct tile_costs {
  enum class shape : std::uint8_t {
    pareto,         ///< heavy tail from `least`, cut at `most`, in random order
    pareto_sorted,  ///< the same, the heaviest tiles last
    uniform         ///< `least` each
  } kind = shape::pareto;
  double alpha = 1.1;  ///< tail of the Pareto distribution: smaller is heavier
  std::uint32_t least = 100;
  std::uint32_t most = 4000;

  /// @return [num_tiles], steps; the same for a seed
  [[nodiscard]] std::vector<std::uint32_t> draw(std::uint32_t num_tiles, std::uint32_t seed) const;
  /// "pareto:1.1:100:4000", "pareto-sorted:...", "uniform:100".
  [[nodiscard]] std::string text() const;
  /// Reads what text() writes; trailing numbers may be left out. @throws usage_error
  [[nodiscard]] static tile_costs parse(const std::string& text);
};

/// The work of a study.
struct study_load {
  std::uint32_t num_tiles = 65536;
  tile_costs costs;
  std::uint32_t prologue_steps = 400;
  unsigned threads = 128;                             ///< per block; GPU
  std::size_t shared_bytes = std::size_t{52} * 1024;  ///< per block, so that few blocks fit; GPU
  std::uint32_t seed = 12345;
};

/// How long a small urgent kernel waited behind a launch whose tiles take eight times as long.
struct urgent_wait {
  double median_us = 0;
  double most_us = 0;
};

/// One way on that load.
struct study_row {
  any_way way;
  double median_ms = 0;
  double min_ms = 0;
  launch_record record = {};  ///< of one further launch
  int registers = 0;          ///< per thread; 0 on the CPU
  std::optional<urgent_wait> urgent = {};
  bool correct = false;  ///< every tile ran once, sampled results are right, counts add up
};

struct study_options {
  study_load load;
  std::vector<any_way> ways;  ///< none: basic_ways() or gpu_ways()
  int runs = 20;
  bool urgent = true;  ///< GPU
};

/// Every way with its default policies.
[[nodiscard]] std::vector<any_way> basic_ways();
/// Every way, and launch control with each policy worth comparing on a GPU.
[[nodiscard]] std::vector<any_way> gpu_ways(bool clusters);

/// Runs the study on threads. @throws as launch()
[[nodiscard]] std::vector<study_row> study_on_host(const study_options& options);

/// Runs the study on the current GPU; in tendril::cuda. @throws as launch(); resource_error
[[nodiscard]] std::vector<study_row> study_on_gpu(const study_options& options);

/// Name of the current GPU, empty where there is none; in tendril::cuda.
[[nodiscard]] std::string gpu_name();

/// One load on the GPU, run as often as asked; in tendril::cuda.
class gpu_study {
 public:
  /// @throws resource_error if the GPU lacks the memory or is not there
  explicit gpu_study(const study_load& load);
  gpu_study(gpu_study&&) noexcept;
  gpu_study& operator=(gpu_study&&) noexcept;
  ~gpu_study();

  /// Time of one launch on the device, in milliseconds. @sync waits for it
  double run_ms(const any_way& way);
  /// Whether the last launch ran every tile once, with right results where sampled.
  [[nodiscard]] bool is_correct() const;
  [[nodiscard]] launch_record record(const any_way& way);
  [[nodiscard]] int registers(const any_way& way);
  /// @param times  urgent kernels sent, one launch each
  [[nodiscard]] urgent_wait wait_behind(const any_way& way, int times);

 private:
  struct state;
  std::unique_ptr<state> state_;
};

/// Started and stolen units make up the launch, as many found themselves cancelled as were stolen,
/// and nobody asked after a refusal.
[[nodiscard]] bool adds_up(const launch_counts& counts) noexcept;

}  // namespace tendril::schedule
