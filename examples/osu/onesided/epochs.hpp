// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "stage.hpp"

#include <sonde/mpi/rma/epochs.hpp>
#include <sonde/rma.hpp>

#include <utility>

namespace osu {

/// f(make) of the epoch asked for, one with an active target: `make()` -> sonde::Epoch.
template <class F>
decltype(auto) with_active_epoch(one_sided_stage const& on, chosen_window const& w, F f) {
    if (on.under() == synchronization::fence) return f([&] { return sonde::mpi::fence{w}; });
    return f([&] { return sonde::mpi::pscw{w, sonde::mpi::peer{on.pairing().peer}}; });
}

/// The same of any epoch.
template <class F>
decltype(auto) with_epoch(one_sided_stage const& on, chosen_window const& w, F f) {
    auto const to = on.target();
    switch (on.under()) {
    case synchronization::lock:
        return f([&] { return sonde::mpi::lock{w, to, on.what().lock}; });
    case synchronization::flush:
        return f([&] { return sonde::mpi::flush{w, to, on.what().lasting}; });
    case synchronization::flush_local:
        return f([&] { return sonde::mpi::flush_local{w, to, on.what().lasting}; });
    case synchronization::lock_all:
        return f([&] { return sonde::mpi::lock_all{w}; });
    case synchronization::pscw:
    case synchronization::fence:
        break;
    }
    return with_active_epoch(on, w, f);
}

/// What is timed: see `pace`.
template <pace Pace, sonde::Epoch E, sonde::TransferIn<E> T>
auto pattern_of(E epoch, sonde::role who, std::size_t transfers, T transfer) {
    if constexpr (Pace == pace::both_ways)
        return sonde::rma_exchange{std::move(epoch), who, transfers, std::move(transfer)};
    else if constexpr (Pace == pace::latency && !sonde::PassiveEpoch<E>)
        return sonde::rma_ping_pong{std::move(epoch), who, transfers, std::move(transfer)};
    else return sonde::rma{std::move(epoch), who, transfers, std::move(transfer)};
}

} // namespace osu
