// SPDX-License-Identifier: BSL-1.0

// The calls of OpenSHMEM that patterns make, with their arguments, beside those of a loop by hand. The functions below
// replace those of the library, which has each under a second name (pshmem_...).

#include <doctest/doctest.h>

#include <sonde/group.hpp>
#include <sonde/measure/run.hpp>
#include <sonde/pattern/one_sided.hpp>
#include <sonde/shmem.hpp>

#include <pshmem.h>
#include <shmem.h>

#include <cstddef>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

using namespace sonde::shmem;
using sonde::role;

namespace {

/// A call: its name, and its arguments as numbers.
using call = std::pair<char const*, std::vector<long>>;
std::vector<call> made;
bool recording = false;

long number(void const* p) { return reinterpret_cast<long>(p); }
template <class T>
    requires(!std::is_pointer_v<T>)
long number(T n) {
    return static_cast<long>(n);
}
void record(char const* name, auto... arguments) {
    if (recording) made.push_back({name, {number(arguments)...}});
}

/// The calls that f() makes.
std::vector<call> calls_of(auto f) {
    made.clear();
    recording = true;
    f();
    recording = false;
    return made;
}

} // namespace

extern "C" {

#define FUNCTION(result, name, parameters, ...)                                                                        \
    result shmem_##name parameters {                                                                                   \
        record(#name, __VA_ARGS__);                                                                                    \
        return pshmem_##name(__VA_ARGS__);                                                                             \
    }
FUNCTION(void, putmem, (void* to, void const* from, size_t n, int pe), to, from, n, pe)
FUNCTION(void, getmem, (void* to, void const* from, size_t n, int pe), to, from, n, pe)
FUNCTION(void, putmem_nbi, (void* to, void const* from, size_t n, int pe), to, from, n, pe)
FUNCTION(void, getmem_nbi, (void* to, void const* from, size_t n, int pe), to, from, n, pe)
FUNCTION(void, ctx_putmem, (shmem_ctx_t c, void* to, void const* from, size_t n, int pe), c, to, from, n, pe)
FUNCTION(void, ctx_quiet, (shmem_ctx_t c), c)
FUNCTION(void, ctx_fence, (shmem_ctx_t c), c)
FUNCTION(long, long_atomic_fetch_add, (long* to, long value, int pe), to, value, pe)
FUNCTION(void, int_atomic_inc, (int* to, int pe), to, pe)
FUNCTION(void, broadcast32,
         (void* to, void const* from, size_t n, int root, int start, int stride, int size, long* sync), to, from, n,
         root, start, stride, size, sync)
FUNCTION(void, fcollect64, (void* to, void const* from, size_t n, int start, int stride, int size, long* sync), to,
         from, n, start, stride, size, sync)
FUNCTION(void, float_sum_to_all,
         (float* to, float const* from, int n, int start, int stride, int size, float* work, long* sync), to, from, n,
         start, stride, size, work, sync)
FUNCTION(void, double_max_to_all,
         (double* to, double const* from, int n, int start, int stride, int size, double* work, long* sync), to, from,
         n, start, stride, size, work, sync)
FUNCTION(void, barrier, (int start, int stride, int size, long* sync), start, stride, size, sync)
FUNCTION(void, sync, (int start, int stride, int size, long* sync), start, stride, size, sync)
#undef FUNCTION
void shmem_quiet() {
    record("quiet");
    pshmem_quiet();
}
void shmem_fence() {
    record("fence");
    pshmem_fence();
}
void shmem_barrier_all() {
    record("barrier_all");
    pshmem_barrier_all();
}

} // extern "C"

namespace {

constexpr std::size_t bytes = 8, window = 5;

/// Checks that one iteration of a pattern makes the calls of `by_hand`, and that n iterations between two readings of
/// the clock make n times as many, and no other.
void check_calls(auto pattern, auto by_hand) {
    auto const expected = calls_of(by_hand);
    CHECK(calls_of(pattern) == expected);
    sonde::single_rank alone;
    auto const plan = sonde::plan<>{}.warmup(2).batch(3).until(sonde::samples{4}).synchronized(sonde::no_sync{});
    auto const all = calls_of([&] { (void)sonde::run(alone, plan, pattern); });
    CHECK(all.size() == (2 + 3 * 4) * expected.size());
}

} // namespace

