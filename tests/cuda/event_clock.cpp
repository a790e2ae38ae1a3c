// SPDX-License-Identifier: BSL-1.0
#include "support.hpp"

#include <cstddef>
#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>

using namespace fake_cuda;
using sonde::cuda::device_memory;
using sonde::cuda::event_clock;
using sonde::cuda::without_completion;

namespace {

/// A copy on the device, enqueued in the stream and completed by a wait for the stream.
struct copying {
    sonde::cuda::stream const& on;
    std::byte *to, *from;

    void operator()() const { CHECK(cudaMemcpyAsync(to, from, 1000, cudaMemcpyDeviceToDevice, on) == cudaSuccess); }
    void complete() const { on.synchronize(); }
};

/// Two regions of a device, a stream and its clock. A copy of a thousand bytes lasts 7 us, a call 1 us of the host.
struct device : one_device {
    sonde::single_rank group;
    sonde::allocation<device_memory> to{1000}, from{1000};
    sonde::cuda::stream stream;
    copying copy{stream, to.bytes().data(), from.bytes().data()};
    event_clock clock{stream};
    times started_at;

    device() { fake::costs({.call_ns = 1000, .copy_per_byte_ns = 7}); }
    auto plan(std::size_t samples) const {
        return sonde::plan<>{}.warmup(1).until(sonde::samples{samples}).synchronized(sonde::no_sync{}).timed_by(clock);
    }
};

/// A pattern with all hooks but completion.
struct pattern_with_hooks {
    int *warm, *in_role_of;
    void operator()() const {}
    void after_warmup() const { ++*warm; }
    template <class F>
    void in_role(F f) const {
        ++*in_role_of;
        f([] {});
    }
    sonde::role role() const { return sonde::role::idle; }
    sonde::traffic traffic() const { return {10, 2, 3}; }
};

/// A rule that uses the time, so that a time point is held during sampling.
struct for_long {
    static constexpr bool uniform = false;
    std::size_t next(std::size_t) const { return 10; }
    sonde::decision operator()(sonde::progress const& l) const { return {l.elapsed > sonde::seconds{1e-3}, {}}; }
};

} // namespace

TEST_CASE_FIXTURE(device, "a batch of copies lasts the stream's time: the first launch, then one copy after another") {
    auto const r = sonde::run(group, plan(3).batch(5), [this] { copy(); });
    CHECK(ns(r.series) == times{7200, 7200, 7200}); // (1000 + 5 * 7000) / 5
}

TEST_CASE_FIXTURE(device, "the time of one copy includes the launch, which hardly shows in a long batch") {
    CHECK(ns(sonde::run(group, plan(1), [this] { copy(); }).series) == times{8000});
    CHECK(ns(sonde::run(group, plan(1).batch(1000), [this] { copy(); }).series) == times{7001});
}

TEST_CASE_FIXTURE(device, "host work during the stream's operations is not in the sample") {
    auto const busy = [this] {
        copy();
        fake::advance(5000);
    };
    CHECK(ns(sonde::run(group, plan(1).batch(5), busy).series) == times{7200});
}

TEST_CASE_FIXTURE(device,
                  "completion and the last launch are in the sample, unless the pattern is without_completion") {
    CHECK(ns(sonde::run(group, plan(1).batch(5), copy).series) == times{7400});
    CHECK(ns(sonde::run(group, plan(1).batch(5), without_completion{copy}).series) == times{7200});
}

TEST_CASE_FIXTURE(device, "samples do not overlap: a sample begins when the stream has finished the one before") {
    (void)sonde::run(group, plan(2).warmup(0),
                     without_completion{[this] { copy(), started_at.push_back(fake::now()); }});
    CHECK(started_at.at(1) - started_at.at(0) == 10'000); // two launches, the copy, the query of its time
}

TEST_CASE_FIXTURE(device, "without_completion: role, traffic, warm-up and the hooks by role are the pattern's") {
    int warm = 0, in_role_of = 0;
    without_completion pattern{pattern_with_hooks{&warm, &in_role_of}};
    CHECK(sonde::role_of(pattern) == sonde::role::idle);
    CHECK(sonde::traffic_of(pattern).bytes == 10);
    (void)sonde::run(group, plan(3).warmup(0).batch(4), pattern);
    CHECK(warm == 1);
    CHECK(in_role_of == 3);
}

TEST_CASE_FIXTURE(device, "no event is created after the clock, for any use of its time points") {
    auto const before = count("cudaEventCreate");
    (void)sonde::run(group, plan(50).batch(2), [this] { copy(); });
    (void)sonde::run(group, plan(1).until(for_long{}), [this] { copy(); });
    CHECK(count("cudaEventCreate") == before);
}

TEST_CASE_FIXTURE(device, "time points that are all kept have events of their own") {
    std::vector<sonde::cuda::time_point> kept;
    fake::costs({});
    for (int i = 0; i != 20; ++i) {
        kept.push_back(clock.now());
        fake::advance(1000);
    }
    for (int i = 1; i != 20; ++i) CHECK(ns(kept[static_cast<std::size_t>(i)] - kept[0]) == 1000 * i);
}

TEST_CASE_FIXTURE(device, "a time point may outlive its clock; all events are destroyed at the end") {
    {
        std::optional<event_clock> brief{clock};
        auto const begin = brief->now();
        copy();
        auto const end = brief->now();
        brief.reset();
        clock = event_clock{stream};
        CHECK(ns(end - begin) == 8000);
    }
    CHECK(count("cudaEventCreate") == 16);
    CHECK(count("cudaEventDestroy") == 8);
}

TEST_CASE_FIXTURE(device, "the clock measures its properties by a few hundred readings, once for all copies") {
    auto const read = count("cudaEventRecord");
    auto const r = sonde::run(group, plan(1), [this] { copy(); });
    CHECK(ns(r.clock_properties.cost) == 1000);
    CHECK(ns(r.clock_properties.bias) == 1000);
    CHECK(count("cudaEventRecord") - read < 1000);
    auto const first = count("cudaEventRecord");
    auto const copied = clock;
    CHECK(ns(copied.properties().bias) == 1000);
    (void)sonde::run(group, plan(1).warmup(0), [this] { copy(); });
    CHECK(count("cudaEventRecord") - first == 2);
}

TEST_CASE_FIXTURE(device, "elapsed waits for a time point of another stream, too") {
    sonde::cuda::stream other;
    event_clock const slow{other};
    fake_cuda_enqueue(
        other, [] {}, 50'000);
    auto const there = slow.now();
    auto const here = clock.now();
    CHECK(ns(here - there) == -48'000); // the second call, while the other stream works
}

TEST_CASE_FIXTURE(device, "a time point that was never recorded, or failed, throws") {
    auto const begin = clock.now();
    fake::fail("cudaEventElapsedTime", cudaErrorLaunchFailure);
    auto const end = clock.now();
    CHECK(thrown([&] { static_cast<void>(end - begin); }) == "cudaEventElapsedTime: unspecified launch failure");
    start();
    CHECK_THROWS_AS(static_cast<void>(end - sonde::cuda::time_point{}), std::logic_error);
    CHECK_THROWS_AS(static_cast<void>(sonde::cuda::time_point{} - end), std::logic_error);
    sonde::cuda::time_point const unrecorded{std::make_shared<sonde::cuda::event const>()};
    CHECK(thrown([&] { static_cast<void>(unrecorded - unrecorded); }) ==
          "cudaEventElapsedTime: invalid resource handle");
}
