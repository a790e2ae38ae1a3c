// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "halos.hpp"

#include <sonde/measure/compare.hpp>
#include <sonde/mpi.hpp>
#include <sonde/sonde.hpp>

#include <cstddef>
#include <utility>
#include <variant>
#include <vector>

#include <array>
#include <span>

namespace heat {

/// The sides in the order of a pairwise exchange: both blocks of a pair are at their common side at the same time.
inline std::array<side, 4> pairwise_order(decomposition const& part) {
    auto const even = [&](std::size_t d) { return part.place()[d] % 2 == 0; };
    return {even(0) ? down : up, even(0) ? up : down, even(1) ? right : left, even(1) ? left : right};
}

/// Pattern of the reference for the halo exchanges: the same bytes with the same neighbors, one neighbor after the
/// other, in contiguous messages. It sends from `u` and receives into `spare`, whose contents are restored. An exchange
/// with all neighbors at once may be faster.
class reference_exchange {
public:
    static constexpr auto name = "reference: pair by pair";

    reference_exchange(sonde::mpi::group const& ranks, decomposition const& part, field& u, field& spare)
        : to_{sonde::borrow(spare.cells())}, size_{size_of_halo(part, u)} {
        for (auto const s : pairwise_order(part)) {
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

/// Result of `tune`, equal on every rank: records of the halo exchanges and of the reference, and the exchange to use.
struct tuning {
    sonde::comparison halos;
    sonde::record reference;
    std::size_t fastest; // index of a halo exchange
};

/// Compare the halo exchanges on the application's own field, among its own ranks. Keeps the cells of `u` and `spare`;
/// updates the ghosts of `u`. Collective.
inline tuning tune(decomposition const& part, std::vector<any_halo>& halos, field& u, field& spare) {
    auto const bytes = size_of_halo(part, u).bytes;
    sonde::mpi::group ranks{part.comm()};
    auto const enough = sonde::samples{400} || sonde::time_budget{sonde::seconds{0.5}};
    auto const plan = sonde::plan<>{}.until(enough && sonde::samples{30}); // at least 30 rounds

    reference_exchange reference{ranks, part, u, spare}; // the same bytes, one pair of neighbors after the other
    auto const visit = [&](std::size_t i, auto measure) {
        if (i == halos.size()) return measure(reference);
        auto const exchange = [&](auto& halo) {
            sonde::with_traffic pattern{{.bytes = bytes}, [&] { halo.exchange(u); }};
            measure(pattern);
        };
        std::visit(exchange, halos[i]); // halos: a vector of std::variant
    };
    auto found = sonde::compare(ranks, plan, sonde::alternatives{halos.size() + 1, visit});
    auto of_reference = std::move(found.records.back());
    found.records.pop_back();

    auto const fastest = sonde::fastest(found); // equal on every rank: all ranks use the same exchange
    return {std::move(found), std::move(of_reference), fastest};
}

} // namespace heat
