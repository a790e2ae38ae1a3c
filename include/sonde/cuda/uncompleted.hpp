// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/pattern.hpp>

#include <utility>

namespace sonde::cuda {

/// A pattern without its `complete()`: the host does not wait inside the sample, and marks the end right behind the
/// last iteration.
///
/// For the event clock, whose marks are in the stream, too, and are waited for when the sample is over: samples do not
/// overlap. By a clock of the host it would be the time of launching. That wait knows nothing of what the pattern
/// would have watched: where a collective of NCCL fails, it waits for ever, and `nccl::error` is not thrown. Where a
/// failure must come out, leave completion in.
template <Pattern P>
class uncompleted {
public:
    explicit uncompleted(P pattern) : pattern_{std::move(pattern)} {}

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
