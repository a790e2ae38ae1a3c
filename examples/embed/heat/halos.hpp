// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "field.hpp"

#include <sonde/mpi/datatype.hpp>

#include <mpi.h>

#include <array>
#include <cstddef>
#include <variant>
#include <vector>

namespace heat {

/// The sides of a field as datatypes: a row, and a column with its stride. The application copies no cells.
class edges {
public:
    explicit edges(field const& u) : row_{made(1, u.columns(), u.stride())}, column_{made(u.rows(), 1, u.stride())} {}
    MPI_Datatype operator[](side s) const { return s == up || s == down ? row_.get() : column_.get(); }

private:
    static sonde::mpi::owned_datatype made(int blocks, int length, int stride) {
        MPI_Datatype type = MPI_DATATYPE_NULL;
        MPI_Type_vector(blocks, length, stride, MPI_DOUBLE, &type);
        return sonde::mpi::owned_datatype{type};
    }

    sonde::mpi::owned_datatype row_;
    sonde::mpi::owned_datatype column_;
};

/// Isend and Irecv: rows are sent in place, columns are copied to and from contiguous memory.
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

/// One of the implementations of the halo exchange, which fills the ghosts of a field: `h.exchange(u)`, `h.name`.
using any_halo = std::variant<packed_halo, collective_halo, derived_halo>;

inline std::vector<any_halo> all_halos(decomposition const& part, field& u) {
    std::vector<any_halo> all;
    all.emplace_back(packed_halo{part, u});
    all.emplace_back(collective_halo{part, u});
    all.emplace_back(derived_halo{part, u});
    return all;
}

inline char const* name(any_halo const& halo) {
    return std::visit([](auto const& h) { return h.name; }, halo);
}

} // namespace heat
