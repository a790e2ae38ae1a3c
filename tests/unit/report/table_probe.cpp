// SPDX-License-Identifier: BSL-1.0
#include "../probe/support.hpp"

#include <sonde/report/table.hpp>

#include <doctest/doctest.h>

#include <cstdio>
#include <string>
#include <vector>

using namespace unit;

namespace {

/// The text that `write(file)` writes.
template <class Write>
std::string written_text(Write write) {
    auto* const file = std::tmpfile();
    write(file);
    std::rewind(file);
    std::string text(10'000, ' ');
    text.resize(std::fread(text.data(), 1, text.size(), file));
    std::fclose(file);
    return text;
}

std::string shown(std::vector<sonde::scope_record> const& found) {
    return written_text([&](std::FILE* file) { sonde::probe_table{file}(found); });
}

/// Passes of 10 us except one, on two ranks, the second with twice as many; a nested scope; one without passes.
std::vector<sonde::scope_record> two_ranks(std::size_t bytes, bool reference) {
    auto const body = [&](process& self) {
        probe_of_time probe{self.clock()};
        auto& step = probe.scope("step");
        auto& halo = step.scope("halo", {.bytes = bytes});
        probe.scope("output");
        for (int i = 0; i != 200 * (self.rank() + 1); ++i) {
            auto const whole = step.enter();
            auto const pass = halo.enter();
            self.work(i == 100 ? 31us : 10us);
        }
        self.work(1ms);
        if (reference) halo.set_reference([&self] { return working{&self, role::initiator, {5us}}; });
        auto group = self.group();
        auto found = sonde::collect(group, probe);
        sonde::measure_references(group, probe, found);
        return found;
    };
    return on_ranks(2, {}, body).front();
}

} // namespace

TEST_CASE("probe_table: a row a scope, in their order, with nested ones indented") {
    CHECK(shown(two_ranks(4000, true)) == "scope   passes  ranks  median us  p99 us  max us  s per rank    share  "
                                          "max/mean  slowest  mean bytes   MB/s  efficiency\n"
                                          "step       600      2       10.0    10.0    31.0     0.00302   75.1 %  "
                                          "    1.33        1           -      -           -\n"
                                          "  halo     600      2       10.0    10.0    31.0     0.00302  100.0 %  "
                                          "    1.33        1        4000  400.0        50 %\n"
                                          "output       0      0          -       -       -           -        -  "
                                          "       -        -           -      -           -\n");
}

TEST_CASE("probe_table: the bytes of a scope that differ between ranks are a mean, and the title says so") {
    auto const uneven = on_ranks(2, {}, [](process& self) {
        probe_of_time probe{self.clock()};
        auto& halo = probe.scope("halo", {.bytes = self.rank() == 0 ? 3000u : 1000u});
        for (int i = 0; i != 3 - 2 * self.rank(); ++i) {
            auto const pass = halo.enter();
            self.work(10us);
        }
        auto group = self.group();
        return sonde::collect(group, probe);
    });
    auto const text = shown(uneven.front());
    CHECK(text.find("  mean bytes  ") != std::string::npos);
    CHECK(text.find("        2500  ") != std::string::npos); // three passes of 3000, one of 1000
}

TEST_CASE("probe_table: empty columns are left out") {
    CHECK(
        shown(two_ranks(0, false))
            .starts_with("scope   passes  ranks  median us  p99 us  max us  s per rank    share  max/mean  slowest\n"));
}

TEST_CASE("table: the scopes of a probe are a table of their own") {
    auto const found = two_ranks(4000, false);
    sonde::record r;
    r.point.name = "ring";
    r.initiators = 1;
    r.series.assign(8, sonde::seconds{1us});
    auto const one = written_text([&](std::FILE* file) { sonde::table{file}(r); });
    auto const all = written_text([&](std::FILE* file) {
        sonde::table report{file};
        report(r);
        report(found);
        report(r);
    });
    CHECK(all == one + '\n' + shown(found) + '\n' + one);
}

TEST_CASE("probe_table: without scopes it is a header") {
    auto const text = shown({});
    CHECK(text.starts_with("scope  passes  ranks"));
    CHECK(text.find('\n') == text.size() - 1);
}
