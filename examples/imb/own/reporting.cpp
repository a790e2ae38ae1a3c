// SPDX-License-Identifier: BSL-1.0
#include "reporting.hpp"

#include "../../common/refusal.hpp"

#include <sonde/mpi/environment.hpp>

namespace imb::own {

reporting::reporting(sonde::mpi::group const& world, options const& asked, int argc, char const* const* argv)
    : where_{sonde::mpi::environment_of(world, argc, argv)} {
    common::together(world, [&] {
        if (world.rank() == 0) to_ = reports{asked, where_};
    });
}

} // namespace imb::own
