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
  /// How costs are distributed.
  enum class shape : std::uint8_t {
    pareto,         ///< heavy tail from `least`, cut at `most`, in random order
    pareto_sorted,  ///< the same, the heaviest tiles last
    uniform         ///< `least` each
  };
  shape kind = shape::pareto;  ///< one of them
  double alpha = 1.1;          ///< tail of the Pareto distribution: smaller is heavier
  std::uint32_t least = 100;   ///< steps
  std::uint32_t most = 4000;   ///< steps

  /// @return [num_tiles], steps; the same for a seed
  [[nodiscard]] std::vector<std::uint32_t> draw(std::uint32_t num_tiles, std::uint32_t seed) const;
  /// "pareto:1.1:100:4000", "pareto-sorted:...", "uniform:100".
  [[nodiscard]] std::string text() const;
  /// Reads what text() writes; trailing numbers may be left out. @throws usage_error
  [[nodiscard]] static tile_costs parse(const std::string& text);
};

/// The work of a study.
struct study_load {
  std::uint32_t num_tiles = 65536;                    ///< of one launch
  tile_costs costs;                                   ///< of each tile
  std::uint32_t prologue_steps = 400;                 ///< of each block or task
  unsigned threads = 128;                             ///< per block; GPU
  std::size_t shared_bytes = std::size_t{52} * 1024;  ///< per block, so that few blocks fit; GPU
  std::uint32_t seed = 12345;                         ///< of the costs
};

/// How long a small urgent kernel waited behind a launch whose tiles take eight times as long.
struct urgent_wait {
  double median_us = 0;  ///< by the host's clock, from its launch to its end
  double most_us = 0;    ///< the longest wait
};

/// One way on that load.
struct study_row {
  any_way way;                             ///< with its policy
  double median_ms = 0;                    ///< of study_options::runs launches
  double min_ms = 0;                       ///< of the same
  launch_record record = {};               ///< of one further launch
  int registers = 0;                       ///< per thread; 0 on the CPU
  std::optional<urgent_wait> urgent = {};  ///< none on the CPU, or where it was not asked for
  /// Every tile ran once, counts add up; on a GPU sampled results are right, too.
  bool correct = false;
};

/// What is compared, and how often.
struct study_options {
  study_load load;            ///< the same for all ways
  std::vector<any_way> ways;  ///< none: basic_ways() or gpu_ways()
  int runs = 20;              ///< timed launches of each way
  bool urgent = true;         ///< also measure how long an urgent kernel waits; GPU
};

/// Every way with its default policies.
[[nodiscard]] std::vector<any_way> basic_ways();
/// Every way, and launch control with each policy worth comparing on a GPU.
/// @param clusters  the GPU has them
[[nodiscard]] std::vector<any_way> gpu_ways(bool clusters);

/// Runs the study on the threads of the calling thread's arena. @throws as launch()
[[nodiscard]] std::vector<study_row> study_on_host(const study_options& options);

/// Runs the study on the current GPU; in tendril::cuda.
/// @throws as launch(); resource_error
/// @sync   waits for each launch
[[nodiscard]] std::vector<study_row> study_on_gpu(const study_options& options);

/// One load on the GPU, run as often as asked; in tendril::cuda.
class gpu_study {
 public:
  /// @throws as launch() for the shape of a block; resource_error without a GPU or its memory
  explicit gpu_study(const study_load& load);
  /// The other must not be used again.
  gpu_study(gpu_study&&) noexcept;
  /// The other must not be used again.
  gpu_study& operator=(gpu_study&&) noexcept;
  ~gpu_study();

  /// Time of one launch on the device, in milliseconds. @sync waits for it
  double run_ms(const any_way& way);
  /// Whether the last launch ran every tile once, with right results where sampled.
  /// @sync waits for the stream, and copies the results to the host
  [[nodiscard]] bool is_correct() const;
  /// One launch, recorded. @sync waits for it
  [[nodiscard]] launch_record record(const any_way& way);
  /// Registers per thread of the kernel that the way launches.
  [[nodiscard]] int registers(const any_way& way);
  /// How long an urgent kernel waits behind a launch of that way.
  /// @param way    one that yields is told to, by the flag
  /// @param times  urgent kernels sent, one launch each
  /// @sync  waits for each
  [[nodiscard]] urgent_wait wait_behind(const any_way& way, int times);

 private:
  struct state;
  std::unique_ptr<state> state_;
};

/// Started and stolen units make up the launch, as many found themselves cancelled as were stolen,
/// and nobody asked after a refusal.
[[nodiscard]] bool adds_up(const launch_counts& counts) noexcept;

}  // namespace tendril::schedule
