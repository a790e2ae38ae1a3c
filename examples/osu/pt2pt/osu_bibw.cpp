// SPDX-License-Identifier: BSL-1.0
// Windows of non-blocking sends in both directions at once.
#include "osu/pt2pt/driver.hpp"

#include <sonde/mpi/link.hpp>
#include <sonde/pattern.hpp>
#include <sonde/pattern/point_to_point.hpp>

#include <utility>

int main(int argc, char** argv) {
    osu::program const about{.name = "osu_bibw",
                             .title = "OSU MPI Bi-Directional Bandwidth Test",
                             .accepted = osu::bandwidth_options,
                             .shows = osu::metric::bandwidth};
    return osu::launch(argc, argv, about, [](osu::pt2pt_driver& d) {
        auto const pair = sonde::pair_of(d.world().rank(), 1);
        auto const tags = pair.role == sonde::role::initiator ? sonde::mpi::tags{100, 10} : sonde::mpi::tags{10, 100};
        osu::sweep_plan const plan{
            .iterations = 100, .warmup = 10, .large = {20, 2}, .synchronize = osu::before_each_size};
        d.each_point([&](osu::point const& at) {
            return d.report(at, d.run(at, plan, [&](auto out, auto in, auto path) {
                sonde::mpi::async_link link{d.world(), pair.peer, tags, at.elements()};
                return sonde::bidirectional{
                    path(std::move(link)),      pair.role, at.window, out, in, sonde::directions::both,
                    sonde::overlapping_receives};
            }));
        });
    });
}
