// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include "fake/fail.hpp"
#include "support.hpp"

#include <cstdlib>
#include <span>
#include <stdexcept>
#include <string>

using namespace sonde;

namespace {

/// A group of all ranks. A rank on which NCCL failed makes NCCL notice that on the others before it reduces.
struct noticing {
    mpi::group& all;

    int rank() const { return all.rank(); }
    int size() const { return all.size(); }
    void barrier() { all.barrier(); }
    void all_reduce(std::span<double> values, reduction op) {
        fake::nccl_notices();
        all.all_reduce(values, op);
    }
};

/// The text of the exception of a communicator's construction on this rank.
template <Group G>
std::string refusal(G& all) {
    try {
        nccl::communicator const made{all};
    } catch (library_error const& e) {
        CHECK(e.call() == std::string{"ncclCommInitRank"});
        CHECK(e.code() != ncclSuccess);
        return e.what();
    }
    return "made";
}

} // namespace

TEST_CASE("an initialization that fails on one rank after all joined throws on all, and the others' communicators are "
          "aborted") {
    ranks::on_devices on;
    auto const last = on.all.size() - 1;
    if (on.all.rank() == last) fake::fail_nccl(fake::at_its_end, ncclSystemError);
    std::string text;
    auto const calls = ranks::nccl_calls([&] { text = refusal(on.all); });
    CHECK(text == "rank " + std::to_string(last) + ": ncclCommInitRank: unhandled system error: planned");
    CHECK(application::everywhere(calls.back().rfind(on.all.rank() == last ? "ncclCommInitRank" : "ncclCommAbort", 0) ==
                                  0));
}

TEST_CASE("an initialization that fails on one rank before all joined throws on all once NCCL notices") {
    ranks::on_devices on;
    auto const last = on.all.size() - 1;
    if (on.all.rank() == last) fake::fail_nccl("ncclCommInitRank", ncclSystemError);
    noticing group{on.all};
    std::string text;
    auto const calls = ranks::nccl_calls([&] { text = refusal(group); });
    CHECK(text == "rank " + std::to_string(last) + ": ncclCommInitRank: unhandled system error: planned");
    CHECK(application::everywhere(calls.back().rfind("ncclCommInitRank", 0) == 0)); // no communicator was created
}

TEST_CASE("a missing unique id throws on all ranks, and none waits for the others") {
    ranks::on_devices on;
    if (on.all.rank() == 0) fake::fail_nccl("ncclGetUniqueId", ncclInternalError);
    CHECK(refusal(on.all) == "rank 0: ncclGetUniqueId: internal error: planned");
}

TEST_CASE("two ranks on one device throw on all ranks, also on a rank with its own device") {
    ranks::on_devices on;
    cuda::check(cudaSetDevice(on.all.rank() < 2 ? 0 : on.all.rank()), "cudaSetDevice");
    CHECK(refusal(on.all) == "rank 0: ncclCommInitRank: NCCL needs a device for each rank: Duplicate GPU detected : "
                             "rank 0 and rank 1 both on CUDA device 1000");
}

TEST_CASE("a rank without a device throws on all ranks before any of them calls NCCL") {
    ranks::on_devices on;
    if (on.all.rank() == 1) {
        setenv("FAKE_CUDA_DRIVER", "none", 1);
        fake::reset();
    }
    std::string text;
    auto const calls = ranks::nccl_calls([&] { text = refusal(on.all); });
    CHECK(text == "rank 1: cudaGetDeviceCount: there is no NVIDIA driver: run where one is loaded");
    CHECK(calls.empty());
    unsetenv("FAKE_CUDA_DRIVER");
    fake::reset();
}

TEST_CASE("a rank that waits for a terminated rank throws instead of waiting forever, and may free its memory") {
    ranks::connected c;
    ranks::device_allocation in{8};
    auto refused = true;
    if (c.rank() == 1) c.comm.abort();
    else {
        nccl::link peer{c.on, 1};
        auto message = peer.recv_buffer(in.first(8));
        refused = false;
        try {
            peer.recv(message.next());
        } catch (nccl::error const& e) {
            refused =
                e.code() == ncclRemoteError &&
                std::string{e.what()} == "asynchronous NCCL error: remote process exited or there was a network error";
        }
        refused = refused && c.comm.get() == nullptr;
        cudaStreamSynchronize(c.stream); // no operation is left that would wait
        CHECK_THROWS_AS(peer.send(message.next()), nccl::error);
    }
    CHECK(application::everywhere(refused));
}

TEST_CASE("a step that throws another exception on one rank throws on all ranks, and none waits for the others") {
    ranks::on_devices on;
    auto const step = [&] {
        if (on.all.rank() == 1) throw std::runtime_error{"no more of it"};
    };
    CHECK_THROWS_WITH_AS(nccl::detail::run_collectively(on.all, step), "rank 1: no more of it", nccl::error);
}

TEST_CASE("NCCL's text of an earlier failure is not part of the error of a terminated rank") {
    ranks::connected c;
    fake::fail_nccl("ncclBroadcast", ncclInternalError);
    CHECK_THROWS_WITH_AS(nccl::check(ncclBroadcast(nullptr, nullptr, 0, ncclChar, 0, c.comm.get(), c.stream), "first"),
                         "first: internal error: planned", nccl::error);
    CHECK(std::string{ncclGetLastError(nullptr)} == "planned");
    CHECK_THROWS_WITH_AS(nccl::check(ncclRemoteError, "then"),
                         "then: remote process exited or there was a network error", nccl::error);
}
