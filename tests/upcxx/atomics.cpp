// SPDX-License-Identifier: BSL-1.0
#include "ranks.hpp"

#include <doctest/doctest.h>

#include <sonde/pattern/one_sided.hpp>
#include <sonde/upcxx/atomics.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

using namespace sonde::upcxx;
using sonde::role;
using ::upcxx::atomic_op;

namespace {

constexpr std::size_t transfers_each = 6; // elements, one of each transfer

/// Elements in the segment of each rank, and the results of this one.
template <class T>
struct elements {
    group ranks;
    atomic_domain<T> domain{ranks,
                            {atomic_op::load, atomic_op::store, atomic_op::add, atomic_op::inc, atomic_op::fetch_add,
                             atomic_op::fetch_inc, atomic_op::compare_exchange}};
    shared_allocation memory{transfers_each * sizeof(T)};
    std::vector<global_region> all = global_regions(ranks, memory.bytes());
    std::vector<T> results = std::vector<T>(transfers_each);
    pending under_way;
    operation done{under_way};

    global_region target() const { return all[static_cast<std::size_t>(right())]; }
    std::span<T> into() { return {results.data(), transfers_each}; }

    /// One iteration of `transfers_each` operations of each rank on the elements of its right neighbor.
    template <class Epoch, class Transfer>
    void once(Epoch epoch, Transfer transfer) {
        CHECK(transfer.traffic().bytes == sizeof(T));
        sonde::rma_exchange{epoch, role::initiator, transfers_each, transfer}();
        ranks.barrier();
    }
    void change(auto make) {
        once(each_operation{}, make(each_operation{}));
        once(done, make(done));
    }
    bool results_are(T value) const {
        return std::all_of(results.begin(), results.end(), [=](T r) { return r == value; });
    }
    bool all_are(T value) {
        once(each_operation{}, load{domain, target(), into()});
        return results_are(value);
    }
};

} // namespace

TEST_CASE_TEMPLATE("atomic operations change the elements of another rank", T, std::int32_t, std::uint32_t,
                   std::int64_t, std::uint64_t) {
    on_ranks([] {
        elements<T> e;
        e.change([&](auto c) { return store{e.domain, e.target(), T{10}, c}; });
        CHECK(e.all_are(T{10}));
        e.change([&](auto c) { return add{e.domain, e.target(), T{2}, c}; });
        CHECK(e.all_are(T{14}));
        e.change([&](auto c) { return inc{e.domain, e.target(), c}; });
        CHECK(e.all_are(T{16}));
        e.once(each_operation{}, fetch_add{e.domain, e.target(), T{6}, e.into()});
        CHECK(e.results_are(T{16}));
        e.once(each_operation{}, fetch_inc{e.domain, e.target(), e.into()});
        CHECK(e.results_are(T{22}));
        e.once(each_operation{}, compare_exchange{e.domain, e.target(), T{1}, T{30}, e.into()}); // they are not 1
        CHECK(e.results_are(T{23}));
        CHECK(e.all_are(T{23}));
        e.once(each_operation{}, compare_exchange{e.domain, e.target(), T{23}, T{30}, e.into()});
        CHECK(e.results_are(T{23}));
        CHECK(e.all_are(T{30}));
    });
}

TEST_CASE_TEMPLATE("atomic operations on floating-point elements", T, float, double) {
    on_ranks([] {
        elements<T> e;
        e.change([&](auto c) { return store{e.domain, e.target(), T{1.5}, c}; });
        e.change([&](auto c) { return add{e.domain, e.target(), T{0.25}, c}; });
        CHECK(e.all_are(T{2}));
    });
}

TEST_CASE("fetch_add on one counter gives every rank other values") {
    on_ranks([] {
        elements<std::int64_t> e;
        e.once(each_operation{}, store{e.domain, e.target(), 0});
        std::int64_t previous[1] = {};
        fetch_add next{e.domain, e.all.front().first(8), 1, std::span{previous}};
        std::vector<std::int64_t> mine;
        for (int i = 0; i != 100; ++i) {
            next(0);
            mine.push_back(previous[0]);
        }
        CHECK(std::is_sorted(mine.begin(), mine.end()));
        CHECK(std::adjacent_find(mine.begin(), mine.end()) == mine.end());
        e.ranks.barrier();
        load{e.domain, e.all.front().first(8), std::span{previous}}(0);
        CHECK(previous[0] == 100 * size());
        e.ranks.barrier();
    });
}

TEST_CASE("atomic operations have as many transfers as elements, or results") {
    static_assert(AtomicElement<std::int32_t> && AtomicElement<double> && !AtomicElement<short> &&
                  !AtomicElement<long double>);
    static_assert(sonde::TransferIn<add<std::int32_t, operation>, operation>);
    static_assert(!sonde::TransferIn<add<std::int32_t>, operation>);
    on_ranks([] {
        elements<std::int32_t> e;
        CHECK(inc{e.domain, e.target()}.capacity() == transfers_each);
        CHECK(load{e.domain, e.target(), e.into().first(2)}.capacity() == 2);
        CHECK(inc{e.domain, global_region{}}.capacity() == 0);
    });
}
