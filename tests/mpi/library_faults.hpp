// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <doctest/doctest.h>

#include "application.hpp"

#include <mpi.h>

#include <set>
#include <sstream>
#include <string>

/// Known faults of the MPI library itself, shown by C programs without Sonde: tests leave them out with a message.
namespace library {

struct situation {
    int ranks = 0;           // of the group
    bool asymmetric = false; // a rank has different numbers of sources and destinations
};

/// "Open MPI v5.0.11" or "MPICH Version: 4.0.2", of the library of this run, which need not be the build's.
inline std::string const& name() {
    static std::string const known = [] {
        char text[MPI_MAX_LIBRARY_VERSION_STRING] = "";
        int length = 0;
        PMPI_Get_library_version(text, &length);
        std::istringstream words{std::string{text}.substr(0, std::string{text}.find_first_of(",\n"))};
        std::string line;
        for (std::string word; words >> word;) line += (line.empty() ? "" : " ") + word;
        return line;
    }();
    return known;
}

/// From 4.0 to 4.2 at least; issue 7078 of pmodels/mpich is one of them. Intel MPI is made from MPICH.
inline std::string fault_of_mpich(std::string const& call, situation s) {
    static std::set<std::string> const early{"MPI_Allgather_init", "MPI_Gather_init", "MPI_Scatter_init"};
    if (early.count(call) != 0) return "copies local data when made instead of when started, or fails in MPI_Wait";
    if (call == "a single element of MPI_Type_create_f90_real") return "is refused as of a derived datatype";
    if (s.ranks == 1 && (call == "MPI_Allgatherv" || call == "MPI_Iallgatherv"))
        return "does not look at the displacement where there is one rank";
    if (s.asymmetric && call.find("eighbor_alltoallw") != std::string::npos)
        return "loses data where a rank has more sources than destinations, or fewer";
    return {};
}

/// Of 4.1.4, with ranks on one node; the first is issue 1666 of open-mpi/ompi.
inline std::string fault_of_open_mpi(std::string const& call) {
    if (call == "a one-sided reduction of elements with gaps") return "moves too few bytes, or returns others";
    if (call == "a one-sided sum of complex numbers of 8 bytes") return "adds them as integers";
    if (call == "MPI_Allgather of an empty type with an extent") return "copies without end, from 3 ranks on";
    if (call == "MPI_File_iread_at behind the end") return "is never over";
    if (!name().starts_with("Open MPI v5")) return {};
    if (call == "MPI_Win_get_info of no_locks") return "does not have the hint";
    if (call == "MPI_Waitall of a receive that is too short") return "succeeds where the message came before it";
    return {};
}

/// Of Intel MPI 2021.18 alone.
inline std::string fault_of_intel_mpi(std::string const& call) {
    if (call == "nonblocking collectives with large counts")
        return "end in MPI_Wait (MPI_Ibcast_c), or never (MPI_Iscatter_c)";
    return {};
}

/// The fault of a call; empty if it works.
inline std::string fault_of(std::string const& call, situation s) {
    if (name().starts_with("Intel"))
        if (auto const fault = fault_of_intel_mpi(call); !fault.empty()) return fault;
    if (name().starts_with("MPICH") || name().starts_with("Intel")) return fault_of_mpich(call, s);
    return name().starts_with("Open MPI") ? fault_of_open_mpi(call) : std::string{};
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
