// SPDX-License-Identifier: BSL-1.0
#pragma once

// All of sonde::upcxx. Requires UPC++ and the standard library.

#include <sonde/upcxx/atomics.hpp>
#include <sonde/upcxx/collectives.hpp>
#include <sonde/upcxx/control_channel.hpp>
#include <sonde/upcxx/group.hpp>
#include <sonde/upcxx/memory.hpp>
#include <sonde/upcxx/transfers.hpp>
