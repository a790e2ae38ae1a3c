// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/mpi/group.hpp>

#include <boost/mpi/collectives.hpp>
#include <boost/mpi/communicator.hpp>

#include <functional>
#include <stdexcept>
#include <string>

namespace common {

/// Why nothing is measured: one line for the user, thrown on all ranks or on none. A program prints it on rank 0, and
/// every rank exits with 1.
struct refusal : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// Ranks agreed on it: thrown on all of them, wherever they are.
struct agreed_refusal : refusal {
    using refusal::refusal;
};

/// Throws, on all ranks, what the lowest rank that complains says; an empty complaint is none. Collective over the
/// group.
inline void agree(sonde::mpi::group const& world, std::string complaint) {
    boost::mpi::communicator const all{world.comm(), boost::mpi::comm_attach};
    auto const mine = complaint.empty() ? all.size() : all.rank();
    auto const first = boost::mpi::all_reduce(all, mine, boost::mpi::minimum<int>());
    if (first == all.size()) return;
    boost::mpi::broadcast(all, complaint, first);
    throw agreed_refusal{complaint};
}

/// Run f on every rank; what it throws as a refusal on some ranks comes out of all. Collective over the group.
inline void together(sonde::mpi::group const& world, std::function<void()> const& f) {
    std::string complaint;
    try {
        f();
    } catch (refusal const& e) {
        complaint = e.what();
    }
    agree(world, std::move(complaint));
}

} // namespace common
