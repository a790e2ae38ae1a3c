// SPDX-License-Identifier: BSL-1.0
// IMB-EXAMPLE, a program to copy: one benchmark, half a round trip of synchronous sends (MPI_Ssend).
#include "imb/example/imb_example.hpp"

#include "imb/driver/setting.hpp"

#include <sonde/mpi/link.hpp>
#include <sonde/pattern.hpp>
#include <sonde/pattern/point_to_point.hpp>

namespace {

/// One size: the driver calls `measure` to estimate the repetitions, to warm up, and for the reported run.
imb::work make_sync_ping_pong(imb::setting& s) {
    return {.measure = [&s](std::size_t n) -> imb::result {
        auto const pair = sonde::pair_of(s.group.rank(), 1);
        sonde::mpi::sync_link const link{s.group, pair.peer, 1, s.elements_of(s.bytes)};
        sonde::ping_pong pattern{link, pair.role, s.out(s.bytes), s.in(s.bytes)};
        return {imb::run(s.group, s.timed_loop(n), pattern, s.point())}; // one sample of n repetitions
    }};
}

} // namespace

imb::component imb::example() {
    return {.part = "example",
            .tests = {{.name = "SyncPingPong",
                       .kind = imb::family::single_transfer,  // on two processes
                       .shows = imb::columns::time_bandwidth, // t[usec] and Mbytes/sec
                       .make = make_sync_ping_pong,
                       .needs = imb::buffers_for<1, 1>, // a message to send and one to receive
                       .time_factor = 0.5}},            // a repetition is a round trip
            .lacks = imb::file_options | imb::option_name::aggregate_mode | imb::option_name::check_bits |
                     imb::option_name::root_shift | imb::option_name::window_size};
}
