#pragma once

// TENDRIL_HD marks a function that both engines may call. This is the only place that asks which
// compiler reads the code; whether code runs on the device is asked with __CUDA_ARCH__.

// TENDRIL_HD_ON_HOST goes before one that only the host ever calls, and that is marked because the
// user's code which calls it is: it may call what the device could not.

#if defined(__CUDACC__)
#define TENDRIL_HD __host__ __device__
#define TENDRIL_HD_ON_HOST _Pragma("nv_exec_check_disable")
#else
#define TENDRIL_HD
#define TENDRIL_HD_ON_HOST
#endif
