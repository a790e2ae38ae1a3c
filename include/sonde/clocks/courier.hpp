// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/clocks/offset.hpp>
#include <sonde/time.hpp>

#include <span>

namespace sonde {

/// Carries numbers between ranks of a group while their clocks are compared; its messages meet no others.
///
///     c.send(to, v)         v: span<double const>; may return before it is received
///     c.receive(from, v)    v: span<double>, as long as what is sent
template <class C>
concept Courier = requires(C& c, int rank, std::span<double const> out, std::span<double> in) {
    c.send(rank, out);
    c.receive(rank, in);
};

namespace detail {

template <Courier M>
void send_number(M& courier, int to, double number) {
    courier.send(to, std::span<double const>{&number, 1});
}
template <Courier M>
double receive_number(M& courier, int from) {
    double number = 0;
    courier.receive(from, std::span<double>{&number, 1});
    return number;
}

inline constexpr double another_ping = 1;
inline constexpr double no_more_pings = 0;

/// Ask a rank that serves what time it is there; `now()` tells it here.
template <Courier M, class Now>
clock_ping ask_time(M& courier, int server, Now now) {
    clock_ping p{now(), {}, {}};
    detail::send_number(courier, server, another_ping);
    p.told = seconds{detail::receive_number(courier, server)};
    p.back = now();
    return p;
}

/// Tell a rank the time as long as it asks.
template <Courier M, class Now>
void serve_time(M& courier, int client, Now now) {
    while (detail::receive_number(courier, client) == another_ping) detail::send_number(courier, client, now().count());
}

template <Courier M>
void end_service(M& courier, int server) {
    detail::send_number(courier, server, no_more_pings);
}

} // namespace detail

} // namespace sonde
