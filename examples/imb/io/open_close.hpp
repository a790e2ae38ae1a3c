// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../benchmark.hpp"

namespace imb::io {

/// Open a file, write one byte by every rank, each its own, and close it.
work open_close(setting& s);

} // namespace imb::io
