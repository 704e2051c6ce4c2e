#include "support/progress.hpp"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace tendril::app {

namespace {

constexpr std::chrono::milliseconds redraw_interval(100);
constexpr std::size_t bar_width = 24;
constexpr const char* wipe = "\r\x1b[K";

std::string whole_seconds(double seconds) {
  return std::to_string(std::lround(seconds)) + " s";
}

}  // namespace

progress_line::progress_line(std::string label, std::ostream& out, std::chrono::milliseconds delay)
    : label_(std::move(label)), out_(out), painter_([this, delay] { draw_until_stopped(delay); }) {}

progress_line::~progress_line() {
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
  }
  stopping_.notify_one();
  painter_.join();
}

void progress_line::draw_until_stopped(std::chrono::milliseconds delay) {
  std::unique_lock lock(mutex_);
  const auto stopped = [this] { return stopped_; };
  if (stopping_.wait_for(lock, delay, stopped)) {
    return;
  }
  do {
    draw();
  } while (!stopping_.wait_for(lock, redraw_interval, stopped));
  out_ << wipe << std::flush;
}

void progress_line::draw() const {
  const double seconds = std::chrono::duration<double>(clock::now() - begin_).count();
  const double total = static_cast<double>(total_.load(std::memory_order_relaxed));
  const double done = static_cast<double>(done_.load(std::memory_order_relaxed));
  out_ << wipe << label_ << "  ";
  if (done <= 0 || done >= total) {  // generating, or building what was read
    out_ << whole_seconds(seconds) << std::flush;
    return;
  }
  const double part = done / total;
  const auto filled = static_cast<std::size_t>(part * static_cast<double>(bar_width));
  out_ << std::lround(part * 100) << " %  [" << std::string(filled, '#')
       << std::string(bar_width - filled, ' ') << "]  " << whole_seconds(seconds / part - seconds)
       << " left" << std::flush;
}

bool shows_progress(bool quiet) {
  return !quiet && isatty(STDERR_FILENO) == 1;
}

}  // namespace tendril::app
