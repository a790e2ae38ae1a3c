// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "decomposition.hpp"
#include "field.hpp"

#include <mpi.h>

#include <array>
#include <cstddef>
#include <vector>

namespace heat {

/// Isend and Irecv; rows go as they lie, columns are copied to and from contiguous memory.
class packed_halo {
public:
    static constexpr auto name = "Isend/Irecv, packed columns";

    packed_halo(decomposition const& part, field const& u) : part_{&part} {
        for (auto const s : {left, right}) {
            out_[s].resize(static_cast<std::size_t>(u.rows()));
            in_[s].resize(static_cast<std::size_t>(u.rows()));
        }
    }

    void exchange(field& u) {
        std::array<MPI_Request, 8> pending;
        auto* next = pending.data();
        for (auto const s : sides)
            MPI_Irecv(is_column(s) ? in_[s].data() : u.ghost(s), u.length(s), MPI_DOUBLE, part_->neighbor(s),
                      opposite(s), part_->comm(), next++);
        for (auto const s : sides) {
            if (is_column(s)) pack(u, s);
            MPI_Isend(is_column(s) ? out_[s].data() : u.edge(s), u.length(s), MPI_DOUBLE, part_->neighbor(s), s,
                      part_->comm(), next++);
        }
        MPI_Waitall(static_cast<int>(pending.size()), pending.data(), MPI_STATUSES_IGNORE);
        unpack(u, left);
        unpack(u, right);
    }

private:
    static bool is_column(side s) { return s == left || s == right; }

    void pack(field& u, side s) {
        if (part_->neighbor(s) == MPI_PROC_NULL) return;
        auto const* from = u.edge(s);
        for (auto& value : out_[s]) value = *from, from += u.stride();
    }
    void unpack(field& u, side s) {
        if (part_->neighbor(s) == MPI_PROC_NULL) return;
        auto* to = u.ghost(s);
        for (auto const value : in_[s]) *to = value, to += u.stride();
    }

    decomposition const* part_;
    std::array<std::vector<double>, 4> out_, in_;
};

} // namespace heat
