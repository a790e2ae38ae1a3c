// SPDX-License-Identifier: BSL-1.0
#pragma once

// The library of this build: its namespace as `backend`, its datatypes, its connection of the ranks and its links.

#ifdef OSU_ONECCL
#include "osu/xccl/oneccl_connection.hpp"
#else
#include "osu/xccl/nccl_connection.hpp"
#endif
