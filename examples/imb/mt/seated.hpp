// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/pattern.hpp>

#include <utility>

namespace imb::mt {

/// A pattern in which all take part, but for those whose role is idle.
template <sonde::Pattern P>
class seated : public sonde::pattern_adaptor<seated<P>, P> {
public:
    seated(sonde::role who, P pattern) : seated::pattern_adaptor{std::move(pattern)}, idle_{who == sonde::role::idle} {}
    void iterate(auto& pattern) {
        if (!idle_) pattern();
    }
    sonde::role plays() const { return idle_ ? sonde::role::idle : sonde::role::initiator; }

private:
    bool idle_;
};

} // namespace imb::mt
