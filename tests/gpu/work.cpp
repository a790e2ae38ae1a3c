// SPDX-License-Identifier: BSL-1.0
#include "suite/gpu_work.hpp"

#include "copy.hpp"

#include "fake/control.hpp"

#include <sonde/cuda.hpp>
#include <sonde/measure/overlap.hpp>
#include <sonde/sonde.hpp>

#include <doctest/doctest.h>

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

using namespace std::chrono_literals;
using std::chrono::nanoseconds;

namespace {

/// The host's clock, in virtual time.
struct host_clock {
    nanoseconds now() const { return nanoseconds{fake::now()}; }
    sonde::clock_properties properties() const { return {}; }
};

/// Changes the device's speed at its tenth reading, after launch and wait alone have been timed.
struct changing_clock : host_clock {
    fake::cost then;
    int* reads;
    nanoseconds now() const {
        if (++*reads == 10) fake::costs(then);
        return host_clock::now();
    }
};

/// Host work of the requested duration, with a test in the middle.
struct host_work {
    nanoseconds requested{};
    void set_duration(sonde::seconds t) { requested = std::chrono::round<nanoseconds>(t); }
    void operator()(auto& test) const {
        fake::advance(requested.count() / 2);
        test();
        fake::advance(requested.count() - requested.count() / 2);
    }
};

template <class Host>
auto work_of(Host host) {
    return gpu::work<Host, host_clock>{host};
}

void begin(fake::cost const& what) {
    fake::reset();
    fake::use_virtual_time();
    fake::costs(what);
}

template <class F>
nanoseconds duration(F f) {
    auto const begin = fake::now();
    f();
    return nanoseconds{fake::now() - begin};
}

nanoseconds alone(auto& work) {
    sonde::no_test test;
    return duration([&] { work(test); });
}

constexpr fake::cost usual{.call_ns = 300, .kernel_ns = 2000};

} // namespace

TEST_CASE("device work: launch, kernel and wait last the requested duration, to the nanosecond") {
    begin(usual);
    auto work = work_of(gpu::tests{});
    for (auto const target : {nanoseconds{3000}, nanoseconds{20'001}, nanoseconds{1'234'567}}) {
        work.set_duration(target);
        CHECK(alone(work) == target);
    }
}

TEST_CASE("device work: a duration shorter than launch and wait makes an empty kernel") {
    begin(usual);
    auto work = work_of(gpu::tests{});
    auto const least = alone(work);
    work.set_duration(20us);
    work.set_duration(least / 2);
    CHECK(work.nanoseconds() == 0);
    CHECK(alone(work) == least);
}

TEST_CASE("device work: all tests are made while the kernel runs") {
    begin(usual);
    auto work = work_of(gpu::tests{3});
    work.set_duration(20us);
    std::vector<std::string> calls;
    auto test = [&] {
        calls = fake::calls();
        fake::advance(1000);
        return true;
    };
    auto const before = fake::calls().size();
    CHECK(duration([&] { work(test); }) == 20us);
    CHECK(calls.size() == before + 1); // the launch alone until the last test
    CHECK(calls.back().starts_with("cudaLaunchKernel"));
    CHECK(fake::calls().back().starts_with("cudaStreamSynchronize"));
}

TEST_CASE("device work: a wrong measurement of launch and wait is corrected") {
    for (auto const kernel_ns : {500, 9000}) {
        begin(usual);
        int reads = 0;
        gpu::work work{gpu::tests{}, changing_clock{{}, {.call_ns = 300, .kernel_ns = kernel_ns}, &reads}};
        work.set_duration(20us);
        CHECK(alone(work) == 20us);
    }
}

TEST_CASE("host and device work: both run at the same time, and neither exceeds the requested duration") {
    begin(usual);
    auto work = work_of(host_work{});
    work.set_duration(50us);
    CHECK(alone(work) == 50us);
    int tests = 0;
    auto test = [&] { return ++tests != 0; };
    CHECK(duration([&] { work(test); }) == 50us);
    CHECK(tests == 1);
}

TEST_CASE("device work: a copy on another stream overlaps with it except for its calls") {
    begin({.copy_per_byte_ns = 10, .kernel_ns = 0});
    sonde::single_rank here;
    sonde::allocation<sonde::cuda::device_memory> from{1000}, to{1000};
    sonde::cuda::stream stream;
    gpu::copy copy{to.bytes(), from.bytes(), stream};
    auto work = work_of(gpu::tests{});
    auto const plan = sonde::plan<>{}.timed_by(host_clock{}).until(sonde::samples{5});
    auto const found = sonde::measure_overlap(here, plan, copy, work);
    CHECK(found.communication.series == std::vector<sonde::seconds>(5, sonde::seconds{10us}));
    CHECK(found.work.series == found.communication.series);
    CHECK(found.both.series == found.communication.series);
    CHECK(sonde::overlap(found) == 1);
}

TEST_CASE("device work: a failed launch throws") {
    begin(usual);
    auto work = work_of(gpu::tests{});
    fake::fail("cudaLaunchKernel", cudaErrorLaunchOutOfResources);
    CHECK_THROWS_AS(alone(work), sonde::cuda::error);
}
