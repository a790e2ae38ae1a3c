// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "application.hpp"

#include <sonde/measure/record.hpp>

#include <mpi.h>

#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

/// The values that every rank must have equal, to the last bit.
namespace same {

/// True if every rank of a communicator has the values of its rank 0. Collective over it.
inline bool everywhere(std::vector<double> const& mine, MPI_Comm comm = application::comm()) {
    auto size = static_cast<int>(mine.size());
    PMPI_Bcast(&size, 1, MPI_INT, 0, comm);
    auto theirs = mine;
    theirs.resize(static_cast<std::size_t>(size));
    PMPI_Bcast(theirs.data(), size, MPI_DOUBLE, 0, comm);
    int alike = theirs.size() == mine.size() ? 1 : 0;
    for (std::size_t i = 0; alike == 1 && i != mine.size(); ++i)
        if (theirs[i] != mine[i] && !(std::isnan(theirs[i]) && std::isnan(mine[i]))) alike = 0; // NaN: no value
    PMPI_Allreduce(MPI_IN_PLACE, &alike, 1, MPI_INT, MPI_LAND, comm);
    return alike == 1;
}

inline void append(std::vector<double>& all, std::vector<sonde::seconds> const& times) {
    all.push_back(static_cast<double>(times.size()));
    for (auto const t : times) all.push_back(t.count());
}

inline void append(std::vector<double>& all, sonde::global_times const& g) {
    for (auto const* times : {&g.series, &g.entry_skews, &g.exit_skews}) append(all, *times);
    for (auto const n : {static_cast<double>(g.late_samples), g.error_bound.count(), g.deviation.count()})
        all.push_back(n);
}

/// A record as numbers: all results of communication.
inline std::vector<double> numbers(sonde::record const& r) {
    auto const number = [](auto n) { return static_cast<double>(n); };
    std::vector<double> all{number(r.total.bytes),
                            number(r.total.messages),
                            r.total.hops,
                            r.total.bus_factor,
                            number(r.ranks),
                            number(r.initiators),
                            number(r.batch),
                            r.over_ranks.min.count(),
                            r.over_ranks.mean.count(),
                            r.over_ranks.max.count(),
                            r.first.value_or(sonde::seconds{77}).count(),
                            r.clock_properties.cost.count(),
                            r.clock_properties.resolution.count(),
                            r.clock_properties.bias.count(),
                            number(r.stop.samples),
                            number(static_cast<unsigned char>(r.stop.reason)),
                            number(r.errors.value_or(77))};
    for (auto const& flag : sonde::all_flags) all.push_back(number(r.flags.*flag.member));
    for (auto const* times : {&r.series, &r.sample_means, &r.rank_means}) append(all, *times);
    for (auto const rank : r.stragglers) all.push_back(number(rank));
    if (r.global) append(all, *r.global);
    return all;
}

} // namespace same
