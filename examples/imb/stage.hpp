// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "component.hpp"
#include "options.hpp"
#include "reports.hpp"
#include "say.hpp"
#include "types.hpp"

#include <sonde/mpi/group.hpp>

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

    void say(std::string const& text) const { imb::say(world, text); }
};

} // namespace imb
