// SPDX-License-Identifier: BSL-1.0
#include "mpi4.hpp"

#include "split_rows.hpp"

namespace imb {

namespace {

/// Requests are made before the clock starts: one for each root, and for the first slot, as in IMB.
struct persistent_style {
    static constexpr char letter = 'p';

    static std::string name(collective const& of) { return std::string{of.name} + "_persist"; }
    static bool by_default(collective const& of) { return of.persistent_by_default; }
    template <mpi::CollectiveOperation K>
    static auto on(K const& kind, setting const& s) {
        return pattern_on_first<mpi::persistent>(kind, s);
    }
    template <mpi::CollectiveOperation K>
    static double defects(K const& kind, setting& s) {
        return defects_of<mpi::persistent>(kind, s);
    }
};

} // namespace

std::vector<benchmark> persistent_collectives() { return split_rows<persistent_style>(); }

} // namespace imb
