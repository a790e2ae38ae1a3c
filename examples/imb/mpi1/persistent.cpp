// SPDX-License-Identifier: BSL-1.0
#include "imb/imb.hpp"
#include "imb/mpi1/overlap.hpp"

namespace imb {

namespace {

/// MPI_Start, MPI_Wait. As in IMB, requests are made before the clock starts, one for each root, and for the first
/// buffers only.
struct persistent_mode {
    static constexpr auto mode = call_modes::persistent;

    static std::string name(collective const& of) { return std::string{of.name} + "_persist"; }
    static bool by_default(collective const& of) { return of.persistent_by_default; }
    template <sonde::CollectiveOperation Op>
    static auto pattern(Op const& op, setting const& s) {
        return bind_to_first<mpi::persistent>(op, s);
    }
    static std::function<double()> defects(collective const& of, setting& s) {
        return defects_of<mpi::persistent>(of, s);
    }
};

} // namespace

component mpi4() {
    return {.part = "MPI-4 part",
            .tests = overlap_rows<persistent_mode>(),
            .lacks = lacking({"aggregate_mode"}),
            .blanks = {.last = true}};
}

} // namespace imb
