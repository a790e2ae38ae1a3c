// SPDX-License-Identifier: BSL-1.0
#include "imb/imb.hpp"
#include "imb/mpi1/overlap.hpp"
#include "suite/values.hpp"

namespace imb {

namespace {

/// MPI_Iallreduce, MPI_Wait.
struct nonblocking_mode {
    static constexpr auto mode = call_modes::nonblocking;

    static std::string name(collective const& of) { return std::string{"I"}.append(suite::lower(of.name)); }
    static bool by_default(collective const&) { return true; }
    template <sonde::CollectiveOperation Op>
    static auto pattern(Op const& op, setting const& s) {
        return bind<mpi::nonblocking>(op, s);
    }
    static std::function<double()> defects(collective const& of, setting& s) {
        return defects_of<mpi::nonblocking>(of, s);
    }
};

} // namespace

component nbc() {
    return {.part = "MPI-NBC part", .tests = overlap_rows<nonblocking_mode>(), .lacks = lacking({"aggregate_mode"})};
}

} // namespace imb
