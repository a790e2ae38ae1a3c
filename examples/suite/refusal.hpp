// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/mpi/group.hpp>

#include <functional>
#include <stdexcept>
#include <string>

namespace suite {

/// Reason why nothing is measured: one line for the user, thrown on all ranks or on none. A program prints it on rank
/// 0, and every rank exits with 1.
struct refusal : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// A refusal that the ranks have agreed on: it is thrown on all of them, also between two rows.
struct agreed_refusal : refusal {
    using refusal::refusal;
};

/// Throws agreed_refusal, on all ranks, with the complaint of the lowest rank that has one; an empty complaint is none.
/// Collective over the group.
void agree(sonde::mpi::group const& world, std::string complaint);

/// Throws refusal if the MPI library is SimGrid's SMPI: it declares `call`, but ends the job when it is called.
void require_outside_smpi(char const* call);

/// Run `f` on every rank; a refusal that it throws on some ranks is thrown on all. Collective over the group.
void together(sonde::mpi::group const& world, std::function<void()> const& f);

} // namespace suite
