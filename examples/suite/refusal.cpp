// SPDX-License-Identifier: BSL-1.0
#include "suite/refusal.hpp"

#include <sonde/mpi/error.hpp>

#include <utility>

namespace suite {

void agree(sonde::mpi::group const& world, std::string complaint) {
    using sonde::mpi::check;
    auto first = complaint.empty() ? world.size() : world.rank();
    check(MPI_Allreduce(MPI_IN_PLACE, &first, 1, MPI_INT, MPI_MIN, world.comm()), "MPI_Allreduce");
    if (first == world.size()) return;
    sonde::broadcast(world, complaint, first);
    throw agreed_refusal{complaint};
}

void require_outside_smpi([[maybe_unused]] char const* call) {
#ifdef SMPI_H
    throw refusal{std::string{"SMPI has no "} + call + ", which this program needs; use another MPI library"};
#endif
}

void together(sonde::mpi::group const& world, std::function<void()> const& f) {
    std::string complaint;
    try {
        f();
    } catch (refusal const& e) {
        complaint = e.what();
    }
    agree(world, std::move(complaint));
}

} // namespace suite
