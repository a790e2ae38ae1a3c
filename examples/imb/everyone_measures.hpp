// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/pattern.hpp>

#include <utility>

namespace imb {

/// A pattern of pairs in which the times of both sides count, as IMB takes the larger of them: each then answers for
/// half of what is moved.
template <sonde::Pattern P>
class everyone_measures : public sonde::pattern_adaptor<everyone_measures<P>, P> {
public:
    explicit everyone_measures(P pattern) : everyone_measures::pattern_adaptor{std::move(pattern)} {}

    sonde::role plays() const {
        return sonde::plays(this->pattern_) == sonde::role::idle ? sonde::role::idle : sonde::role::initiator;
    }
    sonde::traffic moves() const {
        auto moved = sonde::moves(this->pattern_);
        moved.shared_by *= 2;
        return moved;
    }
};

} // namespace imb
