// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "nodes.hpp"

#include <sonde/mpi/group.hpp>

#include <boost/mpi/collectives.hpp>
#include <boost/mpi/communicator.hpp>
#include <boost/mpi/environment.hpp>
#include <boost/serialization/string.hpp>

#include <string>
#include <vector>

namespace osu {

/// The nodes of a group, told apart by what MPI_Get_processor_name says. Collective over the group.
inline nodes nodes_of(sonde::mpi::group const& world) {
    std::vector<std::string> names;
    boost::mpi::communicator const all{world.comm(), boost::mpi::comm_attach};
    boost::mpi::all_gather(all, boost::mpi::environment::processor_name(), names);
    return nodes_of(names);
}

} // namespace osu
