#include <algorithm>
#include <vector>

#include "tendril/schedule/device/recording.cuh"

namespace tendril::schedule::device {

namespace {

template <class T>
void clear(const cuda::device_buffer<T>& buffer, cudaStream_t stream) {
  if (buffer.size() != 0) {
    TENDRIL_CUDA_CHECK(cudaMemsetAsync(buffer.data(), 0, buffer.size() * sizeof(T), stream));
  }
}

std::uint64_t units_of(const any_way& way, std::uint32_t num_tiles) {
  const auto* control = std::get_if<launch_control>(&way);
  const std::uint64_t cluster = control == nullptr ? 1 : control->cluster;
  return (num_tiles + cluster - 1) / cluster;
}

std::string form_of(const any_way& way) {
  if (const auto* control = std::get_if<launch_control>(&way)) {
    return control->hardware ? control_form(control->cluster) : "software";
  }
  if (std::holds_alternative<canceled_blocks>(way) && control_form(1) == "hardware") {
    return "hardware";
  }
  return "";
}

/// Entries that were never written have no end.
void append_written(std::vector<interval>& to, const std::vector<interval>& from) {
  std::copy_if(from.begin(), from.end(), std::back_inserter(to),
               [](const interval& entry) { return entry.end_ns != 0; });
}

}  // namespace

recording::recording(std::uint32_t num_tiles, cudaStream_t stream)
    : stream_(stream),
      num_tiles_(num_tiles),
      totals_(1, stream),
      tiles_(num_tiles, stream),
      prologues_(static_cast<std::size_t>(num_tiles) + max_cluster, stream) {
  clear(totals_, stream);
  clear(tiles_, stream);
  clear(prologues_, stream);
}

recorder recording::view() const {
  recorder made{};
  made.totals = totals_.data();
  made.tiles = tiles_.data();
  made.prologues = prologues_.data();
  return made;
}

launch_record recording::collect(const any_way& way) const {
  const counters totals = cuda::to_host(totals_, stream_).front();
  launch_record made;
  made.name = describe(way);
  made.form = form_of(way);
  made.counts.units = units_of(way, num_tiles_);
  made.counts.started = totals.started;
  made.counts.stolen = totals.stolen;
  made.counts.cancelled = made.form == "hardware" ? totals.stolen : totals.cancelled;
  made.counts.prologues = totals.prologues;
  std::copy(std::begin(totals.refused), std::end(totals.refused), made.counts.refused.begin());
  made.counts.asked_after_refusal = totals.asked_after_refusal;

  append_written(made.timeline, cuda::to_host(prologues_, stream_));
  append_written(made.timeline, cuda::to_host(tiles_, stream_));
  std::sort(made.timeline.begin(), made.timeline.end(),
            [](const interval& a, const interval& b) { return a.begin_ns < b.begin_ns; });
  return made;
}

}  // namespace tendril::schedule::device
