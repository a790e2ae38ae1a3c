// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "component.hpp"
#include "options.hpp"
#include "reports.hpp"
#include "types.hpp"

#include <sonde/mpi/group.hpp>

#include <cstdio>
#include <string>

namespace imb {

/// What all benchmarks of a launch share.
struct stage {
    component const& about;
    options const& asked;
    sonde::mpi::group const& world;
    element_type const& data;
    element_type const& reduced;
    reports& report;      // of world rank 0
    bool defects = false; // have contents been wrong anywhere? As world rank 0 knows

    /// A text of whole lines, there when the call returns: a job that is killed leaves what it measured.
    void say(std::string const& text) const {
        if (world.rank() != 0) return;
        std::fputs(text.c_str(), stdout);
        std::fflush(stdout);
    }
};

} // namespace imb
