// SPDX-License-Identifier: BSL-1.0
// osu_bw between many pairs at once, with a barrier before every window.
#include "osu/pt2pt/mbw_mr.hpp"

#include "osu/pt2pt/pt2pt_driver.hpp"

#include <sonde/measure/record.hpp>
#include <sonde/mpi/link.hpp>
#include <sonde/pattern.hpp>
#include <sonde/pattern/point_to_point.hpp>

#include <cstdio>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace osu {

namespace {

/// Print the lines below the title, and a note on stderr if a rank has no partner. Returns the number of pairs.
int announce_pairs(pt2pt_driver& d) {
    auto const pairs = d.world().size() / 2;
    auto const varied = d.options().vary_window;
    d.table().line("# [ pairs: " + std::to_string(pairs) +
                   " ] [ window size: " + (varied ? "varied" : std::to_string(d.options().window)) + " ]");
    if (varied) d.table().line("\n# Uni-directional Bandwidth (MB/sec)");
    if (d.world().rank() == 0 && d.world().size() % 2 != 0)
        std::fprintf(stderr, "Note: the number of processes is odd; rank %d has no partner and stays idle\n",
                     2 * pairs);
    return pairs;
}

std::string first_cell(std::string text) { return table::left(std::move(text), 7); }
std::string cell(std::string const& text) { return "  " + right(text, 10); }

std::string head() {
    auto text = first_cell("#");
    for (auto const window : varied_windows) text += cell(std::to_string(window));
    return text;
}

using measured = std::function<sonde::record(point const&)>;

/// One size of `-V`: a line of MB/s and one of messages per second, each with a cell for every window.
struct window_lines {
    std::string bandwidth;
    std::string rate;
    bool good = true; // all validated contents were right
};

window_lines measure_windows(pt2pt_driver& d, point at, measured const& measure) {
    auto const size = first_cell(std::to_string(at.size));
    window_lines found{size, size};
    for (auto const window : varied_windows) {
        at.window = window;
        auto const r = measure(at);
        found.bandwidth += cell(fixed(shown(metric::rate, r, r.over_ranks.mean), 0));
        found.rate += cell(fixed(sonde::message_rate(r, r.over_ranks.mean), 0));
        found.good = d.record(at, r) && found.good;
    }
    return found;
}

/// `-V`: a table of MB/s whose columns are windows, and below it a table of messages per second.
void sweep_windows(pt2pt_driver& d, datatype const& type, measured const& measure) {
    d.table().datatype(type.name);
    d.table().line(head());
    std::vector<std::string> rates;
    d.each_size(type, [&](point const& at) {
        auto const lines = measure_windows(d, at, measure);
        d.table().line(lines.bandwidth);
        rates.push_back(lines.rate);
        return lines.good;
    });
    if (!d.options().print_rate) return;
    d.table().line("\n# Message Rate Profile");
    d.table().line(head());
    for (auto const& line : rates) d.table().line(line);
}

void sweep_message_rate(pt2pt_driver& d) {
    auto const pairs = announce_pairs(d);
    auto const pair = sonde::pair_of(d.world().rank(), pairs);
    window_reply reply{d.world(), pair.peer};
    sweep_plan const plan{.iterations = 100, .warmup = 10, .large = {100, 10}, .synchronize = before_each_iteration};
    auto const measure = [&](point const& at) {
        return d.run(at, plan, [&](auto out, auto in, auto path) {
            sonde::mpi::async_link link{d.world(), pair.peer, 100, at.elements()};
            return sonde::stream{
                path(std::move(link)),      pair.role, at.window, out, in, reply.link(), reply.buffer(),
                sonde::overlapping_receives};
        });
    };
    if (!d.options().vary_window) return d.each_point([&](point const& at) { return d.report(at, measure(at)); });
    for (auto const& type : d.types()) sweep_windows(d, type, measure);
}

} // namespace

suite::named_program message_rate_program() {
    return named({.name = "osu_mbw_mr",
                  .title = "OSU MPI Multiple Bandwidth / Message Rate Test",
                  .moved_by = mpi_library,
                  .accepted = latency_options | option_set{option_name::window_size, option_name::pairs,
                                                           option_name::print_rate, option_name::vary_window},
                  .shows = metric::rate,
                  .needs = ranks::at_least_two,
                  .style = {.blank_line = false, .suffixed = false}},
                 {.initiator_receives = false}, sweep_message_rate);
}

} // namespace osu
