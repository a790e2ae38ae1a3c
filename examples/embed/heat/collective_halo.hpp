// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "edges.hpp"

#include <mpi.h>

#include <array>
#include <cstddef>

namespace heat {

/// One neighborhood collective on the Cartesian communicator.
class collective_halo {
public:
    static constexpr auto name = "Neighbor_alltoallw";

    collective_halo(decomposition const& part, field& u) : part_{&part}, edges_{u} {
        for (auto const s : sides) {
            types_[s] = edges_[s];
            sent_from_[s] = bytes_between(u.edge(up), u.edge(s));
            received_at_[s] = bytes_between(u.ghost(up), u.ghost(s));
        }
    }

    void exchange(field& u) {
        MPI_Neighbor_alltoallw(u.edge(up), one_each.data(), sent_from_.data(), types_.data(), u.ghost(up),
                               one_each.data(), received_at_.data(), types_.data(), part_->comm());
    }

private:
    static constexpr std::array<int, 4> one_each{1, 1, 1, 1};

    static MPI_Aint bytes_between(double const* from, double const* to) {
        return static_cast<MPI_Aint>(to - from) * static_cast<MPI_Aint>(sizeof(double));
    }

    decomposition const* part_;
    edges edges_;
    std::array<MPI_Datatype, 4> types_{};
    std::array<MPI_Aint, 4> sent_from_{}, received_at_{};
};

} // namespace heat
