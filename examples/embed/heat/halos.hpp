// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "field.hpp"

#include <sonde/mpi/exchange.hpp>

#include <mpi.h>

#include <array>
#include <cstddef>
#include <variant>
#include <vector>

namespace heat {

/// The sides of a field as datatypes: the cells to send, and the ghosts. The application copies no cells.
inline std::vector<sonde::mpi::halo_face> faces_of(field const& u) {
    return sonde::mpi::halo_faces({u.rows(), u.columns()}, {1, 1}, MPI_DOUBLE);
}

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

    collective_halo(decomposition const& part, field const& u) : part_{&part}, faces_{faces_of(u)} {
        for (auto const s : sides) {
            sent_[s] = faces_[s].send.get();
            received_[s] = faces_[s].receive.get();
        }
    }

    void exchange(field& u) {
        auto* const cells = u.cells().data();
        MPI_Neighbor_alltoallw(cells, one_each.data(), at_begin.data(), sent_.data(), cells, one_each.data(),
                               at_begin.data(), received_.data(), part_->comm());
    }

private:
    static constexpr std::array<int, 4> one_each{1, 1, 1, 1};
    static constexpr std::array<MPI_Aint, 4> at_begin{};

    decomposition const* part_;
    std::vector<sonde::mpi::halo_face> faces_;
    std::array<MPI_Datatype, 4> sent_{}, received_{};
};

/// Isend and Irecv of derived datatypes: the MPI library finds the cells of a column itself.
class derived_halo {
public:
    static constexpr auto name = "Isend/Irecv, derived datatypes";

    derived_halo(decomposition const& part, field const& u) : part_{&part}, faces_{faces_of(u)} {}

    void exchange(field& u) {
        std::array<MPI_Request, 8> pending;
        auto* next = pending.data();
        auto* const cells = u.cells().data();
        for (auto const s : sides)
            MPI_Irecv(cells, 1, faces_[s].receive.get(), part_->neighbor(s), opposite(s), part_->comm(), next++);
        for (auto const s : sides)
            MPI_Isend(cells, 1, faces_[s].send.get(), part_->neighbor(s), s, part_->comm(), next++);
        MPI_Waitall(static_cast<int>(pending.size()), pending.data(), MPI_STATUSES_IGNORE);
    }

private:
    decomposition const* part_;
    std::vector<sonde::mpi::halo_face> faces_;
};

/// One of the implementations of the halo exchange, which fills the ghosts of a field: `h.exchange(u)`, `h.name`.
using any_halo = std::variant<packed_halo, collective_halo, derived_halo>;

inline std::vector<any_halo> all_halos(decomposition const& part, field const& u) {
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
