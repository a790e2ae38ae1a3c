// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include "../remote_memory.hpp"
#include "application.hpp"
#include "ledger.hpp"

#include <sonde/mpi.hpp>
#include <sonde/sonde.hpp>

#include <cstddef>

using namespace sonde;

namespace {

int reported_support = 0, reported_rocm_support = 0;

} // namespace

/// The program's own definition precedes the library's.
extern "C" int MPIX_Query_cuda_support() { return reported_support; }
extern "C" int MPIX_Query_rocm_support() { return reported_rocm_support; }

namespace {

constexpr auto refused = "sonde::mpi: the bytes are on a device, whose addresses this MPI library does not take; "
                         "send them through host memory with sonde::staged_link";

/// 64 bytes of the host and 64 of a device, and the library's answer during a test.
struct memories_fixture {
    mpi::group ranks{application::comm()};
    host_allocation host{64};
    allocation<remote_memory> device{64};
    opaque_slice here{host.bytes()}, there = device.first(64);

    ~memories_fixture() { reported_support = reported_rocm_support = 0; }
};

/// Regions of which every second one is on the device.
struct mixed {
    opaque_region host, device;
    int i = 0;
    opaque_region next() { return i++ % 2 == 0 ? host : device; }
    std::size_t size() const { return host.size(); }
    std::size_t regions() const { return 2; }
};

template <class L>
void refuse_on(L link, memories_fixture const& p) {
    CHECK_THROWS_WITH_AS(static_cast<void>(link.send_buffer(p.there)), refused, mpi::device_memory_unsupported);
    CHECK_THROWS_WITH_AS(static_cast<void>(link.recv_buffer(p.there)), refused, mpi::device_memory_unsupported);
    CHECK_NOTHROW(static_cast<void>(link.send_buffer(p.here)));
    CHECK_NOTHROW(static_cast<void>(link.recv_buffer(slice{p.host.bytes()})));
}

template <template <class, class, class> class Form>
void refuse_collective(memories_fixture const& p) {
    auto const made = [&](opaque_slice out, opaque_slice in) {
        mpi::allreduce sum{p.ranks, {MPI_INT, 4}, MPI_SUM};
        Form<decltype(sum), opaque_slice, opaque_slice> pattern{sum, out, in};
        pattern();
    };
    CHECK_THROWS_WITH_AS(made(p.there, p.here), refused, mpi::device_memory_unsupported);
    CHECK_THROWS_WITH_AS(made(p.here, p.there), refused, mpi::device_memory_unsupported);
}

} // namespace

TEST_CASE_FIXTURE(memories_fixture, "device support is as the library reports it") {
    auto const cuda = [] { return mpi::device_support_of(device_runtime::cuda); };
    auto const rocm = [] { return mpi::device_support_of(device_runtime::rocm); };
    CHECK(cuda() == mpi::device_support::no);
    CHECK(rocm() == mpi::device_support::no);
    reported_support = 1;
    CHECK(cuda() == mpi::device_support::yes);
    CHECK(rocm() == mpi::device_support::no);
    reported_rocm_support = 1;
    CHECK(rocm() == mpi::device_support::yes);
}

TEST_CASE_FIXTURE(memories_fixture, "a kind of memory that the library lists is supported") {
    using mpi::detail::lists_kind;
    CHECK(lists_kind("mpi,system,cuda:device:managed", "cuda"));
    CHECK(lists_kind("rocm", "rocm"));
    CHECK(lists_kind("system,level_zero:host,", "level_zero"));
    CHECK_FALSE(lists_kind("mpi,system,cuda_like:device", "cuda"));
    CHECK_FALSE(lists_kind("", "cuda"));
    CHECK(mpi::detail::support_of(device_runtime::cuda, "mpi,cuda:device") == mpi::device_support::yes);
    CHECK(mpi::detail::support_of(device_runtime::rocm, "mpi,cuda:device") == mpi::device_support::no);
    auto const told = mpi::memory_alloc_kinds(ranks.comm()); // since MPI 4.1, always with these two
    CHECK((told.empty() || (lists_kind(told, "mpi") && lists_kind(told, "system"))));
}

TEST_CASE_FIXTURE(memories_fixture,
                  "device memory is refused by every link in one line if the library does not support it") {
    auto const before = ledger::current().all();
    refuse_on(mpi::link{ranks, no_peer}, *this);
    refuse_on(mpi::sync_link{ranks, no_peer}, *this);
    refuse_on(mpi::async_link{ranks, no_peer}, *this);
    refuse_on(mpi::multi_peer_link{ranks, {sonde::no_peer}}, *this);
    CHECK(ledger::current().all() == before);
    refuse_on(mpi::persistent_link{ranks, no_peer}, *this);
    CHECK(ledger::current().persistent.empty());
}

