// SPDX-License-Identifier: BSL-1.0

// The examples of docs/reference.md.

#include <sonde/group/threads.hpp>
#include <sonde/measure/compare.hpp>
#include <sonde/measure/type_erasure.hpp>
#include <sonde/memory/pages.hpp>
#include <sonde/report/table.hpp>
#include <sonde/sim.hpp>
#include <sonde/sonde.hpp>

#include <cstring>
#include <functional>
#include <memory_resource>
#include <vector>

#include <doctest/doctest.h>

#include <chrono>
#include <cstddef>
#include <cstdio>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <utility>

namespace {

/// Copies an array, in place of a communication.
struct copying {
    std::vector<std::byte> from = std::vector<std::byte>(4096), to = std::vector<std::byte>(4096);
    void operator()() { std::memcpy(to.data(), from.data(), from.size()); }
};

using unique_stream = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;
unique_stream unread() { return {std::tmpfile(), std::fclose}; }

} // namespace

TEST_CASE("reference: a plan, a point, a record") {
    sonde::single_rank group;
    copying copy;
    // [plan]
    auto const enough = sonde::samples{500} || sonde::time_budget{sonde::seconds{0.2}}; // the first of both
    auto const plan = sonde::plan<>{}
                          .warmup(20)                          // iterations before the first sample
                          .batch(10)                           // iterations per sample
                          .synchronized(sonde::barrier_each{}) // a barrier before each sample
                          .until(enough)                       // number of samples
                          .keep({.rank_means = true});         // optional contents of the record
    sonde::record const r = sonde::run(group, plan, copy, {"copy", {{"bytes", 4096}, {"memory", "host"}}});
    // [/plan]
    CHECK(r.batch == 10);
    CHECK(r.stop.samples == r.series.size());
    CHECK(r.rank_means.size() == 1);
    CHECK(r.point.parameters.at(1).text == "host");
}

TEST_CASE("reference: a rule chosen at run time") {
    sonde::single_rank group;
    copying copy;
    auto const exact = true;
    // [any_rule]
    auto plan = sonde::plan<>{}.until(sonde::any_rule{sonde::samples{100}}); // one type of plan for all rules
    if (exact) plan = plan.until(sonde::relative_error{0.01}.within(sonde::seconds{0.1}));
    auto const r = sonde::run(group, plan, copy);
    // [/any_rule]
    CHECK(r.stop.reason != sonde::stop_reason::none);
}

TEST_CASE("reference: adaptors") {
    copying exchange, pack;
    std::size_t const n = 4096;
    // [adaptors]
    sonde::with_traffic moved{{.bytes = n, .messages = 2}, [&] { exchange(); }}; // the traffic of an iteration
    sonde::with_setup packed{[&] { pack(); }, moved};                            // pack() is inside the sample
    sonde::repeat steps{8, packed}; // an iteration of `steps` is 8 of `packed`
    // [/adaptors]
    CHECK(sonde::traffic_of(steps).bytes == 8 * n);
    CHECK(sonde::traffic_of(steps).messages == 16);
    CHECK(sonde::traffic_of(steps).hops == 8);
    CHECK(sonde::traffic_of(packed).hops == 1);
}

namespace {

/// Memory with state: a memory pool of the application.
class pool_memory {
public:
    static constexpr bool host_accessible = true;
    static constexpr bool device_accessible = false;

    explicit pool_memory(std::pmr::memory_resource& pool) : pool_{&pool} {} // no pool_memory without a pool
    void* allocate(std::size_t n) { return pool_->allocate(n); }
    void deallocate(void* p, std::size_t n) { pool_->deallocate(p, n); }
    void fill(sonde::region bytes, std::byte value) { sonde::host_memory{}.fill(bytes, value); }

private:
    std::pmr::memory_resource* pool_;
};

// Without the pool an allocation does not compile.
static_assert(std::is_constructible_v<sonde::allocation<pool_memory>, std::size_t, pool_memory>);
static_assert(!std::is_default_constructible_v<pool_memory>);

} // namespace

