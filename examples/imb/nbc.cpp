// SPDX-License-Identifier: BSL-1.0
#include "nbc.hpp"

#include "../common/numbers.hpp"
#include "split_rows.hpp"

namespace imb {

namespace {

struct nonblocking_style {
    static constexpr char letter = 'n';

    static std::string name(collective const& of) { return std::string{"I"}.append(common::lower(of.name)); }
    static bool by_default(collective const&) { return true; }
    template <mpi::CollectiveOperation K>
    static auto on(K const& kind, setting const& s) {
        return pattern_on<mpi::nonblocking>(kind, s);
    }
    template <mpi::CollectiveOperation K>
    static double defects(K const& kind, setting& s) {
        return defects_of<mpi::nonblocking>(kind, s);
    }
};

} // namespace

std::vector<benchmark> nonblocking_collectives() { return split_rows<nonblocking_style>(); }

} // namespace imb