TEST_CASE_FIXTURE(memories_fixture, "the library is asked about the runtime of the memory, not about the program's") {
    struct rocm_memory : remote_memory {
        device_runtime runtime() const { return device_runtime::rocm; }
    };
    allocation<rocm_memory> const of_rocm{64};
    CHECK(of_rocm.bytes().runtime() == device_runtime::rocm);
    CHECK(device.bytes().runtime() == device_runtime::cuda);
    auto const refuses = mpi::device_support_of(device_runtime::rocm) == mpi::device_support::no;
    CHECK(mpi::detail::is_unsupported(of_rocm.bytes()) == refuses);
    CHECK(mpi::detail::is_unsupported(of_rocm.bytes().subspan(8)) == refuses);
    CHECK(mpi::detail::is_unsupported(device.bytes()));
}

TEST_CASE_FIXTURE(memories_fixture, "one device region among host regions is refused, too") {
    mpi::link const link{ranks, no_peer};
    mixed const both{host.bytes(), device.bytes()};
    CHECK_THROWS_AS(static_cast<void>(link.send_buffer(both)), mpi::device_memory_unsupported);
    reported_support = 1;
    auto taken = link.send_buffer(both);
    CHECK(taken.next().data == host.bytes().data()); // after the check, regions begin with the first
    CHECK(taken.next().data == device.bytes().data());
}

TEST_CASE_FIXTURE(memories_fixture, "device memory is refused by every call mode of a collective") {
    refuse_collective<mpi::blocking>(*this);
    refuse_collective<mpi::nonblocking>(*this);
#if SONDE_MPI_PERSISTENT_COLLECTIVES
    refuse_collective<mpi::persistent>(*this);
#endif
    CHECK(ledger::current().persistent.empty());
}

TEST_CASE_FIXTURE(memories_fixture, "device memory is refused by every one-sided operation, in each of its buffers") {
    mpi::allocated_window const allocated{ranks, 64};
    mpi::peer const me{ranks.rank()};
    mpi::block const ints{MPI_INT, 4};
    opaque_region const h = host.bytes(), d = device.bytes();
    using mpi::device_memory_unsupported;
    CHECK_THROWS_WITH_AS((mpi::put{allocated, me, d, ints}), refused, device_memory_unsupported);
    CHECK_THROWS_AS((mpi::get{allocated, me, d, ints}), device_memory_unsupported);
    CHECK_THROWS_AS((mpi::accumulate{allocated, me, d, ints, MPI_SUM}), device_memory_unsupported);
    CHECK_THROWS_AS((mpi::get_accumulate{allocated, me, d, h, ints, MPI_SUM}), device_memory_unsupported);
    CHECK_THROWS_AS((mpi::get_accumulate{allocated, me, h, d, ints, MPI_SUM}), device_memory_unsupported);
    CHECK_THROWS_AS((mpi::fetch_and_op{allocated, me, d, h, MPI_INT, MPI_SUM}), device_memory_unsupported);
    CHECK_THROWS_AS((mpi::fetch_and_op{allocated, me, h, d, MPI_INT, MPI_SUM}), device_memory_unsupported);
    CHECK_THROWS_AS((mpi::compare_and_swap{allocated, me, d, h, h, MPI_INT}), device_memory_unsupported);
    CHECK_THROWS_AS((mpi::compare_and_swap{allocated, me, h, d, h, MPI_INT}), device_memory_unsupported);
    CHECK_THROWS_AS((mpi::compare_and_swap{allocated, me, h, h, d, MPI_INT}), device_memory_unsupported);
    reported_support = 1;
    CHECK_NOTHROW((mpi::compare_and_swap{allocated, me, d, d, d, MPI_INT}));
}

TEST_CASE_FIXTURE(memories_fixture,
                  "a window in device memory on one rank alone is refused on all, and none waits for another") {
    for (int on = 0; on != ranks.size(); ++on) {
        opaque_region const own = ranks.rank() == on ? device.bytes() : opaque_region{host.bytes()};
        CHECK_THROWS_WITH_AS((mpi::opaque_created_window{ranks, own}), refused, mpi::device_memory_unsupported);
        CHECK_THROWS_WITH_AS((mpi::opaque_dynamic_window{ranks, own}), refused, mpi::device_memory_unsupported);
    }
    if (ranks.size() != 1) // on one rank some libraries create no window at all
        CHECK_NOTHROW((mpi::opaque_created_window{ranks, host.bytes()}));
}

TEST_CASE_FIXTURE(memories_fixture, "a library with device support gets device addresses unchanged") {
    reported_support = 1;
    mpi::link const link{ranks, no_peer};
    CHECK(link.send_buffer(there).next().data == device.bytes().data());
    ping_pong pattern{link, role::initiator, there, there};
    pattern(); // to no peer: the library does not read them
    CHECK(link.send_buffer(there).size() == 64);
}
