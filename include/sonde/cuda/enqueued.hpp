// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/pattern.hpp>

#include <utility>

namespace sonde::cuda {

/// A pattern that is left under way at the end of a sample: `complete()` is not called, so that the next one is put
/// into the stream behind it, and the stream's own clock alone says how long it takes.
///
/// For the event clock, whose readings are in the stream, too. By a clock of the host it would be the time of
/// launching.
template <Pattern P>
class enqueued {
public:
    explicit enqueued(P pattern) : pattern_{std::move(pattern)} {}

    void operator()() { pattern_(); }
    template <class F>
    void in_role(F f) {
        sonde::in_role(pattern_, std::move(f));
    }
    void warmed_up() { sonde::warmed_up(pattern_); }
    role plays() const { return sonde::plays(pattern_); }
    traffic moves() const { return sonde::moves(pattern_); }

private:
    P pattern_;
};

} // namespace sonde::cuda
