// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../mpi/application.hpp"

#include <sonde/mpi/group.hpp>
#include <sonde/oneccl.hpp>

namespace ranks {

/// All ranks, connected by oneCCL.
struct connected {
    sonde::mpi::group all{application::comm()};
    sonde::oneccl::communicator comm{all};

    int size() const { return all.size(); }
};

} // namespace ranks
