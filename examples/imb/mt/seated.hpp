// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/pattern.hpp>

#include <utility>

namespace imb::mt {

/// A pattern in which all take part, but for those whose role is idle.
template <sonde::Pattern P>
class seated {
public:
    seated(sonde::role who, P pattern) : idle_{who == sonde::role::idle}, pattern_{std::move(pattern)} {}
    void operator()() {
        if (!idle_) pattern_();
    }
    sonde::role plays() const { return idle_ ? sonde::role::idle : sonde::role::initiator; }
    sonde::traffic moves() const { return sonde::moves(pattern_); }

private:
    bool idle_;
    P pattern_;
};

} // namespace imb::mt
