// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "benchmark.hpp"

namespace imb {

/// Reduce_local: every rank adds what it would send to what it would receive into, and sends nothing.
benchmark reduce_local_row();

} // namespace imb
