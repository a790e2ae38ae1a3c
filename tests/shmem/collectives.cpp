// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include <sonde/measure/run.hpp>
#include <sonde/shmem/collectives.hpp>
#include <sonde/shmem/reductions.hpp>

#include <shmem.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <stdexcept>
#include <thread>
#include <vector>

using namespace sonde::shmem;

namespace {

constexpr std::size_t n = 7, most_pes = 4;

/// Symmetric send and receive buffers for all operations here.
template <class T>
struct buffers {
    symmetric_array<T> out{4 * n * most_pes}, in{4 * n * most_pes};

    std::span<T> sent() { return out.elements(); }
    std::span<T> received() { return in.elements(); }
    sonde::slice from() { return sonde::slice{std::as_writable_bytes(sent())}; }
    sonde::slice into() { return sonde::slice{std::as_writable_bytes(received())}; }
};

/// The groups of the tests: all PEs, and all but the first one.
std::vector<active_set> sets() {
    std::vector<active_set> found{active_set::all()};
    if (shmem_n_pes() > 1) found.push_back({1, 0, shmem_n_pes() - 1});
    return found;
}

} // namespace

TEST_CASE("many broadcasts in a row: the root does not overtake the others by more than the sync arrays allow") {
    group ranks;
    buffers<int> b;
    blocking all{broadcast<int>{ranks, 1}, b.from(), b.into()};
    for (int i = 0; i != 200; ++i) {
        if (ranks.rank() == ranks.size() - 1 && i % 16 == 0)
            std::this_thread::sleep_for(std::chrono::microseconds{200});
        b.sent()[0] = i;
        all();
    }
    auto const plan = sonde::plan<>{}.batch(70).until(sonde::samples{5});
    CHECK(sonde::run(ranks, plan, all).series.size() == 5);
    if (ranks.rank() != 0) CHECK(b.received()[0] == 199);
    shmem_barrier_all();
}

namespace {

template <class T>
T contribution(int rank, std::size_t i) {
    return static_cast<T>(1 + (rank * 3 + static_cast<int>(i)) % 5);
}

template <class T, class Op>
void check_reduction(Op, auto combine) {
    buffers<T> b;
    for (auto const set : sets()) {
        group ranks{set};
        for (std::size_t i = 0; i != n; ++i) b.sent()[i] = contribution<T>(ranks.rank(), i);
        shmem_barrier_all();
        blocking all{reduce<T, Op>{ranks, n}, b.from(), b.into()};
        if (ranks.rank() >= 0) all();
        for (std::size_t i = 0; i != n && ranks.rank() >= 0; ++i) {
            auto expected = contribution<T>(0, i);
            for (int rank = 1; rank != ranks.size(); ++rank)
                expected = static_cast<T>(combine(expected, contribution<T>(rank, i)));
            CHECK(b.received()[i] == expected);
        }
        shmem_barrier_all();
    }
}

} // namespace

TEST_CASE_TEMPLATE("arithmetic reductions", T, short, int, long, long long, float, double, long double) {
    check_reduction<T>(sum{}, [](T a, T b) { return a + b; });
    check_reduction<T>(prod{}, [](T a, T b) { return a * b; });
    check_reduction<T>(min{}, [](T a, T b) { return std::min(a, b); });
    check_reduction<T>(max{}, [](T a, T b) { return std::max(a, b); });
}

TEST_CASE_TEMPLATE("bitwise reductions", T, short, int, long, long long) {
    check_reduction<T>(bit_and{}, [](T a, T b) { return a & b; });
    check_reduction<T>(bit_or{}, [](T a, T b) { return a | b; });
    check_reduction<T>(bit_xor{}, [](T a, T b) { return a ^ b; });
}

TEST_CASE("a reduction of many elements, in place") {
    group ranks;
    std::size_t const many = 100'000;
    symmetric_array<double> both{many};
    blocking all{reduce<double, sum>{ranks, many}, sonde::slice{std::as_writable_bytes(both.elements())}};
    std::fill(both.elements().begin(), both.elements().end(), ranks.rank() + 1.0);
    ranks.barrier();
    all();
    auto const size = static_cast<double>(ranks.size());
    CHECK(std::count(both.elements().begin(), both.elements().end(), size * (size + 1) / 2) == many);
    CHECK(sonde::traffic_of(all).bytes == many * sizeof(double));
    shmem_barrier_all();
}