TEST_CASE("reference: allocations") {
    std::pmr::unsynchronized_pool_resource pool;
    std::vector<double> array(1000, 1.0);
    {
        std::size_t const n = 4096, depth = 16; // bytes of a message, messages in flight
        sonde::host_allocation memory{depth * sonde::host_allocation::stride_of(n)};
        memory.fill(std::byte{1});                               // maps the pages
        auto const warm = memory.first(n);                       // the same region for every message
        auto const distinct = memory.distinct_regions(n, depth); // a region for each message in flight

        sonde::allocation<sonde::first_touch_memory<sonde::huge_pages>> near{n};
        auto const pages = near.memory().memory().kind(); // base, transparent or reserved

        sonde::allocation pooled{n, pool_memory{pool}}; // a memory with state is the second argument
        sonde::allocation touched{n, sonde::first_touch_memory{pool_memory{pool}}}; // also in a memory that wraps it
        auto const lent = sonde::borrow(std::span{array}); // an array of the application, restored at the end
        CHECK(warm.size() == n);
        CHECK(distinct.regions() == depth);
        CHECK(pages >= sonde::huge_pages::page_kind::base);
        CHECK(pooled.bytes().size() == n);
        CHECK(touched.bytes().size() == n);
        lent.bytes()[0] = std::byte{255};
    }
    CHECK(array[0] == 1);
}

TEST_CASE("reference: a team of threads") {
    sonde::single_rank process;
    int const threads = 2; // of this process
    std::vector<sonde::record> found(threads);
    sonde::thread_team team{process, threads};
    team.run([&](auto& me) { // on each thread; me is a Group of all threads of all processes
        auto const r = sonde::run(me, sonde::plan<>{}, [] {}, {"empty", {{"threads", threads}}});
        found[static_cast<std::size_t>(me.thread())] = r;
    });
    CHECK(found[0].ranks == threads);
    CHECK(found[0].series == found[1].series);
}

TEST_CASE("reference: columns of a table") {
    sonde::single_rank group;
    copying copy;
    auto const file = unread();
    auto* const output = file.get();
    std::vector<sonde::column> columns{
        {"median us", [](sonde::record const& r) { return sonde::median(r); }, 3},    // times in microseconds
        {"p90 us", [](sonde::record const& r) { return sonde::percentile(r, 0.9); }}, // "-" if it is empty
        {"messages/s", [](sonde::record const& r) { return sonde::message_rate(r); }, 0},
    };
    sonde::table table{output, columns};
    for (auto const n : sonde::sizes(1, 1024)) // 1, 2, 4 ... 1024
        table(sonde::run(group, sonde::plan<>{}, sonde::with_traffic({.bytes = n, .messages = 1}, copy),
                         {"copy", {{"bytes", n}}}));
    CHECK(std::ftell(output) > 0);
}

TEST_CASE("reference: alternatives in a container") {
    sonde::single_rank group;
    copying copy;
    // [alternatives]
    std::vector<std::function<void()>> exchanges{[&] { copy(); }, [&] { copy(), copy(); }};
    sonde::alternatives const set{exchanges.size(), [&](std::size_t i, auto measure) { measure(exchanges[i]); }};
    auto const plan = sonde::plan<>{}.batch(sonde::by_timer).until(sonde::samples{30});
    auto const found = sonde::compare(group, plan, set);
    auto const chosen = sonde::fastest(found, {.gain = 0.02}); // at least 2 % faster than exchanges[0]; otherwise 0
    // [/alternatives]
    CHECK(chosen == 0);
}

TEST_CASE("reference: a ping-pong in virtual time") {
    using namespace std::chrono_literals;
    // LogGP: 1 us of the processor for each send and receive, a latency of 5 us, no gap, 1 ns for each byte.
    sonde::sim::world world{2, {.overhead = 1us, .latency = 5us, .gap = 0us, .gap_per_byte = 1ns}};
    std::vector<sonde::record> found(2);
    world.run([&](sonde::sim::process& self) { // on each rank; a rank is a thread
        auto group = self.group();
        auto const pair = sonde::pair_of(self.rank(), 1);
        sonde::host_allocation const out{1001}, in{1001};
        sonde::ping_pong pattern{self.link(pair.peer), pair.role, out.first(1001), in.first(1001)};
        auto const plan = sonde::plan<>{}.timed_by(self.clock()); // shows the virtual time
        found[static_cast<std::size_t>(self.rank())] = sonde::run(group, plan, pattern);
    });
    auto const one_way = sonde::latency(found[0]); // 8 us in every run: 1 us + 1000 ns + 5 us + 1 us
    CHECK(one_way == sonde::seconds{8us});
    CHECK(found[1].series == found[0].series);
}
