// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "decomposition.hpp"
#include "field.hpp"

#include <sonde/mpi.hpp>
#include <sonde/sonde.hpp>

#include <array>
#include <cstddef>
#include <span>
#include <vector>

namespace heat {

/// The sides in the order of a pairwise exchange: both blocks of a pair are at their common side at the same time.
inline std::array<side, 4> turns(decomposition const& part) {
    auto const even = [&](std::size_t d) { return part.place()[d] % 2 == 0; };
    return {even(0) ? down : up, even(0) ? up : down, even(1) ? right : left, even(1) ? left : right};
}

/// Pattern, the reference of the halo exchanges: the same bytes with the same neighbors, one neighbor after the
/// other, in contiguous messages. It sends from `u` and receives into `spare`, whose contents are restored. An exchange
/// with all neighbors at once may be faster.
class yardstick {
public:
    static constexpr auto name = "reference: pair by pair";

    yardstick(sonde::mpi::group const& ranks, decomposition const& part, field& u, field& spare)
        : to_{sonde::borrow(spare.cells())}, size_{size_of_halo(part, u)} {
        for (auto const s : turns(part)) {
            auto const my_role = part.neighbor(s) == MPI_PROC_NULL ? sonde::role::idle : sonde::role::initiator;
            auto const bytes = static_cast<std::size_t>(u.length(s)) * sizeof(double);
            sonde::slice const from{std::as_writable_bytes(u.cells()).first(bytes)};
            pairs_.emplace_back(link{ranks, part.neighbor(s)}, my_role, 1, from, to_.first(bytes),
                                sonde::directions::sent);
        }
    }

    void operator()() {
        for (auto& pair : pairs_) pair();
    }
    sonde::traffic traffic() const { return {.bytes = size_.bytes, .messages = size_.messages}; }

private:
    using link = sonde::mpi::async_link;
    using exchange =
        sonde::bidirectional<link, sonde::send_buffer_t<link, sonde::slice>, sonde::recv_buffer_t<link, sonde::slice>>;

    sonde::allocation<sonde::borrowed_memory> to_;
    halo_size size_;
    std::vector<exchange> pairs_;
};

} // namespace heat
