// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <stdexcept>

namespace suite {

/// Reason why nothing is measured: one line for the user. A program of several ranks throws it on all of them or on
/// none, prints it on rank 0, and every rank exits with 1.
struct refusal : std::runtime_error {
    using std::runtime_error::runtime_error;
};

} // namespace suite
