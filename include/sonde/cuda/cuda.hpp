// SPDX-License-Identifier: BSL-1.0
#pragma once

// Everything of this folder; needs cuda_runtime_api.h and nothing else.

#include <sonde/cuda/device.hpp>
#include <sonde/cuda/device_choice.hpp>
#include <sonde/cuda/device_memory.hpp>
#include <sonde/cuda/error.hpp>
#include <sonde/cuda/event.hpp>
#include <sonde/cuda/event_clock.hpp>
#include <sonde/cuda/free_memory.hpp>
#include <sonde/cuda/iteration_events.hpp>
#include <sonde/cuda/managed_memory.hpp>
#include <sonde/cuda/managed_room.hpp>
#include <sonde/cuda/managed_touch.hpp>
#include <sonde/cuda/pinned_memory.hpp>
#include <sonde/cuda/placing.hpp>
#include <sonde/cuda/prefetch.hpp>
#include <sonde/cuda/stream.hpp>
#include <sonde/cuda/uncompleted.hpp>
