// SPDX-License-Identifier: BSL-1.0
#include "imb/mpi1/mpi1.hpp"

#include "imb/driver/imb_contents.hpp"
#include "imb/driver/patterns.hpp"
#include "imb/driver/setting.hpp"
#include "imb/mpi1/imb_collectives.hpp"

#include <sonde/mpi/link.hpp>
#include <sonde/pattern.hpp>
#include <sonde/pattern/point_to_point.hpp>

#include <memory>
#include <utility>

namespace imb {

namespace {

using sonde::all_ranks;

/// Neighbors in a ring of ranks.
int left(setting const& s) { return (s.group.rank() + s.group.size() - 1) % s.group.size(); }
int right(setting const& s) { return (s.group.rank() + 1) % s.group.size(); }

/// Check of a pattern that sends one message from the first send buffer and receives one from `sender` in the first
/// receive buffer. Collective.
double message_defects(setting& s, int sender, std::function<void()> const& pattern) {
    auto const extent = s.extent();
    return largest_deviation(
        s, {s.send.bytes.first(extent), s.receive.bytes.first(extent)}, pattern,
        [&, extent](std::size_t) -> data_movement {
            return {{{{0, extent, all_ranks}, s.group.rank()}}, {{0, extent, sender, sender, all_ranks}}};
        });
}

/// A row's `make` of a benchmark whose loop is timed as a whole. `PatternOf(s, out, in)` is the pattern; in each
/// repetition one message arrives, from `SenderOf(s)`.
template <auto PatternOf, auto SenderOf>
work message_loop(setting& s) {
    auto const measure = [&s](std::size_t n) -> result {
        return {imb::run(s.group, s.timed_loop(n), PatternOf(s, s.out(s.bytes), s.in(s.bytes)), s.point())};
    };
    auto const defects = [&s] {
        auto pattern = PatternOf(s, s.send.first(s.extent()), s.receive.first(s.extent()));
        return message_defects(s, SenderOf(s), [&pattern] { pattern(); });
    };
    return {measure, defects};
}

/// Rank of the other process. PingPong and PingPing run on two.
int partner(setting const& s) { return 1 - s.group.rank(); }

template <source From>
sourced_link partner_link(setting const& s) {
    return {s.group, partner(s), From, s.elements_of(s.bytes)};
}

template <source From>
auto ping_pong_with_partner(setting const& s, buffer out, buffer in) {
    return timed_on_both_sides{
        sonde::ping_pong{partner_link<From>(s), sonde::pair_of(s.group.rank(), 1).role, out, in}};
}

template <source From>
auto ping_ping_with_partner(setting const& s, buffer out, buffer in) {
    return ping_ping{partner_link<From>(s), out, in};
}

auto sendrecv_in_ring(setting const& s, buffer out, buffer in) {
    return sendrecv{{s.group, s.elements_of(s.bytes)}, out, in};
}

/// Send buffers of an Exchange: the first half goes to the right, the second half to the left.
neighbor_buffers halves(setting const& s, buffer_layout where) {
    auto const extent = s.extent();
    auto const all = s.send.bytes.first(where.bytes());
    return {.left = {all.subspan(extent), extent, where.stride}, .right = {all, extent, where.stride}};
}

exchange exchange_pattern(setting const& s, neighbor_buffers out, neighbor_buffers in) {
    return {{s.group, s.elements_of(s.bytes)}, std::move(out), std::move(in)};
}

/// Both messages arrive in the same buffer in measured runs, and in two buffers here.
double exchange_defects(setting& s) {
    auto const extent = s.extent();
    message_memory in{2 * extent + 1, s.send.memory};
    auto const in_buffer = [&](std::size_t i) {
        return buffer{in.bytes().subspan(i * extent, extent + 1), extent, extent + 1};
    };
    auto pattern = exchange_pattern(s, halves(s, {1, s.send.layout.stride}), {in_buffer(0), in_buffer(1)});
    auto const moved = [&](std::size_t) -> data_movement {
        return {{{{0, extent, 0}, s.group.rank()}, {{extent, extent, 1}, s.group.rank()}},
                {{0, extent, left(s), left(s), 0}, {extent, extent, right(s), right(s), 1}}};
    };
    return largest_deviation(
        s, {s.send.bytes, in.bytes()}, [&pattern] { pattern(); }, moved);
}

work make_exchange(setting& s) {
    auto const measure = [&s](std::size_t n) -> result {
        auto const in = s.in(s.bytes);
        return {imb::run(s.group, s.timed_loop(n), exchange_pattern(s, halves(s, s.send.layout), {in, in}), s.point())};
    };
    return {measure, [&s] { return exchange_defects(s); }};
}

/// The largest divisor of the window whose messages have receive buffers within `-mem`.
std::size_t messages_within_memory(setting const& s, std::size_t stride) {
    auto const limit = s.options.memory * static_cast<double>(std::size_t{1} << 30);
    auto const allocated = static_cast<double>(s.send.bytes.size() + s.receive.bytes.size());
    auto const fits = [&](std::size_t n) { return allocated + static_cast<double>(n * stride) <= limit; };
    auto n = s.options.window;
    while (n > 1 && (s.options.window % n != 0 || !fits(n))) --n;
    return n;
}

/// Uniband and Biband of one size: windows of `-window_size` messages from rank r < P/2 to rank r + P/2. Each message
/// has a receive buffer of its own, so that contents can be checked. A window whose receive buffers exceed `-mem` is
/// sent in equal parts, each with an acknowledgment.
class message_window {
public:
    explicit message_window(setting& s)
        : s_{s}, extent_{s.extent()}, stride_{message_memory::stride_of(extent_)},
          messages_{messages_within_memory(s, stride_)}, in_{messages_ * stride_, s.send.memory},
          pairing_{sonde::pair_of(s.group.rank(), s.group.size() / 2)} {
        in_.fill(std::byte{0});
    }

