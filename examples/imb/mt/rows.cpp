// SPDX-License-Identifier: BSL-1.0
#include "rows.hpp"

#include "makers.hpp"

namespace imb::mt {

std::vector<benchmark> const& rows() {
    constexpr auto bandwidth = columns::times_bandwidth, rate = columns::bandwidth_rate;
    static std::vector<benchmark> const all{
        {.name = "PingPongMT", .shows = bandwidth, .time_divisor = 2, .make = ping_pong},
        {.name = "PingPingMT", .shows = bandwidth, .make = ping_ping},
        {.name = "SendRecvMT", .shows = bandwidth, .bandwidth_factor = 2, .make = send_recv},
        {.name = "ExchangeMT", .shows = bandwidth, .received = 2, .bandwidth_factor = 4, .make = exchange},
        {.name = "UniBandMT", .shows = rate, .window = true, .make = uni_band},
        {.name = "BiBandMT", .shows = rate, .window = true, .time_divisor = 2, .make = bi_band},
        {.name = "BarrierMT", .timed = timing::calls_only, .sized = false, .make = barrier_of_all},
        {.name = "BcastMT", .timed = timing::calls, .make = bcast},
        {.name = "ReduceMT", .timed = timing::calls, .make = reduce},
        {.name = "AllReduceMT", .timed = timing::calls, .make = all_reduce},
    };
    return all;
}

} // namespace imb::mt
