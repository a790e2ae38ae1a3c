// SPDX-License-Identifier: BSL-1.0
// An OSU program to copy: half a round trip of synchronous sends (MPI_Ssend) between two ranks.
// [example]
#include "osu/pt2pt/driver.hpp"

#include <sonde/mpi/link.hpp>
#include <sonde/pattern.hpp>
#include <sonde/pattern/point_to_point.hpp>

int main(int argc, char** argv) {
    // The name, the title and the options of the program; latency in microseconds is the default of `shows`.
    osu::program const about{.name = "osu_example",
                             .title = "OSU MPI Synchronous Latency Test",
                             .accepted = osu::latency_options,
                             .smallest = 0};
    return osu::launch(argc, argv, about, [](osu::pt2pt_driver& d) {
        auto const pair = sonde::pair_of(d.world().rank(), 1);
        // Iterations and warm-up iterations up to 8192 bytes and above; -i, -x and --sync replace them.
        osu::sweep_plan const plan{
            .iterations = 10'000, .warmup = 100, .large = {1'000, 10}, .synchronize = osu::before_each_size};
        // For each datatype and size: measure the pattern, print the row, stop if -c finds wrong contents.
        d.each_point([&](osu::point const& at) {
            return d.report(at, d.run(at, plan, [&](auto out, auto in, auto path) {
                sonde::mpi::sync_link const link{d.world(), pair.peer, 1, at.elements()};
                return sonde::ping_pong{path(link), pair.role, out, in};
            }));
        });
    });
}
// [/example]
