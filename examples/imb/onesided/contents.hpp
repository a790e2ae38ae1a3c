// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "place.hpp"

#include <cstddef>
#include <vector>

namespace imb {

/// What a rank's memory holds before and after transfers. All of it in use is compared: a stray write is seen, too.
class contents {
public:
    /// `slots` are in use, each `passes()` times.
    contents(place const& at, std::size_t slots) : at_{at}, slots_{slots} {}

    /// Operations that find what others of their kind left are done twice.
    static std::size_t passes(effect of) { return of == effect::puts || of == effect::gets ? 1 : 2; }
    /// May all origins act at once? Of several puts to one place any may be the last.
    static bool at_once(effect of) { return of == effect::adds; }

    void write() const;
    /// The largest relative deviation here, 1 for more than 0.01, after these ranks have acted.
    double deviation(std::vector<int> const& origins) const;

private:
    place const& at_;
    std::size_t slots_;
};

} // namespace imb
