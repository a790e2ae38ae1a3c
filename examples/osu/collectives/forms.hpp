// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "check.hpp"

#include <sonde/mpi/collectives.hpp>
#include <sonde/run.hpp>

#include <type_traits>

namespace osu {

/// The suite's plan, the ranks brought together before every iteration; but a barrier does that by itself.
template <sonde::mpi::CollectiveOperation K>
row_plan plan_for(collective_stage const& on, K const&, std::size_t size) {
    auto const usual = std::is_same_v<K, sonde::mpi::barrier> ? start::one_barrier : start::barrier;
    return on.plan(size, usual).keep({.sample_means = !on.asked().percentiles.empty()});
}

/// One after the other: a family whose programs measure `Form{kind, out, in}`.
template <template <class, class, class> class Form, char Letter>
struct in_turn {
    static constexpr char letter = Letter;

    template <sonde::mpi::CollectiveOperation K>
    static finding measure(collective_stage& on, K const& kind, collective_stage::places const& here, spot const& at) {
        using form = Form<K, sonde::opaque_slice, sonde::opaque_slice>;
        auto const made = [&] { return form{kind, sonde::opaque_slice{here.out}, sonde::opaque_slice{here.in}}; };
        auto found = sonde::run(on.world(), plan_for(on, kind, at.size), made(), on.point(at));
        if (on.asked().check.on) found.errors = check_contents(on, kind, made(), here, at);
        return found;
    }
};

} // namespace osu
