// SPDX-License-Identifier: BSL-1.0
// A program whose benchmarks take a fixed time and log their runs on standard error, so that the results of the IMB
// programs' driver are exact.
#include "imb/driver/component.hpp"
#include "imb/driver/setting.hpp"
#include "suite/refusal.hpp"

#include <chrono>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <thread>

namespace {

using namespace std::chrono_literals;
using imb::benchmark, imb::columns, imb::family, imb::result, imb::setting, imb::work;

char const* mode_of(setting const& s) {
    return s.mode == imb::mode::aggregate ? " aggregate" : s.mode == imb::mode::non_aggregate ? " non_aggregate" : "";
}

void note(setting const& s, char const* what, std::size_t n) {
    if (s.group.rank() != 0) return;
    std::fprintf(stderr, "%s %zu group %d%s: %s %zu%s\n", s.test.name.c_str(), s.bytes, s.group_number, mode_of(s),
                 what, n, s.all_groups == nullptr ? "" : " together");
}

/// 50 ms in group 0, 100 ms in group 1, which are recorded and do not pass: the time-outs that follow from them are far
/// longer than a run takes.
sonde::record steady(setting const& s, char const* part = nullptr, sonde::seconds unit = 50ms) {
    sonde::record r;
    r.point = s.point(part);
    r.ranks = r.initiators = s.group.size();
    auto const t = unit * (s.group_number + 1);
    r.over_ranks = {t, t, t};
    r.series = {t};
    r.rank_means.assign(static_cast<std::size_t>(s.group.size()), t);
    return r;
}

work steady_work(setting& s) {
    return {[&s](std::size_t n) {
        note(s, "measure", n);
        return result{steady(s), {}, {}};
    }};
}

work at_four_bytes(setting& s, void (*happens)(setting&)) {
    return {[&s, happens](std::size_t n) {
        if (s.bytes == 4 && n > 1) happens(s);
        return result{steady(s), {}, {}};
    }};
}

work failing(setting& s) {
    return at_four_bytes(s, [](setting& at) {
        if (at.group.rank() == 1) throw std::runtime_error{"the fourth byte"};
        at.group.barrier();
    });
}

work refusing(setting& s) {
    return at_four_bytes(s, [](setting&) { throw suite::refusal{"No room for four bytes"}; });
}

/// Longer than the time limit of a size, on the last rank.
work late(setting& s) {
    return at_four_bytes(s, [](setting& at) {
        if (at.group.rank() == at.group.size() - 1) std::this_thread::sleep_for(1500ms);
    });
}

work wrong(setting& s) {
    auto does = steady_work(s);
    does.defects = [&s] { return s.bytes == 4 && s.group_number == s.group.size() - 2 ? 0.25 : 0.0; };
    return does;
}

/// A repetition that takes ten times its recorded time.
work hidden(setting& s) {
    return {[&s](std::size_t n) {
        note(s, "measure", n);
        std::this_thread::sleep_for(n * 10ms);
        return result{steady(s, "pure", 1ms), steady(s, "overlap", 1ms), steady(s, "work", 1ms)};
    }};
}

benchmark named(char const* name, work (*make)(setting&), family kind = family::parallel_transfer,
                columns shows = columns::range_bandwidth) {
    benchmark test;
    test.name = name;
    test.kind = kind;
    test.shows = shows;
    test.make = make;
    test.needs = [](std::size_t s, std::size_t) { return imb::lengths{s, s}; };
    return test;
}

benchmark needing(char const* name, imb::lengths (*needs)(std::size_t, std::size_t)) {
    auto test = named(name, steady_work, family::collective, columns::range);
    test.needs = needs;
    return test;
}

benchmark in_modes() {
    auto test = named("Modes", steady_work, family::single_transfer, columns::time_bandwidth);
    test.modes = {imb::mode::non_aggregate, imb::mode::aggregate};
    return test;
}

} // namespace

int main(int argc, char** argv) {
    imb::component about;
    about.program = "IMB-MPI1";
    about.part = "MPI-1 part";
    about.tests = {named("Steady", steady_work),
                   named("Fails", failing),
                   named("Refuses", refusing),
                   named("Late", late),
                   named("Wrong", wrong),
                   named("Hidden", hidden, family::collective, columns::overlap),
                   needing("Hungry",
                           [](std::size_t s, std::size_t ranks) {
                               return imb::lengths{s == 8 ? ranks << 28 : s, s};
                           }),
                   needing("Countless",
                           [](std::size_t s, std::size_t ranks) {
                               return imb::lengths{ranks << 30, s};
                           }),
                   in_modes()};
    return imb::launch(argc, argv, about);
}
