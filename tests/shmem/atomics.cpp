// SPDX-License-Identifier: BSL-1.0
#include "../atomic_conformance.hpp"

#include <doctest/doctest.h>

#include <sonde/pattern/one_sided.hpp>
#include <sonde/shmem/atomics.hpp>
#include <sonde/shmem/group.hpp>
#include <sonde/shmem/transfers.hpp>

#include <shmem.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <tuple>
#include <vector>

using namespace sonde::shmem;
using sonde::role;

namespace {

constexpr auto count = conformance::atomic_elements;

int right() { return (shmem_my_pe() + 1) % shmem_n_pes(); }

template <class T>
concept CompareSwapped = AtomicInteger<T> && has_compare_swap<T>;

/// Operations of each PE on the array of its right neighbor, in a context or in none.
template <class T, class... Policy>
class operations {
public:
    explicit operations(Policy... policy) : policy_{policy...} {}

    void set(T value) {
        once([&](auto... p) { return sonde::shmem::set{right(), at(), value, p...}; });
    }
    std::vector<T> fetch() {
        return once([&](auto... p) { return sonde::shmem::fetch{right(), at(), into(), p...}; });
    }
    std::vector<T> swap(T value) {
        return once([&](auto... p) { return sonde::shmem::swap{right(), at(), value, into(), p...}; });
    }
    void add(T value)
        requires AtomicInteger<T>
    {
        once([&](auto... p) { return sonde::shmem::add{right(), at(), value, p...}; });
    }
    void inc() {
        once([&](auto... p) { return sonde::shmem::inc{right(), at(), p...}; });
    }
    std::vector<T> fetch_add(T value) {
        return once([&](auto... p) { return sonde::shmem::fetch_add{right(), at(), value, into(), p...}; });
    }
    std::vector<T> fetch_inc() {
        return once([&](auto... p) { return sonde::shmem::fetch_inc{right(), at(), into(), p...}; });
    }
    std::vector<T> compare_swap(T compare, T value)
        requires CompareSwapped<T>
    {
        return once([&](auto... p) { return sonde::shmem::compare_swap{right(), at(), compare, value, into(), p...}; });
    }

private:
    std::span<T> at() { return array_.elements(); }
    std::span<T> into() { return {results_.data(), count}; }
    /// One iteration of `count` transfers, completed in their context.
    std::vector<T> once(auto make) {
        std::apply(
            [&](auto... p) {
                auto const transfer = make(p...);
                CHECK(transfer.traffic().messages == 1);
                sonde::rma{quiet{p...}, role::initiator, count, transfer}();
            },
            policy_);
        shmem_barrier_all();
        return results_;
    }

    std::tuple<Policy...> policy_;
    symmetric_array<T> array_{count, T{9}};
    std::vector<T> results_ = std::vector<T>(count);
};

} // namespace

TEST_CASE_TEMPLATE("atomic operations conform", T, int, long, long long, unsigned, unsigned long, unsigned long long,
                   float, double) {
    conformance::check_atomics<T>(operations<T>{});
    context const own;
    conformance::check_atomics<T>(operations<T, context_ref>{context_ref{own}});
}

TEST_CASE("compare_swap of 4 bytes is refused where it damages the stack") {
    symmetric_array<int> array{1};
    int result[1] = {};
    auto const make = [&] { compare_swap{right(), array.elements(), 1, 30, std::span{result}}; };
    if (has_compare_swap<int>) CHECK_NOTHROW(make());
    else
        CHECK_THROWS_WITH_AS(make(), "sonde::shmem: compare_swap of 4 bytes damages the stack in Open MPI before 4.1.5",
                             std::runtime_error);
}

TEST_CASE("the standard types of other names") {
    static_assert(AtomicInteger<std::int32_t> && AtomicInteger<std::int64_t> && AtomicInteger<std::uint32_t> &&
                  AtomicInteger<std::uint64_t> && AtomicInteger<std::size_t> && AtomicInteger<std::ptrdiff_t>);
    static_assert(!AtomicInteger<short> && !AtomicInteger<float> && AtomicElement<double> && !AtomicElement<char>);
}

TEST_CASE("concurrent additions to one counter fetch every value once, and none is lost") {
    group ranks;
    symmetric_array<long> counter{1};
    long previous[1] = {};
    fetch_add add_one{0, counter.elements(), 1, std::span{previous}};
    fetch now{0, counter.elements(), std::span{previous}};
    conformance::check_counter(
        ranks, 200, [&] { return add_one(0), std::span{previous}; }, [&] { return now(0), previous[0]; });
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
