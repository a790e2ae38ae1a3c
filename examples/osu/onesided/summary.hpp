// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../table.hpp"

#include <sonde/mpi/group.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace osu {

/// What a rank checked of one datatype: how often, and how often and when that was wrong.
struct trials {
    std::string type;
    double made = 0;
    double failed = 0;
    double first = 0;
    double last = 0;

    void add(bool wrong) {
        if (wrong) first = failed++ == 0 ? made : first, last = made;
        ++made;
    }
};

/// The block at the end of OMB's programs of atomics: a rank after the other says what it found.
class summary {
public:
    void begin(std::string const& type) { all_.push_back({type}); }
    void add(bool wrong) { all_.back().add(wrong); }
    /// Collective over the group.
    void print(sonde::mpi::group const& world, table& to) const;

private:
    std::vector<trials> all_;
};

} // namespace osu
