// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "suite/refusal.hpp"

#include <sonde/group/agreement.hpp>
#include <sonde/mpi/group.hpp>

#include <functional>
#include <string>
#include <utility>

namespace suite {

/// A refusal that the ranks have agreed on: it is thrown on all of them, also between two rows.
struct agreed_refusal : refusal {
    using refusal::refusal;
};

/// Throws agreed_refusal, on all ranks, with the complaint of the lowest rank that has one; an empty complaint is none.
/// Collective over the group.
inline void agree(sonde::mpi::group const& world, std::string complaint) {
    auto const refuse = [&] {
        if (!complaint.empty()) throw refusal{complaint};
    };
    sonde::collectively(world, refuse, [&](int first) -> refusal {
        sonde::broadcast(world, complaint, first);
        throw agreed_refusal{complaint};
    });
}

/// The MPI library is SimGrid's SMPI, which simulates ranks.
#ifdef SMPI_H
inline constexpr bool is_simulated = true;
#else
inline constexpr bool is_simulated = false;
#endif

/// Throws refusal with SMPI: it declares `call`, but ends the job when it is called.
inline void require_outside_smpi(char const* call) {
    if (is_simulated)
        throw refusal{std::string{"SMPI has no "} + call + ", which this program needs; use another MPI library"};
}

/// Run `f` on every rank; a refusal that it throws on some ranks is thrown on all. Collective over the group.
inline void together(sonde::mpi::group const& world, std::function<void()> const& f) {
    std::string complaint;
    try {
        f();
    } catch (refusal const& e) {
        complaint = e.what();
    }
    agree(world, std::move(complaint));
}

} // namespace suite
