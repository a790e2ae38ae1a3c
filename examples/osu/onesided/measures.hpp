// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "check.hpp"
#include "epochs.hpp"
#include "families.hpp"

#include <sonde/run.hpp>

#include <cstddef>
#include <tuple>
#include <utility>

namespace osu::detail {

template <std::size_t I>
sonde::record measure_access(one_sided_stage& on, spot const& at) {
    constexpr auto measures = std::get<I>(accesses).of.measures;
    auto here = on.place_of(at);
    auto const measured = [&](auto make_epoch) {
        auto const made = [&] {
            return pattern_of<measures>(make_epoch(), on.pairing().role, on.transfers(),
                                        std::get<I>(accesses).make(on.of(at, here)));
        };
        auto found = sonde::run(on.world(), on.plan(at.size), made(), on.point(at));
        if (on.asked().check.on) found.errors = check_contents(on, here, at, made);
        return found;
    };
    if constexpr (measures == pace::both_ways) return with_active_epoch(on, here.window, measured);
    else return with_epoch(on, here.window, measured);
}

/// The row of a name among those for which `Wanted` holds.
template <class Wanted, std::size_t... I>
measured_access find_access(std::string_view name, Wanted, std::index_sequence<I...>) {
    measured_access found{};
    auto const look = [&]<std::size_t J>() {
        constexpr auto of = std::get<J>(accesses).of;
        if constexpr (Wanted{}(of))
            if (name == of.name) found = {of, &measure_access<J>};
    };
    (look.template operator()<I>(), ...);
    return found;
}
template <class Wanted>
measured_access find_access(std::string_view name, Wanted wanted) {
    return find_access(name, wanted, std::make_index_sequence<std::tuple_size_v<decltype(accesses)>>{});
}

} // namespace osu::detail
