// SPDX-License-Identifier: BSL-1.0
#include "../atomic_conformance.hpp"
#include "ranks.hpp"

#include <doctest/doctest.h>

#include <sonde/pattern/one_sided.hpp>
#include <sonde/upcxx/atomics.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

using namespace sonde::upcxx;
using sonde::role;
using ::upcxx::atomic_op;

namespace {

constexpr auto count = conformance::atomic_elements;

/// Operations of each rank on elements in the segment of its right neighbor, completed by `C`.
template <class T, class C = each_operation>
struct operations {
    group ranks;
    atomic_domain<T> domain{ranks,
                            {atomic_op::load, atomic_op::store, atomic_op::add, atomic_op::inc, atomic_op::fetch_add,
                             atomic_op::fetch_inc, atomic_op::compare_exchange}};
    shared_allocation memory{count * sizeof(T)};
    std::vector<global_region> all = global_regions(ranks, memory.bytes());
    std::vector<T> results = std::vector<T>(count);
    pending under_way;

    global_region at() const { return all[static_cast<std::size_t>(right())]; }
    std::span<T> into() { return {results.data(), count}; }
    C completion() {
        if constexpr (std::is_same_v<C, each_operation>) return {};
        else return C{under_way};
    }
    /// One iteration of `count` transfers.
    std::vector<T> once(auto epoch, auto transfer) {
        CHECK(transfer.traffic().bytes == sizeof(T));
        sonde::rma_exchange{epoch, role::initiator, count, transfer}();
        ranks.barrier();
        return results;
    }
    std::vector<T> fetched(auto transfer) { return once(each_operation{}, transfer); }

    void set(T value) { once(completion(), store{domain, at(), value, completion()}); }
    void add(T value) { once(completion(), sonde::upcxx::add{domain, at(), value, completion()}); }
    std::vector<T> fetch() { return fetched(load{domain, at(), into()}); }
    void inc() { once(completion(), sonde::upcxx::inc{domain, at(), completion()}); }
    std::vector<T> fetch_add(T value) { return fetched(sonde::upcxx::fetch_add{domain, at(), value, into()}); }
    std::vector<T> fetch_inc() { return fetched(sonde::upcxx::fetch_inc{domain, at(), into()}); }
    std::vector<T> compare_swap(T compare, T value) {
        return fetched(compare_exchange{domain, at(), compare, value, into()});
    }
};

} // namespace

TEST_CASE_TEMPLATE("atomic operations conform", T, std::int32_t, std::uint32_t, std::int64_t, std::uint64_t, float,
                   double) {
    on_ranks([] {
        operations<T> each;
        conformance::check_atomics<T>(each);
        operations<T, operation> together;
        conformance::check_atomics<T>(together);
    });
}

TEST_CASE("concurrent additions to one counter fetch every value once, and none is lost") {
    on_ranks([] {
        operations<std::int64_t> e;
        e.set(0);
        auto const counter = e.all.front().first(8);
        std::int64_t previous[1] = {};
        fetch_add add_one{e.domain, counter, 1, std::span{previous}};
        load now{e.domain, counter, std::span{previous}};
        conformance::check_counter(
            e.ranks, 100, [&] { return add_one(0), std::span{previous}; }, [&] { return now(0), previous[0]; });
    });
}

TEST_CASE("atomic operations have as many transfers as elements, or results") {
    static_assert(AtomicElement<std::int32_t> && AtomicElement<double> && !AtomicElement<short> &&
                  !AtomicElement<long double>);
    static_assert(sonde::TransferIn<add<std::int32_t, operation>, operation>);
    static_assert(!sonde::TransferIn<add<std::int32_t>, operation>);
    on_ranks([] {
        operations<std::int32_t> e;
        CHECK(inc{e.domain, e.at()}.capacity() == count);
        CHECK(load{e.domain, e.at(), e.into().first(2)}.capacity() == 2);
        CHECK(inc{e.domain, global_region{}}.capacity() == 0);
    });
}
