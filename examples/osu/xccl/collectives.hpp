// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../collectives/check.hpp"
#include "../collectives/stage.hpp"
#include "connection.hpp"
#include "rows.hpp"

#include <sonde/nccl/collectives.hpp>
#include <sonde/run.hpp>

#include <array>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace osu::xccl {

/// The stage of a collective of NCCL.
class stage : public collective_stage {
public:
    stage(given const& g, collective const& what, need_of const& needs)
        : collective_stage{g, what, needs}, connection_{world()} {}

    sonde::nccl::queue<waits> queue() { return connection_.queue(); }

private:
    connection connection_; // goes before the memory that NCCL uses
};

/// A row of the table, its types gone.
struct measured {
    collective of;
    extents (*needs)(common::recipe const&);
    sonde::record (*measure)(stage& on, spot const& at);
};

/// The suite's plan, but that reductions count their elements to tell small from large.
inline auto plan_for(stage const& on, collective const& what, spot const& at) {
    auto const counted = what.size_is == meaning::vector ? at.size / at.type.bytes : at.size;
    return on.plan(counted, start::barrier).keep({.sample_means = !on.asked().percentiles.empty()});
}

template <std::size_t I>
extents needs_of(common::recipe const& r) {
    auto const kind = std::get<I>(rows).make(r);
    return {kind.send_bytes(), kind.recv_bytes()};
}

template <std::size_t I>
sonde::record measure_row(stage& on, spot const& at) {
    auto const& row = std::get<I>(rows);
    auto const made = on.of(at);
    auto const kind = row.make(made.recipe);
    auto const here = on.regions({kind.send_bytes(), kind.recv_bytes()});
    nccl::nonblocking pattern{kind, on.queue(), sonde::opaque_slice{here.out}, sonde::opaque_slice{here.in}};
    auto found = sonde::run(on.world(), plan_for(on, row.of, at), pattern, on.point(at));
    if (on.asked().check.on) found.errors = check_contents(on, row.same(made.recipe), pattern, here, at);
    return found;
}

/// The row of a name.
inline measured find_row(std::string_view name) {
    constexpr auto all = []<std::size_t... I>(std::index_sequence<I...>) {
        return std::array{measured{std::get<I>(rows).of, &needs_of<I>, &measure_row<I>}...};
    }(std::make_index_sequence<std::tuple_size_v<decltype(rows)>>{});
    for (auto const& m : all)
        if (m.of.name == name) return m;
    throw std::invalid_argument{"osu: NCCL has no such collective"};
}

} // namespace osu::xccl
