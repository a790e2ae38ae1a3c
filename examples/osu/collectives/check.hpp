// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../validation.hpp"
#include "stage.hpp"

#include <sonde/mpi/collectives/operation.hpp>
#include <sonde/run.hpp>

#include <cstddef>
#include <vector>

namespace osu {

/// The elements that this rank received and that differ from what MPI_SUM, or a copy, gives; every byte compared.
template <class T, sonde::mpi::CollectiveOperation K>
std::vector<wrong_element> find_wrong(K const& kind, int root, sonde::region in, contribution const& of) {
    std::vector<wrong_element> wrong;
    auto const value = [&](int rank, int to, std::size_t i) { return of.element<T>(rank, to, i); };
    auto const sum = [](T a, T b) { return static_cast<T>(a + b); };
    sonde::mpi::for_each_received<T>(kind, root, in, value, sum, [&](std::size_t at, T expected, T actual) {
        compare(at, expected, actual, wrong);
    });
    return wrong;
}

/// What this rank contributes into its regions, nothing of what was there left in the one that is received into.
template <sonde::mpi::CollectiveOperation K>
void write_contribution(K const& kind, int root, int rank, collective_stage::copies& here, element as,
                        contribution const& of) {
    sonde::host_memory{}.fill(here.in, std::byte{0});
    with_type(as, [&](auto type) {
        using T = decltype(type);
        auto const value = [&](int from, int to, std::size_t i) { return of.element<T>(from, to, i); };
        sonde::mpi::write_contributions<T>(kind, root, rank, here.out, here.in, value);
    });
}

/// Check what arrives, after the measurement: rounds of `-u` repetitions and one that is checked, with a pattern that
/// has not been called yet, so that its root is known. The contribution is written anew in between, so that what was
/// not sent again is seen. Wrong elements, summed over ranks. Collective.
template <sonde::mpi::CollectiveOperation K, sonde::Pattern P>
std::size_t check_contents(collective_stage& on, K const& kind, P pattern, collective_stage::places const& here,
                           spot const& at) {
    auto const& asked = on.asked();
    auto const root_of = [&](std::size_t round) {
        return on.root_at(round * (asked.check.warmup + 1) + asked.check.warmup);
    };
    auto const prepare = [&](std::size_t round) {
        auto const write = [&] {
            auto contents = on.read(here); // what is no part of a contribution stays
            write_contribution(kind, root_of(round), on.world().rank(), contents, at.type.kind,
                               on.contribution_of(round));
            on.write(here, contents);
        };
        write();
        for (std::size_t i = 0; i != asked.check.warmup; ++i) pattern();
        write();
    };
    auto const verify = [&](std::size_t round) {
        auto received = on.read(here).in;
        auto const wrong = with_type(at.type.kind, [&](auto type) {
            return find_wrong<decltype(type)>(kind, root_of(round), received, on.contribution_of(round));
        });
        if (on.log()) (*on.log())({at.type.kind, at.size, round}, wrong);
        return wrong.size();
    };
    return sonde::validate(on.world(), pattern, prepare, verify, check_rounds(asked));
}

} // namespace osu
