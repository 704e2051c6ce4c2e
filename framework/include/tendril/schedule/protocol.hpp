#pragma once

#include "tendril/schedule/steal_loop.hpp"
#include "tendril/schedule/steal_request.hpp"

// The launch-control protocol, decided in one place. Nothing here touches memory, barriers or
// threads: each class says what its caller has to do next and is told how it went. The device loop
// (device/kernels.cuh) does it with shared memory, mbarriers and atomics; the model in
// tests/schedule does it with every interleaving of a simulated dispatcher. So the model tests what
// ships.
//
//   unit      what starts, and is stolen, as a whole: a block, or a cluster of blocks
//   request   "cancel a unit that has not started and give it to me"
//   answer    granted, with the first block of the cancelled unit, or refused with a reason
//   slot      where an answer arrives; a request in flight owns one
//   phase     the parity of a slot's barrier: which of two successive answers a reader waits for
