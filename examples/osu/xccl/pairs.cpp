// SPDX-License-Identifier: BSL-1.0
#include "pairs.hpp"

#include "../common.hpp"
#include "links.hpp"

#include <sonde/patterns/bidirectional.hpp>
#include <sonde/patterns/ping_pong.hpp>
#include <sonde/patterns/stream.hpp>

#include <optional>
#include <utility>

namespace osu::xccl {

namespace {

/// The pattern that `make(out, in)` gives. Messages are bytes; managed memory is where NCCL finds it: what is timed is
/// NCCL alone.
template <class Make>
sonde::record measured(pair_bench& on, spot const& at, row_plan const& plan, Make make) {
    return on.run(at, plan, [&](auto out, auto in, sonde::mpi::elements) { return make(out, in); });
}

} // namespace

buffer pair_bench::token_of_each(sonde::mpi::group const& world) {
    std::optional<buffer> taken;
    together(world, [&] { taken.emplace(1, placement::device); });
    return std::move(*taken);
}

sonde::record measure_latency(pair_bench& on, spot const& at, row_plan const& plan) {
    auto const pair = on.pairing();
    return measured(on, at, plan, [&](auto out, auto in) {
        return sonde::ping_pong{sonde::nccl::link{on.queue(), pair.peer}, pair.role, out, in};
    });
}

sonde::record measure_bandwidth(pair_bench& on, spot const& at, row_plan const& plan) {
    auto const pair = on.pairing();
    return measured(on, at, plan, [&](auto out, auto in) {
        return sonde::stream{one_by_one{on.queue(), pair.peer},
                             pair.role,
                             at.window,
                             out,
                             in,
                             unwaited{on.queue(), pair.peer},
                             on.token(),
                             sonde::overlapping_receives};
    });
}

sonde::record measure_both_ways(pair_bench& on, spot const& at, row_plan const& plan) {
    auto const pair = on.pairing();
    return measured(on, at, plan, [&](auto out, auto in) {
        return sonde::bidirectional{sonde::nccl::link{on.queue(), pair.peer},
                                    pair.role,
                                    at.window,
                                    out,
                                    in,
                                    sonde::directions::both,
                                    sonde::overlapping_receives};
    });
}

} // namespace osu::xccl
