// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <doctest/doctest.h>

#include "application.hpp"

#include <mpi.h>

#include <set>
#include <string>

/// Known faults of the MPI library itself, shown by C programs without Sonde: tests leave them out with a message.
namespace library {

struct situation {
    int ranks = 0;           // of the group
    bool asymmetric = false; // a rank has different numbers of sources and destinations
};

/// Name and version, "Open MPI v4.1.4", of the library of the running program.
inline std::string name() {
    std::string text(MPI_MAX_LIBRARY_VERSION_STRING, ' ');
    int length = 0;
    MPI_Get_library_version(text.data(), &length);
    return text.substr(0, text.find_first_of(",\n"));
}

inline std::string fault_of_mpich(std::string const& call, situation s) {
    // 4.0 to 4.2 at least; issue 7078 of pmodels/mpich is one of them.
    static std::set<std::string> const early{"MPI_Allgather_init", "MPI_Gather_init", "MPI_Scatter_init"};
    if (early.count(call) != 0) return "copies local data when made instead of when started, or fails in MPI_Wait";
    if (call == "a single element of MPI_Type_create_f90_real") return "is refused as of a derived datatype";
    if (s.ranks == 1 && (call == "MPI_Allgatherv" || call == "MPI_Iallgatherv"))
        return "does not look at the displacement where there is one rank";
    if (s.asymmetric && call.find("eighbor_alltoallw") != std::string::npos)
        return "loses data where a rank has more sources than destinations, or fewer";
    return {};
}

inline std::string fault_of_open_mpi(std::string const& call) {
    // 4.1.4, with ranks on one node; the first is issue 1666 of open-mpi/ompi.
    if (call == "a one-sided reduction of elements with gaps") return "moves too few bytes, or returns others";
    if (call == "a one-sided sum of complex numbers of 8 bytes") return "adds them as integers";
    if (call == "MPI_Allgather of an empty type with an extent") return "copies without end, from 3 ranks on";
    if (call == "MPI_File_iread_at behind the end") return "is never over";
    return {};
}

/// The fault of a call; empty if it works.
inline std::string fault_of(std::string const& call, situation s) {
    static auto const library = name();
    if (library.find("MPICH") != library.npos || library.find("Intel") != library.npos) return fault_of_mpich(call, s);
    return library.find("Open MPI") != library.npos ? fault_of_open_mpi(call) : std::string{};
}

/// Prints once which call is left out, and the reason.
inline bool works(std::string const& call, situation s = {}) {
    static std::set<std::string> printed;
    auto const fault = fault_of(call, s);
    if (application::rank() == 0 && !fault.empty() && printed.insert(call).second)
        MESSAGE("not tested: " << call << " " << fault << " (" << name() << ")");
    return fault.empty();
}

} // namespace library