TEST_CASE("transfers and epochs make the calls of a loop by hand") {
    symmetric_allocation const from{bytes * window}, into{bytes * window};
    auto const pe = (shmem_my_pe() + 1) % shmem_n_pes();
    auto* const to = into.bytes().data();
    auto* const own = from.bytes().data();
    auto const each = [](auto call) {
        for (std::size_t i = 0; i != window; ++i) call(i * bytes);
    };
    check_calls(sonde::rma{quiet{}, role::initiator, window, put{pe, into.bytes(), from.bytes(), bytes}}, [&] {
        each([&](std::size_t at) { shmem_putmem(to + at, own + at, bytes, pe); });
        shmem_quiet();
    });
    check_calls(sonde::rma{fence{}, role::initiator, window, put_nbi{pe, into.bytes(), from.bytes(), bytes}}, [&] {
        each([&](std::size_t at) { shmem_putmem_nbi(to + at, own + at, bytes, pe); });
        shmem_fence();
    });
    check_calls(sonde::rma{no_completion{}, role::initiator, window, get{pe, into.bytes(), from.bytes(), bytes}},
                [&] { each([&](std::size_t at) { shmem_getmem(own + at, to + at, bytes, pe); }); });
    check_calls(sonde::rma{quiet{}, role::initiator, 1, get_nbi{pe, into.bytes(), from.bytes(), bytes}}, [&] {
        shmem_getmem_nbi(own, to, bytes, pe);
        shmem_quiet();
    });
    context const c;
    check_calls(sonde::rma{quiet{context_ref{c}}, role::initiator, window,
                           put{pe, into.bytes(), from.bytes(), bytes, context_ref{c}}},
                [&] {
                    each([&](std::size_t at) { shmem_ctx_putmem(c.handle(), to + at, own + at, bytes, pe); });
                    shmem_ctx_quiet(c.handle());
                });
    check_calls(sonde::rma{fence{context_ref{c}}, role::initiator, window,
                           put{pe, into.bytes(), from.bytes(), bytes, context_ref{c}}},
                [&] {
                    each([&](std::size_t at) { shmem_ctx_putmem(c.handle(), to + at, own + at, bytes, pe); });
                    shmem_ctx_fence(c.handle());
                });
    shmem_barrier_all();
}

TEST_CASE("targets and idle PEs make no calls; barrier_all is of all of them") {
    symmetric_allocation const memory{bytes};
    put const one{0, memory.bytes(), memory.bytes(), bytes};
    for (auto const who : {role::responder, role::idle}) {
        check_calls(sonde::rma{quiet{}, who, 1, one}, [] {});
        check_calls(sonde::rma{fence{}, who, 1, one}, [] {});
        check_calls(sonde::rma{barrier_all{}, who, 1, one}, [] { shmem_barrier_all(); });
    }
    check_calls(sonde::rma_ping_pong{barrier_all{}, role::responder, 1, one}, [&] {
        shmem_barrier_all();
        shmem_putmem(memory.bytes().data(), memory.bytes().data(), bytes, 0);
        shmem_barrier_all();
    });
}

TEST_CASE("atomic operations make the calls of a loop by hand") {
    symmetric_array<long> longs{window};
    symmetric_array<int> ints{window};
    std::vector<long> results(window);
    auto const pe = (shmem_my_pe() + 1) % shmem_n_pes();
    check_calls(
        sonde::rma{no_completion{}, role::initiator, window, fetch_add{pe, longs.elements(), 3, std::span{results}}},
        [&] {
            for (auto& e : longs.elements()) shmem_long_atomic_fetch_add(&e, 3, pe);
        });
    check_calls(sonde::rma{quiet{}, role::initiator, window, inc{pe, ints.elements()}}, [&] {
        for (auto& e : ints.elements()) shmem_int_atomic_inc(&e, pe);
        shmem_quiet();
    });
    shmem_barrier_all();
}

#if !SONDE_SHMEM_TEAMS

namespace {

/// The sync array of a call, its last argument.
long sync_of(call const& c) { return c.second.back(); }

/// The calls of some iterations without their sync arrays, and reductions without their work arrays.
std::vector<call> without_work(std::vector<call> calls, std::size_t work_arguments) {
    for (auto& [name, arguments] : calls) arguments.resize(arguments.size() - work_arguments);
    return calls;
}

} // namespace

