// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include "fake/fail.hpp"
#include "support.hpp"

#include <cstdlib>

using namespace sonde;

namespace {

/// What making a communicator says on this rank.
std::string refusal(mpi::group& all) {
    try {
        nccl::communicator const made{all};
    } catch (nccl::error const& e) {
        return e.what();
    }
    return "made";
}

} // namespace

TEST_CASE("NCCL cannot be initialized on one rank: all say the same line, and the others' communicators are aborted") {
    ranks::on_devices on;
    auto const last = on.all.size() - 1;
    if (on.all.rank() == last) fake::fail_nccl("ncclCommInitRank", ncclSystemError);
    std::string said;
    auto const calls = ranks::nccl_calls([&] { said = refusal(on.all); });
    CHECK(said == "rank " + std::to_string(last) + ": ncclCommInitRank: unhandled system error: planned");
    CHECK(application::everywhere(calls.back().rfind(on.all.rank() == last ? "ncclCommInitRank" : "ncclCommAbort", 0) ==
                                  0));
}

TEST_CASE("no unique id: all say so, and none waits for the others") {
    ranks::on_devices on;
    if (on.all.rank() == 0) fake::fail_nccl("ncclGetUniqueId", ncclInternalError);
    CHECK(refusal(on.all) == "rank 0: ncclGetUniqueId: internal error: planned");
}

TEST_CASE("two ranks on one device: all say that NCCL needs one for each, also a rank that has its own") {
    ranks::on_devices on;
    cuda::check(cudaSetDevice(on.all.rank() < 2 ? 0 : on.all.rank()), "cudaSetDevice");
    CHECK(refusal(on.all) == "rank 0: ncclCommInitRank: NCCL needs a device for each rank: Duplicate GPU detected : "
                             "rank 0 and rank 1 both on CUDA device 1000");
}

TEST_CASE("one rank has no device: all say so, before any of them asks NCCL") {
    ranks::on_devices on;
    if (on.all.rank() == 1) {
        setenv("FAKE_CUDA_DRIVER", "none", 1);
        fake::reset();
    }
    std::string said;
    auto const calls = ranks::nccl_calls([&] { said = refusal(on.all); });
    CHECK(said == "rank 1: cudaGetDeviceCount: there is no NVIDIA driver: run where one is loaded");
    CHECK(calls.empty());
    unsetenv("FAKE_CUDA_DRIVER");
    fake::reset();
}

TEST_CASE("who waits for a rank that is no more gets an error instead of waiting for ever, and may free its memory") {
    ranks::connected c;
    ranks::device_allocation in{8};
    auto refused = true;
    if (c.rank() == 1) c.comm.abort();
    else {
        nccl::link peer{c.on, 1};
        auto message = peer.incoming(in.first(8));
        refused = false;
        try {
            peer.recv(message.next());
        } catch (nccl::error const& e) {
            refused = e.code() == ncclRemoteError &&
                      std::string{e.what()} == "NCCL, under way: remote process exited or there was a network error";
        }
        refused = refused && c.comm.get() == nullptr;
        cudaStreamSynchronize(c.stream); // nothing is left that would wait
        CHECK_THROWS_AS(peer.send(message.next()), nccl::error);
    }
    CHECK(application::everywhere(refused));
}

TEST_CASE("a call that fails within a window is an exception, and closes the group") {
    ranks::connected c;
    ranks::device_allocation out{8};
    auto const calls = ranks::nccl_calls([&] {
        nccl::enqueued_link peer{c.on, (c.rank() + 1) % c.size()};
        auto message = peer.outgoing(out.first(8));
        peer.isend(message.next());
        fake::fail_nccl("ncclSend", ncclInternalError);
        CHECK_THROWS_WITH_AS(peer.isend(message.next()), "ncclSend: internal error: planned", nccl::error);
    });
    CHECK(calls.size() == 4);
    CHECK(calls.back() == "ncclGroupEnd");
}

TEST_CASE("a communicator that an exception ends is aborted, one that is left is destroyed") {
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
