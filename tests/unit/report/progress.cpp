// SPDX-License-Identifier: BSL-1.0
#include <sonde/report/progress.hpp>
#include <sonde/report/table.hpp>
#include <sonde/sim/clock.hpp>

#include <doctest/doctest.h>

#include <chrono>
#include <string>

#include "support.hpp"

using namespace std::chrono_literals;
using reports::example;

namespace {

struct screen_in_memory {
    reports::memory_file out;
    sonde::sim::virtual_time time;
    sonde::sim::manual_clock clock{time};

    auto progress(bool is_terminal = true) {
        return sonde::progress_line{23, sonde::null_reporter{}, sonde::progress_stream{out.get(), is_terminal}, clock};
    }
};

} // namespace

TEST_CASE_FIXTURE(screen_in_memory, "progress_line: nothing is printed in the first two seconds") {
    {
        auto report = progress();
        report(example());
        clock.advance(1999ms);
        report(example());
    }
    CHECK(out.text().empty());
}

TEST_CASE_FIXTURE(screen_in_memory,
                  "progress_line: after two seconds one line is rewritten after every record, and erased at the end") {
    std::string const first = "\r[ 1/23] ping_pong bytes=8 link=ssend  2 s",
                      second = "\r[ 2/23] ping_pong bytes=16 link=ssend  12 s";
    {
        auto report = progress();
        clock.advance(2s);
        report(example(8));
        CHECK(out.text() == first);
        clock.advance(10s);
        report(example(16));
        CHECK(out.text() == first + '\r' + std::string(first.size() - 1, ' ') + '\r' + second);
    }
    CHECK(out.text() == first + '\r' + std::string(first.size() - 1, ' ') + '\r' + second + '\r' +
                            std::string(second.size() - 1, ' ') + '\r');
}

TEST_CASE_FIXTURE(screen_in_memory, "progress_line: nothing is printed if the stream is no terminal") {
    {
        auto report = progress(false);
        clock.advance(60s);
        report(example());
    }
    CHECK(out.text().empty());
}

TEST_CASE_FIXTURE(screen_in_memory, "progress_line: another reporter writes to a line of its own") {
    sonde::column const one{"x", [](auto const&) { return 1; }};
    auto r = example();
    r.point = {"", {}};
    {
        sonde::progress_line report{9, sonde::table{out.get(), {one}}, sonde::progress_stream{out.get(), true}, clock};
        clock.advance(3s);
        report(r);
        report(r);
    }
    std::string const erased = '\r' + std::string(11, ' ') + '\r';
    CHECK(out.text() == "        x\n        1\n\r[1/9]   3 s" + erased + "        1\n\r[2/9]   3 s" + erased);
}

TEST_CASE_FIXTURE(screen_in_memory, "progress_line: a moved or too long line is erased once, and completely") {
    auto r = example();
    r.point.name = std::string(200, 'x');
    {
        auto report = progress();
        clock.advance(2s);
        report(r);
        auto moved = std::move(report);
    }
    CHECK(out.text() == "\r[ 1/23] " + std::string(71, 'x') + '\r' + std::string(79, ' ') + '\r');
}
