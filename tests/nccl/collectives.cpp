// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include "support.hpp"

#include <sonde/patterns/overlapped.hpp>

#include <algorithm>
#include <cstdint>
#include <stdexcept>

using namespace sonde;

namespace {

/// All but one hook.
struct moves_nothing {
    static constexpr auto called = "nothing";
    std::size_t sends() const { return 0; }
    std::size_t receives() const { return 0; }
    void enqueue(nccl::turn, ncclComm_t, cudaStream_t) const {}
};
static_assert(nccl::Collective<nccl::alltoall> && nccl::Collective<nccl::reduce> && !nccl::Collective<moves_nothing>);

template <class T>
constexpr auto type_of = ncclNumTypes;
template <>
constexpr auto type_of<std::int8_t> = ncclInt8;
template <>
constexpr auto type_of<std::uint32_t> = ncclUint32;
template <>
constexpr auto type_of<std::int64_t> = ncclInt64;
template <>
constexpr auto type_of<float> = ncclFloat;
template <>
constexpr auto type_of<double> = ncclDouble;

/// Element i of what a rank contributes.
template <class T>
T value(int rank, std::size_t i) {
    return static_cast<T>(1 + rank + static_cast<int>(i % 3));
}

template <class T>
std::vector<T> contributed(int rank, std::size_t n) {
    std::vector<T> all(n);
    for (std::size_t i = 0; i != n; ++i) all[i] = value<T>(rank, i);
    return all;
}

template <class T>
T combined(std::size_t i, int ranks, ncclRedOp_t op) {
    auto all = value<T>(0, i);
    for (int rank = 1; rank != ranks; ++rank) {
        auto const next = value<T>(rank, i);
        all = op == ncclMax    ? std::max(all, next)
              : op == ncclMin  ? std::min(all, next)
              : op == ncclProd ? static_cast<T>(all * next)
                               : static_cast<T>(all + next);
    }
    return op == ncclAvg ? static_cast<T>(all / static_cast<T>(ranks)) : all;
}

template <class T>
std::vector<T> combined_all(std::size_t n, int ranks, ncclRedOp_t op) {
    std::vector<T> all(n);
    for (std::size_t i = 0; i != n; ++i) all[i] = combined<T>(i, ranks, op);
    return all;
}

template <class T>
std::vector<T> part(std::vector<T> const& all, std::size_t first, std::size_t n) {
    auto const begin = all.begin() + static_cast<std::ptrdiff_t>(first);
    return {begin, begin + static_cast<std::ptrdiff_t>(n)};
}

/// What is in `in` after two iterations of a pattern, completed.
template <class T, class P>
std::vector<T> after(P pattern, ranks::device_allocation const& in, std::size_t n) {
    pattern();
    pattern();
    complete(pattern);
    return ranks::read<T>(in, n);
}

/// A rank with what it sends and receives, so many elements of each.
template <class T>
struct party : ranks::connected {
    std::size_t n;
    ranks::device_allocation out, in;

