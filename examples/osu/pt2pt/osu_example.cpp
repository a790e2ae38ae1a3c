// SPDX-License-Identifier: BSL-1.0
// An OSU program to copy: half a round trip of synchronous sends (MPI_Ssend) between two ranks.
#include "osu/pt2pt/osu_example.hpp"

#include "osu/pt2pt/pt2pt_driver.hpp"

#include <sonde/mpi/link.hpp>
#include <sonde/pattern.hpp>
#include <sonde/pattern/point_to_point.hpp>

namespace osu {

suite::named_program example_program() {
    // The name, the title and the options of the program; latency in microseconds is the default of `shows`.
    program const about{.name = "osu_example",
                        .title = "OSU MPI Synchronous Latency Test",
                        .moved_by = mpi_library,
                        .accepted = latency_options,
                        .smallest = 0};
    return named(about, {}, [](pt2pt_driver& d) {
        auto const pair = sonde::pair_of(d.world().rank(), 1);
        // Iterations and warm-up iterations up to 8192 bytes and above; -i, -x and --sync replace them.
        sweep_plan const plan{
            .iterations = 10'000, .warmup = 100, .large = {1'000, 10}, .synchronize = before_each_size};
        // For each datatype and size: measure the pattern, print the row, stop if -c finds wrong contents.
        d.each_point([&](point const& at) {
            return d.report(at, d.run(at, plan, [&](auto out, auto in, auto path) {
                sonde::mpi::sync_link const link{d.world(), pair.peer, 1, at.elements()};
                return sonde::ping_pong{path(link), pair.role, out, in};
            }));
        });
    });
}

} // namespace osu
