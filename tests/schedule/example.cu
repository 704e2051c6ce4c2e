// The example of framework/docs/schedules.md, word for word between the two marks.
#include <gtest/gtest.h>

#include <vector>

#include "schedule/gpu.hpp"

// begin
#include "tendril/schedule/launch.cuh"

namespace schedule = tendril::schedule;

struct factor {  // once per block: what its tiles have in common
  TENDRIL_HD float operator()() const { return 0.5f; }
};
struct scale_row {  // once per tile, by all threads of a block
  float* matrix;    // [rows * width]
  unsigned width;
  __device__ void operator()(schedule::tile row, float by) const {
    for (unsigned i = threadIdx.x; i < width; i += blockDim.x) {
      matrix[row.index * width + i] *= by;
    }
  }
};

void scale(float* matrix, unsigned rows, unsigned width, schedule::workspace& space) {
  schedule::launch(schedule::launch_control{}, {rows}, factor{}, scale_row{matrix, width},
                   schedule::blocks{space, 128});
}
// end

namespace {

class schedule_example : public tendril::schedule::testing::gpu_test {};

TEST_F(schedule_example, scales_every_row) {
  const tendril::cuda::stream stream;
  schedule::workspace space(stream.get());
  const std::vector<float> before(3000 * 100, 3.0f);
  const auto matrix = tendril::cuda::to_device<float>(before, stream.get());
  scale(matrix.data(), 3000, 100, space);
  EXPECT_EQ(tendril::cuda::to_host(matrix, stream.get()), std::vector<float>(before.size(), 1.5f));
}

}  // namespace