    explicit party(std::size_t elements, std::size_t blocks = 1)
        : n{elements}, out{elements * blocks * sizeof(T)}, in{elements * blocks * sizeof(T)} {
        ranks::write(out, contributed<T>(rank(), elements * blocks));
    }
    nccl::block block() const { return {type_of<T>, n}; }
    std::size_t self() const { return n * static_cast<std::size_t>(rank()); }
    auto from() const { return out.first(out.bytes().size()); }
    auto into() const { return in.first(in.bytes().size()); }
    /// Every rank's own block, or vector, in its place.
    void write_own(std::size_t at = 0) {
        auto const own = contributed<T>(rank(), n);
        in.write(at * sizeof(T), std::as_bytes(std::span{own}));
    }
};

auto const operations = {ncclSum, ncclProd, ncclMax, ncclMin, ncclAvg};
constexpr std::size_t lengths[] = {1, 1000, 30'011}; // more than is on its way at a time

std::size_t number_of_ranks() { return static_cast<std::size_t>(application::size()); }

} // namespace

TEST_CASE_TEMPLATE("allreduce: every rank has all vectors combined, by each operation", T, std::int8_t, std::uint32_t,
                   std::int64_t, float, double) {
    party<T> p{1000};
    for (auto const op : operations) {
        CAPTURE(op);
        p.in.fill(std::byte{0});
        auto const found =
            after<T>(nccl::enqueued{nccl::allreduce{p.comm, p.block(), op}, p.on, p.from(), p.into()}, p.in, p.n);
        CHECK(application::everywhere(found == combined_all<T>(p.n, p.size(), op)));
    }
}

TEST_CASE("allreduce in place: the vectors combined lie where each rank's was") {
    for (auto const n : lengths) {
        party<double> p{n};
        p.write_own();
        nccl::waited pattern{nccl::allreduce{p.comm, p.block(), ncclSum, nccl::in_place}, p.on, p.into()};
        pattern();
        CHECK(application::everywhere(ranks::read<double>(p.in, n) == combined_all<double>(n, p.size(), ncclSum)));
    }
}

TEST_CASE("allgather: every rank has all blocks, apart and in place") {
    for (auto const n : lengths) {
        party<float> p{n, number_of_ranks()};
        std::vector<float> expected;
        for (int rank = 0; rank != p.size(); ++rank)
            for (auto const v : contributed<float>(rank, n)) expected.push_back(v);
        auto const all = expected.size();
        p.in.fill(std::byte{0});
        auto found =
            after<float>(nccl::enqueued{nccl::allgather{p.comm, p.block()}, p.on, p.from(), p.into()}, p.in, all);
        CHECK(application::everywhere(found == expected));
        p.in.fill(std::byte{0});
        p.write_own(p.self());
        found =
            after<float>(nccl::waited{nccl::allgather{p.comm, p.block(), nccl::in_place}, p.on, p.into()}, p.in, all);
        CHECK(application::everywhere(found == expected));
    }
}

TEST_CASE("alltoall: every rank has the block of every rank that is meant for it, by one group of sends and receives") {
    for (auto const n : lengths) {
        party<std::int64_t> p{n, number_of_ranks()};
        std::vector<std::int64_t> expected;
        for (int rank = 0; rank != p.size(); ++rank)
            for (std::size_t i = 0; i != n; ++i) expected.push_back(value<std::int64_t>(rank, p.self() + i));
        auto const found = after<std::int64_t>(
            nccl::enqueued{nccl::alltoall{p.comm, p.block()}, p.on, p.from(), p.into()}, p.in, expected.size());
        CHECK(application::everywhere(found == expected));
    }
}

TEST_CASE("bcast: every rank has the root's block, in place and apart, whichever the root is") {
    party<float> p{1000};
    for (int root = 0; root != p.size(); ++root) {
        p.write_own();
        auto const expected = contributed<float>(root, p.n);
        auto found = after<float>(nccl::waited{nccl::bcast{p.comm, p.block(), root}, p.on, p.into()}, p.in, p.n);
        CHECK(application::everywhere(found == expected));
        p.in.fill(std::byte{0});
        nccl::bcast const apart{p.comm, p.block(), root, nccl::buffers::apart};
        found = after<float>(nccl::waited{apart, p.on, p.from(), p.into()}, p.in, p.n);
        CHECK(application::everywhere(found == expected));
    }
}

TEST_CASE("reduce: the root has all vectors combined, the others what they had") {
    party<std::uint32_t> p{1000};
    using T = std::uint32_t;
    for (int root = 0; root != p.size(); ++root) {
        auto const expected = p.rank() == root ? combined_all<T>(p.n, p.size(), ncclMax) : std::vector<T>(p.n);
        p.in.fill(std::byte{0});
        auto found = after<T>(nccl::enqueued{nccl::reduce{p.comm, p.block(), ncclMax, root}, p.on, p.from(), p.into()},
                              p.in, p.n);
        CHECK(application::everywhere(found == expected));
        if (p.rank() == root) p.write_own();
        nccl::reduce const own_lies_there{p.comm, p.block(), ncclMax, root, nccl::in_place};
        found = after<T>(nccl::enqueued{own_lies_there, p.on, p.from(), p.into()}, p.in, p.n);
        CHECK(application::everywhere(found == expected));
    }
}

TEST_CASE("reduce_scatter: each rank has its block of all vectors combined; in place, where its own was") {
    for (auto const n : lengths) {
        party<double> p{n, number_of_ranks()};
        auto const expected = part(combined_all<double>(n * number_of_ranks(), p.size(), ncclSum), p.self(), n);
        auto const found = after<double>(
            nccl::enqueued{nccl::reduce_scatter{p.comm, p.block(), ncclSum}, p.on, p.from(), p.into()}, p.in, n);
        CHECK(application::everywhere(found == expected));
        nccl::waited pattern{nccl::reduce_scatter{p.comm, p.block(), ncclSum, nccl::in_place}, p.on, p.from()};
        pattern();
        auto const all = ranks::read<double>(p.out, n * number_of_ranks());
        CHECK(application::everywhere(part(all, p.self(), n) == expected));
    }
}

TEST_CASE("what an operation moves, and its factor of bus bandwidth, is as nccl-tests has it") {
    ranks::on_devices all;
    auto const n = static_cast<double>(all.all.size());
    nccl::block const each{ncclFloat, 250};
    auto const is = [&](traffic t, double bytes, double bus) {
        return t.bytes == bytes / n && t.messages == 1 / n && t.legs == 1 && t.bus == bus;
    };
    CHECK(is(nccl::allgather{all.all, each}.moves(), n * 1000, (n - 1) / n));
    CHECK(is(nccl::allreduce{all.all, each, ncclSum}.moves(), 1000, 2 * ((n - 1) / n)));
    CHECK(is(nccl::alltoall{all.all, each}.moves(), n * 1000, (n - 1) / n));
    CHECK(is(nccl::bcast{all.all, each}.moves(), 1000, 1));
    CHECK(is(nccl::reduce{all.all, each, ncclSum}.moves(), 1000, 1));
    CHECK(is(nccl::reduce_scatter{all.all, each, ncclSum}.moves(), n * 1000, (n - 1) / n));
}

TEST_CASE("an iteration is one call of NCCL; an alltoall one group") {
    party<float> p{4, number_of_ranks()};
    using lines = std::vector<std::string>;
    nccl::enqueued sum{nccl::allreduce{p.comm, p.block(), ncclSum}, p.on, p.from(), p.into()};
    CHECK(ranks::nccl_calls([&] { sum(), sum(), complete(sum); }) == lines(2, "ncclAllReduce 16 1"));
    nccl::waited all{nccl::alltoall{p.comm, p.block()}, p.on, p.from(), p.into()};
    lines expected{"ncclGroupStart"};
    for (int peer = 0; peer != p.size(); ++peer)
        for (auto const* call : {"ncclSend", "ncclRecv"})
            expected.push_back(std::string{call} + " 16 " + std::to_string(peer) + " 1");
    expected.push_back("ncclGroupEnd");
    CHECK(ranks::nccl_calls(all) == expected);
}

TEST_CASE("a collective is under way from start to finish: not over before all ranks have come") {
    party<float> p{100};
    nccl::waited split{nccl::allreduce{p.comm, p.block(), ncclSum}, p.on, p.from(), p.into()};
    static_assert(Split<decltype(split)>);
    auto was_over = false;
    if (p.rank() == 0) {
        split.start();
        was_over = split.test();
    }
    p.all.barrier();
    if (p.rank() != 0) split.start();
    split.finish();
    CHECK(application::everywhere(!was_over && split.test()));
    CHECK(application::everywhere(ranks::read<float>(p.in, p.n) == combined_all<float>(p.n, p.size(), ncclSum)));
}

TEST_CASE("a region that is smaller than what an operation sends or receives is refused, and a root that is no rank") {
    party<float> p{100};
    nccl::allgather const kind{p.comm, p.block()};
    auto const made = [&](std::size_t out, std::size_t in) {
        nccl::enqueued{kind, p.on, opaque_slice{opaque_region{nullptr, out, true}},
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
