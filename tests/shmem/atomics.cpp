// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include <sonde/pattern/one_sided.hpp>
#include <sonde/shmem/atomics.hpp>
#include <sonde/shmem/transfers.hpp>

#include <shmem.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <vector>

using namespace sonde::shmem;
using sonde::role;

namespace {

constexpr std::size_t transfers_each = 6; // elements, one of each transfer

int right() { return (shmem_my_pe() + 1) % shmem_n_pes(); }

/// One iteration of `transfers_each` operations, completed in their context.
template <class Transfer>
void once(Transfer transfer, auto... policy) {
    CHECK(transfer.traffic().messages == 1);
    sonde::rma{quiet{policy...}, role::initiator, transfers_each, transfer}();
    shmem_barrier_all();
}

/// True if all elements, as the atomic operations of this PE see them, are `value`; then all PEs go on.
template <class T>
bool all_are(std::span<T> elements, T value) {
    auto const equal = std::all_of(elements.begin(), elements.end(), [&](T& e) {
        T seen[1]{};
        fetch{shmem_my_pe(), std::span{&e, 1}, std::span{seen}}(0);
        return seen[0] == value;
    });
    shmem_barrier_all();
    return equal;
}

/// set, fetch and swap, each PE on the array of its right neighbor. `policy` is a context, or nothing.
template <class T>
void check_extended(auto... policy) {
    symmetric_array<T> array{transfers_each, T{9}};
    auto const target = array.elements();
    std::vector<T> results(transfers_each);
    std::span const into{results.data(), transfers_each};
    once(set{right(), target, T{3}, policy...}, policy...);
    CHECK(all_are(target, T{3}));
    once(fetch{right(), target, into, policy...}, policy...);
    CHECK(results == std::vector<T>(transfers_each, T{3}));
    once(swap{right(), target, T{5}, into, policy...}, policy...);
    CHECK(results == std::vector<T>(transfers_each, T{3}));
    CHECK(all_are(target, T{5}));
}

template <class T>
void check_integer(auto... policy) {
    symmetric_array<T> array{transfers_each, T{10}};
    auto const target = array.elements();
    std::vector<T> results(transfers_each);
    std::span const into{results.data(), transfers_each};
    once(add{right(), target, T{4}, policy...}, policy...);
    CHECK(all_are(target, T{14}));
    once(inc{right(), target, policy...}, policy...);
    CHECK(all_are(target, T{15}));
    once(fetch_add{right(), target, T{6}, into, policy...}, policy...);
    CHECK(results == std::vector<T>(transfers_each, T{15}));
    CHECK(all_are(target, T{21}));
    once(fetch_inc{right(), target, into, policy...}, policy...);
    CHECK(results == std::vector<T>(transfers_each, T{21}));
    CHECK(all_are(target, T{22}));
    if (!has_compare_swap<T>) {
        CHECK_THROWS_WITH_AS((compare_swap{right(), target, T{1}, T{30}, into, policy...}),
                             "sonde::shmem: compare_swap of 4 bytes damages the stack in Open MPI before 4.1.5",
                             std::runtime_error);
        return;
    }
    once(compare_swap{right(), target, T{1}, T{30}, into, policy...}, policy...); // they are not 1
    CHECK(results == std::vector<T>(transfers_each, T{22}));
    CHECK(all_are(target, T{22}));
    once(compare_swap{right(), target, T{22}, T{30}, into, policy...}, policy...);
    CHECK(results == std::vector<T>(transfers_each, T{22}));
    CHECK(all_are(target, T{30}));
}

} // namespace

TEST_CASE_TEMPLATE("atomic operations on integers", T, int, long, long long, unsigned, unsigned long,
                   unsigned long long) {
    check_extended<T>();
    check_integer<T>();
    context const own;
    check_extended<T>(context_ref{own});
    check_integer<T>(context_ref{own});
}

TEST_CASE_TEMPLATE("atomic operations on floating-point elements", T, float, double) {
    check_extended<T>();
    context const own;
    check_extended<T>(context_ref{own});
}

TEST_CASE("the standard types of other names") {
    static_assert(AtomicInteger<std::int32_t> && AtomicInteger<std::int64_t> && AtomicInteger<std::uint32_t> &&
                  AtomicInteger<std::uint64_t> && AtomicInteger<std::size_t> && AtomicInteger<std::ptrdiff_t>);
    static_assert(!AtomicInteger<short> && !AtomicInteger<float> && AtomicElement<double> && !AtomicElement<char>);
}

TEST_CASE("fetch_add on one counter gives every PE other values") {
    symmetric_array<long> counter{1};
    auto const times = 200;
    std::vector<long> mine;
    long previous[1] = {};
    fetch_add next{0, counter.elements(), 1, std::span{previous}};
    for (int i = 0; i != times; ++i) {
        next(0);
        mine.push_back(previous[0]);
    }
    CHECK(std::is_sorted(mine.begin(), mine.end()));
    CHECK(std::adjacent_find(mine.begin(), mine.end()) == mine.end());
    shmem_barrier_all();
    fetch{0, counter.elements(), std::span{previous}}(0);
    CHECK(previous[0] == times * shmem_n_pes());
    shmem_barrier_all();
}

TEST_CASE("bad atomic operations are refused") {
    symmetric_array<long> array{4};
    auto const target = array.elements();
    long result[2] = {};
    CHECK_THROWS_AS((inc{shmem_n_pes(), target}), std::invalid_argument);
    CHECK_THROWS_AS((add{right(), std::span{result}, 1}), std::invalid_argument);
    CHECK(fetch_inc{right(), target, std::span{result}}.capacity() == 2);
    CHECK(inc{right(), target}.capacity() == 4);
    CHECK(inc{-1, target}.capacity() == 0);
    CHECK(inc{right(), target}.traffic().bytes == sizeof(long));
}

TEST_CASE("elements of a buffer's bytes") {
    alignas(8) std::byte bytes[20];
    CHECK(elements<long>(sonde::region{bytes}).size() == 2);
    CHECK(static_cast<void*>(elements<int>(sonde::region{bytes}.subspan(4)).data()) == bytes + 4);
    CHECK_THROWS_WITH_AS(elements<int>(sonde::region{bytes}.subspan(2)),
                         "sonde::shmem: the bytes are not aligned for elements of 4 bytes", std::invalid_argument);
}
