// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/pattern.hpp>

#include <utility>

namespace imb {

/// A pattern of pairs in which the times of both sides count, as IMB takes the larger of them: each then answers for
/// half of what is moved.
template <sonde::Pattern P>
class everyone_measures {
public:
    explicit everyone_measures(P pattern) : pattern_{std::move(pattern)} {}

    void operator()() { pattern_(); }
    template <class F>
    void in_role(F f) {
        sonde::in_role(pattern_, f);
    }
    void complete() { sonde::complete(pattern_); }
    sonde::role plays() const {
        return sonde::plays(pattern_) == sonde::role::idle ? sonde::role::idle : sonde::role::initiator;
    }
    sonde::traffic moves() const {
        auto moved = sonde::moves(pattern_);
        moved.shared_by *= 2;
        return moved;
    }

private:
    P pattern_;
};

} // namespace imb
