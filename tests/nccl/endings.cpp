// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include "fake/fail.hpp"
#include "support.hpp"

#include <algorithm>
#include <stdexcept>

using namespace sonde;

namespace {

/// Runs f, which throws an int.
template <class F>
void broken_off(F f) {
    try {
        f();
    } catch (int) {
    }
}

int after(ranks::connected const& c) { return (c.rank() + 1) % c.size(); }

/// True if all operations were aborted before any memory was freed.
bool aborted_first(std::vector<std::string> const& calls) {
    auto const abort = std::find(calls.begin(), calls.end(), "ncclCommAbort");
    return abort != calls.end() && std::find(calls.begin(), abort, "cudaFree") == abort;
}

/// Calls of both libraries after the last line of `f`.
template <class F>
std::vector<std::string> calls_when_broken_off(F f) {
    std::size_t before = 0;
    broken_off([&] {
        ranks::connected c;
        ranks::device_allocation in{8};
        f(c, in, [&] {
            c.all.barrier();
            before = fake::calls().size();
            throw 1;
        });
    });
    auto const all = fake::calls();
    return {all.begin() + static_cast<std::ptrdiff_t>(before), all.end()};
}

} // namespace

TEST_CASE("memory allocated after the communicator can be freed when an exception interrupts a receive") {
    auto const calls = calls_when_broken_off([](ranks::connected& c, ranks::device_allocation& in, auto leave) {
        nccl::stream_ordered_link peer{c.on, after(c)};
        peer.recv(peer.recv_buffer(in.first(8)).next());
        leave();
    });
    CHECK(application::everywhere(aborted_first(calls)));
}

TEST_CASE(
    "memory allocated after the communicator can be freed when an exception interrupts an incomplete collective") {
    auto const calls = calls_when_broken_off([](ranks::connected& c, ranks::device_allocation& in, auto leave) {
        nccl::nonblocking sum{nccl::allreduce{c.comm, {ncclUint8, 8}, ncclSum, sonde::in_place}, c.on, in.first(8)};
        if (c.rank() == 0) sum.start();
        leave();
    });
    CHECK(application::everywhere(aborted_first(calls) == (application::rank() == 0)));
}

TEST_CASE("an exception without active operations keeps the communicator") {
    ranks::connected c;
    broken_off([&] {
        nccl::stream_ordered_link const peer{c.on, after(c)};
        throw 1;
    });
    CHECK(application::everywhere(c.comm.get() != nullptr));
}

TEST_CASE("a window that an exception interrupts is not launched, and does not change the next one") {
    ranks::connected c;
    ranks::device_allocation in{8};
    broken_off([&] {
        nccl::stream_ordered_link peer{c.on, after(c)};
        peer.irecv(peer.recv_buffer(in.first(8)).next());
        throw 1;
    });
    REQUIRE(application::everywhere(c.on.is_complete() && c.comm.get() != nullptr));
    nccl::link self{c.on, c.rank()};
    self.isend(self.send_buffer(in.first(8)).next());
    self.irecv(self.recv_buffer(in.first(8)).next());
    CHECK_NOTHROW(self.wait_all());
}

TEST_CASE("while a group of calls is open, a wait of the same thread throws for every link") {
    ranks::connected c;
    ranks::device_allocation in{8};
    nccl::stream_ordered_link window{c.on, c.rank()};
    nccl::stream_ordered_link other{c.on, c.rank()};
    window.isend(window.send_buffer(in.first(8)).next());
    CHECK_THROWS_WITH_AS(other.complete(),
                         "sonde::nccl: a wait inside a group of calls: isend and irecv start at wait_all",
                         std::logic_error);
    window.irecv(window.recv_buffer(in.first(8)).next());
    window.wait_all();
    CHECK_NOTHROW(other.complete());
}

TEST_CASE("a call that fails within a group of calls throws and closes the group") {
    ranks::connected c;
    ranks::device_allocation out{8};
    auto const calls = ranks::nccl_calls([&] {
        nccl::stream_ordered_link peer{c.on, (c.rank() + 1) % c.size()};
        auto message = peer.send_buffer(out.first(8));
        peer.isend(message.next());
        fake::fail_nccl("ncclSend", ncclInternalError);
        CHECK_THROWS_WITH_AS(peer.isend(message.next()), "ncclSend: internal error: planned", nccl::error);
    });
    CHECK(calls.size() == 4);
    CHECK(calls.back() == "ncclGroupEnd");
}

TEST_CASE("a communicator is aborted when an exception ends it, and destroyed otherwise") {
    ranks::on_devices on;
    auto const left = ranks::nccl_calls([&] { nccl::communicator const made{on.all}; });
    CHECK(left.back() == "ncclCommDestroy");
    auto const thrown = ranks::nccl_calls([&] {
        try {
            nccl::communicator const made{on.all};
            throw 1;
        } catch (int) {
        }
    });
    CHECK(thrown.back() == "ncclCommAbort");
}
