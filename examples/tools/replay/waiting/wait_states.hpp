// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "tools/replay/waiting/timed_calls.hpp"

#include <span>

namespace tools::replay {

/// The time for which a call waited, from its begin, and for which call of another rank.
struct wait_state {
    double seconds = 0; // 0: it did not wait
    awaited_call cause{};

    explicit operator bool() const { return seconds > 0; }
};

/// A call waits until the last call that it awaits has begun, at most until its own end. A receiver that was late
/// counts only if the send ended after it, since a short message does not wait for its receiver. What is not longer
/// than the errors of both ranks' clocks is no waiting. `errors`: of each rank's clock.
wait_state wait_of(timed_call const& call, int rank, timed_block const& block, std::span<double const> errors);

} // namespace tools::replay
