// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include "participant.hpp"

#include <sonde/measure/overlap.hpp>

#include <stdexcept>

using namespace sonde;
using namespace ranks;

TEST_CASE("traffic and bus-bandwidth factor of an operation are those of nccl-tests") {
    on_devices all;
    auto const ranks = static_cast<std::size_t>(all.all.size());
    auto const n = static_cast<double>(ranks);
    nccl::block const each{ncclFloat, 250};
    auto const is = [&](traffic t, std::size_t bytes, double bus_factor) {
        return t.bytes == bytes && t.messages == 1 && t.hops == 1 && t.bus_factor == bus_factor && t.shared_by == ranks;
    };
    CHECK(is(nccl::allgather{all.all, each}.traffic(), ranks * 1000, (n - 1) / n));
    CHECK(is(nccl::allreduce{all.all, each, ncclSum}.traffic(), 1000, 2 * ((n - 1) / n)));
    CHECK(is(nccl::alltoall{all.all, each}.traffic(), ranks * 1000, (n - 1) / n));
    CHECK(is(nccl::bcast{all.all, each}.traffic(), 1000, 1));
    CHECK(is(nccl::reduce{all.all, each, ncclSum}.traffic(), 1000, 1));
    CHECK(is(nccl::reduce_scatter{all.all, each, ncclSum}.traffic(), ranks * 1000, (n - 1) / n));
}

TEST_CASE("an iteration is one call of NCCL; an alltoall one group") {
    participant<float> p{4, number_of_ranks()};
    using call_names = std::vector<std::string>;
    nccl::stream_ordered sum{nccl::allreduce{p.comm, p.block(), ncclSum}, p.on, p.from(), p.into()};
    CHECK(nccl_calls([&] { sum(), sum(), complete(sum); }) == call_names(2, "ncclAllReduce 16 1"));
    nccl::nonblocking all{nccl::alltoall{p.comm, p.block()}, p.on, p.from(), p.into()};
    call_names expected{"ncclGroupStart"};
    for (int peer = 0; peer != p.size(); ++peer)
        for (auto const* call : {"ncclSend", "ncclRecv"})
            expected.push_back(std::string{call} + " 16 " + std::to_string(peer) + " 1");
    expected.push_back("ncclGroupEnd");
    CHECK(nccl_calls(all) == expected);
}

TEST_CASE("both call modes are patterns that run") {
    participant<float> p{100};
    nccl::allreduce const operation{p.comm, p.block(), ncclSum};
    nccl::stream_ordered ordered{operation, p.on, p.from(), p.into()};
    nccl::nonblocking waiting{operation, p.on, p.from(), p.into()};
    auto const once = plan{}.until(sonde::samples{1}).batch(1).warmup(0);
    CHECK(run(p.all, once, ordered).stop.samples == 1);
    CHECK(run(p.all, once, waiting).stop.samples == 1);
}

TEST_CASE("a collective is active from start to wait, and incomplete until all ranks have started it") {
    participant<float> p{100};
    nccl::nonblocking split{nccl::allreduce{p.comm, p.block(), ncclSum}, p.on, p.from(), p.into()};
    static_assert(NonblockingOperation<decltype(split)>);
    auto was_over = false;
    if (p.rank() == 0) {
        split.start();
        was_over = split.test();
    }
    p.all.barrier();
    if (p.rank() != 0) split.start();
    split.wait();
    CHECK(application::everywhere(!was_over && split.test()));
    CHECK(application::everywhere(read<float>(p.in, p.n) == combined_all<float>(p.n, p.size(), ncclSum)));
}

TEST_CASE("a region smaller than an operation's send or receive bytes is refused, and so is an invalid root") {
    participant<float> p{100};
    nccl::allgather const operation{p.comm, p.block()};
    auto const made = [&](std::size_t out, std::size_t in) {
        nccl::stream_ordered{operation, p.on, opaque_slice{opaque_region{nullptr, out, true}},
                             opaque_slice{opaque_region{nullptr, in, true}}};
    };
    auto const all = 400 * number_of_ranks();
    CHECK_NOTHROW(made(400, all));
    CHECK_THROWS_WITH_AS(made(399, all), "sonde::nccl: ncclAllGather sends from 400 bytes, the region has 399",
                         std::length_error);
    CHECK_THROWS_AS(made(400, all - 1), std::length_error);
    CHECK_THROWS_AS((nccl::bcast{p.comm, p.block(), p.size()}), std::invalid_argument);
    CHECK_THROWS_AS((nccl::reduce{p.comm, p.block(), ncclSum, -1}), std::invalid_argument);
}