TEST_CASE("barrier and sync wait for all PEs of the group; a barrier, also the group's own, delivers puts") {
    symmetric_array<long> cell{1};
    auto* const own = cell.elements().data();
    for (auto const set : sets()) {
        group ranks{set};
        blocking wait{barrier{ranks}};
        blocking meet{sonde::shmem::sync{ranks}};
        auto delivered = true;
        for (int i = 1; i != 50 && ranks.rank() >= 0; ++i) {
            if ((ranks.rank() + i) % 3 == 0) std::this_thread::sleep_for(std::chrono::microseconds{50});
            shmem_long_p(own, i, ranks.pe((ranks.rank() + 1) % ranks.size()));
            if (i % 2 == 0) wait();
            else ranks.barrier();
            delivered = delivered && *static_cast<long volatile*>(own) == i;
            meet();
        }
        CHECK(delivered);
        CHECK(sonde::traffic_of(wait).bytes == 0);
        shmem_barrier_all();
    }
}

TEST_CASE("traffic of collectives") {
    group ranks;
    buffers<int> b;
    auto const size = static_cast<std::size_t>(ranks.size());
    auto const remote = static_cast<double>(size - 1) / static_cast<double>(size);
    auto const of = [&](auto operation) { return sonde::traffic_of(blocking{operation, b.from(), b.into()}); };
    CHECK(of(fcollect<int>{ranks, n}).bytes == size * n * 4);
    CHECK(of(fcollect<int>{ranks, n}).bus_factor == remote);
    CHECK(of(collect<int>{ranks, std::vector<std::size_t>(size, n)}).bytes == size * n * 4);
    CHECK(of(alltoall<int>{ranks, n}).bytes == size * n * 4);
    CHECK(of(alltoalls<int>{ranks, n, 2, 1}).bytes == size * n * 4);
    CHECK(of(broadcast<int>{ranks, n}).bytes == n * 4);
    CHECK(of(reduce<int, sum>{ranks, n}).bus_factor == 2 * remote);
    CHECK(of(broadcast<int>{ranks, n}).shared_by == size);
}

TEST_CASE("bad collectives are refused on all PEs") {
    group ranks;
    buffers<int> b;
    auto const size = static_cast<std::size_t>(ranks.size());
    CHECK_THROWS_AS((collect<int>{ranks, std::vector<std::size_t>(size + 1, 1)}), std::invalid_argument);
    int stack[64];
    sonde::slice const not_symmetric{std::as_writable_bytes(std::span{stack})};
    CHECK_THROWS_WITH_AS((broadcast<int>{ranks, 1, ranks.size()}), doctest::Contains("sonde::shmem: root "),
                         std::invalid_argument);
    CHECK_THROWS_AS((alltoalls<int>{ranks, 1, 0, 1}), std::invalid_argument);
    CHECK_THROWS_AS((collect<int>{ranks, std::vector<std::size_t>(size, 0)}), std::invalid_argument);
    CHECK_THROWS_AS((reduce<int, sum>{ranks, 0}), std::invalid_argument);
    CHECK_THROWS_AS((reduce<int, sum>{ranks, std::size_t{1} << 31}), std::length_error);
    CHECK_THROWS_WITH_AS((blocking{broadcast<int>{ranks, 1000}, b.from(), b.into()}),
                         doctest::Contains("sonde::shmem: shmem_broadcast32 sends from 4000 bytes"), std::length_error);
    CHECK_THROWS_AS((blocking{collect<int>{ranks, std::vector<std::size_t>(size, 1000)}, b.from(), b.into()}),
                    std::length_error);
    CHECK_THROWS_AS((blocking{fcollect<int>{ranks, 1}, not_symmetric, b.into()}), std::invalid_argument);
    CHECK_THROWS_AS((blocking{fcollect<int>{ranks, 1}, b.from(), not_symmetric}), std::invalid_argument);
    static_assert(!Reduction<float, bit_and> && Reduction<short, bit_xor> && !Reduction<char, sum>);
    static_assert(CollectiveElement<float> && !CollectiveElement<short>);
}