    auto uniband(buffer out) {
        return timed_on_both_sides{
            sonde::repeat{parts(), sonde::stream{link(), pairing_.role, messages_, out, in(), back(), token()}}};
    }
    auto biband(buffer out) {
        auto part = sonde::bidirectional{link(), sonde::role::initiator, messages_, out, in(), sonde::directions::sent};
        return sonde::repeat{parts(), acknowledged{std::move(part), back(), pairing_.role, token()}};
    }

    bool responds() const { return pairing_.role == sonde::role::responder; }

    sonde::point point() const {
        auto point = s_.point();
        point.parameters.emplace_back("window", s_.options.window);
        point.parameters.emplace_back("window_parts", parts());
        return point;
    }

    /// Check of a pattern that sends the first send buffer many times; `receives`: messages arrive at this rank.
    double defects(std::function<void()> const& pattern, bool receives) {
        auto const moved = [&](std::size_t) {
            data_movement all{{{{0, extent_, all_ranks}, s_.group.rank()}}, {}};
            for (std::size_t i = 0; receives && i != messages_; ++i)
                all.expected.push_back({i * stride_, extent_, pairing_.peer, pairing_.peer, all_ranks});
            return all;
        };
        return largest_deviation(s_, {s_.send.bytes.first(extent_), in_.bytes()}, pattern, moved);
    }

private:
    std::size_t parts() const { return s_.options.window / messages_; }
    sonde::mpi::async_link link() const { return {s_.group, pairing_.peer, tag, s_.elements_of(s_.bytes)}; }
    sonde::mpi::link back() const { return {s_.group, pairing_.peer, tag + 1, {MPI_CHAR}}; }
    sonde::slice token() { return sonde::slice{{&token_, 1}}; }
    buffer in() const { return {in_.bytes(), extent_, stride_}; }

    setting& s_;
    std::size_t extent_;
    std::size_t stride_;
    std::size_t messages_;
    message_memory in_;
    std::byte token_{};
    sonde::pairing pairing_;
};

/// A row's `make`. `Pattern` is the member that makes the pattern, in which both ranks receive, or the responder.
template <auto Pattern, bool BothReceive>
work window_loop(setting& s) {
    auto const window = std::make_shared<message_window>(s);
    auto const measure = [&s, window](std::size_t n) -> result {
        return {imb::run(s.group, s.timed_loop(n), (*window.*Pattern)(s.out(s.bytes)), window->point())};
    };
    auto const defects = [&s, window] {
        auto pattern = (*window.*Pattern)(s.send.first(s.extent()));
        return window->defects([&pattern] { pattern(); }, BothReceive || window->responds());
    };
    return {measure, defects};
}

constexpr auto with_peer = message_loop<ping_pong_with_partner<source::peer>, partner>;
constexpr auto with_any = message_loop<ping_pong_with_partner<source::any>, partner>;
constexpr auto both_with_peer = message_loop<ping_ping_with_partner<source::peer>, partner>;
constexpr auto both_with_any = message_loop<ping_ping_with_partner<source::any>, partner>;
constexpr auto shift = message_loop<sendrecv_in_ring, left>;

std::vector<benchmark> all_rows() {
    constexpr auto pair = family::single_transfer, all = family::parallel_transfer, window = family::message_rate;
    constexpr auto time = columns::time_bandwidth, range = columns::range_bandwidth, rate = columns::rate;
    // clang-format off
    std::vector<benchmark> rows{
        {.name = "PingPong", .kind = pair, .shows = time, .make = with_peer, .time_factor = 0.5},
        {.name = "PingPing", .kind = pair, .shows = time, .make = both_with_peer},
        {.name = "Sendrecv", .kind = all, .shows = range, .make = shift, .bandwidth_factor = 2},
        {.name = "Exchange", .kind = all, .shows = range, .make = make_exchange, .needs = buffers_for<2, 1>,
         .bandwidth_factor = 4}};
    for (auto& row : collective_rows()) rows.push_back(std::move(row));
    for (benchmark row : {
        benchmark{.name = "PingPongSpecificSource", .kind = pair, .shows = time, .make = with_peer, .time_factor = 0.5},
        {.name = "PingPongAnySource", .kind = pair, .shows = time, .make = with_any, .time_factor = 0.5},
        {.name = "PingPingSpecificSource", .kind = pair, .shows = time, .make = both_with_peer},
        {.name = "PingPingAnySource", .kind = pair, .shows = time, .make = both_with_any},
        {.name = "Uniband", .kind = window, .shows = rate, .make = window_loop<&message_window::uniband, false>},
        {.name = "Biband", .kind = window, .shows = rate, .make = window_loop<&message_window::biband, true>,
         .bandwidth_factor = 2}}) {
        row.by_default = false;
        rows.push_back(std::move(row));
    }
    // clang-format on
    return rows;
}

} // namespace

component mpi1() {
    return {.part = "MPI-1 part",
            .tests = all_rows(),
            .lacks = file_options | option_name::aggregate_mode,
            .blanks = {.calling = true, .reductions = true, .last = true}};
}

} // namespace imb