TEST_CASE("collectives make one call each, with two sync arrays in turn") {
    group ranks;
    symmetric_allocation const from{1024}, into{4096};
    sonde::slice const out{from.bytes()}, in{into.bytes()};
    auto const pes = shmem_n_pes();
    blocking all{fcollect<double>{ranks, 4}, out, in};
    auto const calls = calls_of([&] {
        for (int i = 0; i != 4; ++i) all();
    });
    shmem_barrier_all();
    call const expected{"fcollect64", {number(into.bytes().data()), number(from.bytes().data()), 4, 0, 0, pes}};
    CHECK(without_work(calls, 1) == std::vector<call>(4, expected));
    CHECK((sync_of(calls[0]) == sync_of(calls[2]) && sync_of(calls[1]) == sync_of(calls[3])));
    CHECK(sync_of(calls[1]) - sync_of(calls[0]) >= static_cast<long>(SHMEM_COLLECT_SYNC_SIZE * sizeof(long)));

    blocking sums{reduce<float, sum>{ranks, 9}, out, in};
    auto const reductions = calls_of([&] {
        for (int i = 0; i != 3; ++i) sums();
    });
    shmem_barrier_all();
    auto const work = [](call const& c) { return c.second[6]; };
    REQUIRE(reductions.size() == 3);
    CHECK((work(reductions[0]) == work(reductions[2]) && work(reductions[1]) - work(reductions[0]) >= 5 * 4));
    CHECK(sync_of(reductions[0]) != sync_of(reductions[1]));
}

TEST_CASE("a reduction of a group is one call for 512 values, on other symmetric arrays than the one before") {
    group ranks;
    std::vector<double> values(513);
    auto const calls = calls_of([&] {
        ranks.all_reduce(values, sonde::reduction::max);
        ranks.all_reduce(std::span{values}.first(2), sonde::reduction::max);
    });
    ranks.barrier();
    REQUIRE(calls.size() == 3);
    std::vector<long> const counts{calls[0].second[2], calls[1].second[2], calls[2].second[2]};
    CHECK(counts == std::vector<long>{512, 1, 2});
    for (std::size_t const argument : {0UL, 1UL, 6UL, 7UL}) { // all but those of the set and the number
        CHECK(calls[0].second[argument] != calls[1].second[argument]);
        CHECK(calls[0].second[argument] == calls[2].second[argument]);
        CHECK(shmem_addr_accessible(reinterpret_cast<void*>(calls[0].second[argument]), shmem_n_pes() - 1) == 1);
    }
}

TEST_CASE("the barrier of a group completes transfers: it is a barrier of OpenSHMEM") {
    group all, one{active_set{0, 0, 1}};
    if (shmem_n_pes() > 1 && one.rank() == 0) {
        auto const calls = calls_of([&] { one.barrier(); });
        REQUIRE(calls.size() == 1);
        CHECK(without_work(calls, 1)[0] == call{"barrier", {0, 0, 1}});
    }
    CHECK(calls_of([&] { all.barrier(); }) == std::vector<call>{{"barrier_all", {}}});
}

TEST_CASE("a broadcast has 64 sync arrays, and one synchronization before their reuse") {
    group ranks;
    symmetric_allocation const both{64};
    blocking one{broadcast<int>{ranks, 16}, sonde::slice{both.bytes()}};
    auto const calls = calls_of([&] {
        for (int i = 0; i != 130; ++i) one();
    });
    REQUIRE(calls.size() == 132);
    CHECK(calls[63].first == std::string{"broadcast32"});
    CHECK((calls[64].first == std::string{"sync"} && calls[129].first == std::string{"sync"}));
    CHECK(sync_of(calls[65]) == sync_of(calls[0]));
    for (std::size_t i = 1; i != 65; ++i) CHECK(sync_of(calls[i]) != sync_of(calls[0]));
    shmem_barrier_all();
}

TEST_CASE("in a run, broadcasts are synchronized outside of the samples") {
    group ranks;
    symmetric_allocation const both{64};
    blocking one{broadcast<int>{ranks, 16}, sonde::slice{both.bytes()}};
    auto const plan = sonde::plan<>{}.warmup(0).batch(30).until(sonde::samples{5}).synchronized(sonde::no_sync{});
    sonde::single_rank alone;
    auto const calls = calls_of([&] { (void)sonde::run(alone, plan, one); });
    REQUIRE(calls.size() == 5 * 31);
    for (std::size_t i = 0; i != calls.size(); ++i)
        CHECK(calls[i].first == std::string{i % 31 == 30 ? "sync" : "broadcast32"});
    shmem_barrier_all();
}

#endif
