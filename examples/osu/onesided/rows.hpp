// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "chosen_window.hpp"
#include "one_sided.hpp"

#include <sonde/mpi/rma/transfers.hpp>

#include <tuple>

namespace osu {

/// What transfers of one size are made of; a negative target is nobody.
struct ingredients {
    chosen_window const& window;
    sonde::mpi::peer to;
    sonde::mpi::block each;
    sonde::opaque_region out;
    sonde::opaque_region in;
    sonde::opaque_region compared;
};

/// A program, and what it does: `make(ingredients)` -> sonde::Transfer.
template <class Make>
struct access {
    one_sided of;
    Make make;
};
template <class Make>
access(one_sided, Make) -> access<Make>;

inline constexpr auto make_put = [](ingredients const& m) { return sonde::mpi::put{m.window, m.to, m.out, m.each}; };
inline constexpr auto make_get = [](ingredients const& m) { return sonde::mpi::get{m.window, m.to, m.in, m.each}; };

/// Every one-sided program: a row here is all that it needs. meson.build reads the names from this text.
// clang-format off
inline constexpr std::tuple accesses{
    access{{.name = "put_latency", .title = "MPI_Put Latency", .leaves = effect::replaces}, make_put},
    access{{.name = "get_latency", .title = "MPI_Get latency", .fetches = true}, make_get},
    access{{.name = "acc_latency", .title = "MPI_Accumulate latency", .leaves = effect::adds, .typed = true,
            .counted_with_lock = {{10'000, 100}, {1'000, 1'000}}},
        [](ingredients const& m) { return sonde::mpi::accumulate{m.window, m.to, m.out, m.each, MPI_SUM}; }},
    access{{.name = "get_acc_latency", .title = "MPI_Get_accumulate latency", .leaves = effect::adds, .fetches = true,
            .names_type = false, .made_by = creation::create, .under = synchronization::lock,
            .lock = sonde::mpi::lock_type::exclusive, .lasting = sonde::mpi::lock_type::exclusive},
        [](ingredients const& m) { return sonde::mpi::get_accumulate{m.window, m.to, m.out, m.in, m.each, MPI_SUM}; }},
    access{{.name = "fop_latency", .title = "MPI_Fetch_and_op latency", .leaves = effect::adds, .fetches = true,
            .typed = true, .one_element = true, .lock = sonde::mpi::lock_type::exclusive},
        [](ingredients const& m) {
            return sonde::mpi::fetch_and_op{m.window, m.to, m.out, m.in, m.each.type, MPI_SUM};
        }},
    access{{.name = "cas_latency", .title = "MPI_Compare_and_swap latency", .leaves = effect::swaps, .fetches = true,
            .typed = true, .one_element = true, .lock = sonde::mpi::lock_type::exclusive},
        [](ingredients const& m) {
            return sonde::mpi::compare_and_swap{m.window, m.to, m.out, m.compared, m.in, m.each.type};
        }},
    access{{.name = "put_bw", .title = "MPI_Put Bandwidth", .measures = pace::bandwidth, .leaves = effect::replaces,
            .counted = bandwidth_counts}, make_put},
    access{{.name = "get_bw", .title = "MPI_Get Bandwidth", .measures = pace::bandwidth, .fetches = true,
            .counted = bandwidth_counts}, make_get},
    access{{.name = "put_bibw", .title = "MPI_Put Bi-directional Bandwidth", .measures = pace::both_ways,
            .leaves = effect::replaces, .under = synchronization::pscw, .counted = bandwidth_counts}, make_put},
};
// clang-format on

} // namespace osu
