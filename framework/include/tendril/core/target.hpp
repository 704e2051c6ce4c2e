#pragma once

// TENDRIL_HD marks a function that both engines may call. This is the only place that asks which
// compiler reads the code; whether code runs on the device is asked with __CUDA_ARCH__.

#if defined(__CUDACC__)
#define TENDRIL_HD __host__ __device__
#else
#define TENDRIL_HD
#endif
