// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "edges.hpp"

#include <mpi.h>

#include <array>

namespace heat {

/// Isend and Irecv of derived datatypes: the MPI library finds the cells of a column itself.
class derived_halo {
public:
    static constexpr auto name = "Isend/Irecv, derived datatypes";

    derived_halo(decomposition const& part, field const& u) : part_{&part}, edges_{u} {}

    void exchange(field& u) {
        std::array<MPI_Request, 8> pending;
        auto* next = pending.data();
        for (auto const s : sides)
            MPI_Irecv(u.ghost(s), 1, edges_[s], part_->neighbor(s), opposite(s), part_->comm(), next++);
        for (auto const s : sides) MPI_Isend(u.edge(s), 1, edges_[s], part_->neighbor(s), s, part_->comm(), next++);
        MPI_Waitall(static_cast<int>(pending.size()), pending.data(), MPI_STATUSES_IGNORE);
    }

private:
    decomposition const* part_;
    edges edges_;
};

} // namespace heat
