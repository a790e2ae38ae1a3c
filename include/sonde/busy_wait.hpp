// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/time.hpp>

#include <utility>

namespace sonde {

/// Reads the clock until so much time has passed: a processor that is busy, and not in a communication library.
///
/// Not shorter than told, and longer by up to a reading of the clock. A `spin` is told its length once and reads no
/// clock; this one is told each time.
template <Clock C = steady_clock>
class busy_wait {
public:
    explicit busy_wait(C clock = {}) : clock_{std::move(clock)} {}
    void operator()(seconds d) {
        auto const begin = clock_.now();
        while (seconds{clock_.now() - begin} < d) {
        }
    }

private:
    C clock_;
};

} // namespace sonde
