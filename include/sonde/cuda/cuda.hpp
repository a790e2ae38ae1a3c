// SPDX-License-Identifier: BSL-1.0
#pragma once

// The CUDA backend; it needs cuda_runtime_api.h and nothing else of CUDA.

#include <sonde/cuda/device.hpp>
#include <sonde/cuda/event_clock.hpp>
#include <sonde/cuda/memory.hpp>
#include <sonde/cuda/stream.hpp>
