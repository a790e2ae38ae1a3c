// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include "participant.hpp"

using namespace sonde;
using namespace ranks;

namespace {

auto const operations = {ncclSum, ncclProd, ncclMax, ncclMin, ncclAvg};
constexpr std::size_t lengths[] = {1, 1000, 30'011}; // more than is in flight at a time

} // namespace

TEST_CASE_TEMPLATE("allreduce: every rank receives the reduction of all vectors, for each operation", T, std::int8_t,
                   std::uint32_t, std::int64_t, float, double) {
    participant<T> p{1000};
    for (auto const op : operations) {
        CAPTURE(op);
        p.in.fill(std::byte{0});
        auto const found =
            after<T>(nccl::stream_ordered{nccl::allreduce{p.comm, p.block(), op}, p.on, p.from(), p.into()}, p.in, p.n);
        CHECK(application::everywhere(found == combined_all<T>(p.n, p.size(), op)));
    }
}

TEST_CASE("allreduce in place: each rank's vector is replaced by the reduction") {
    for (auto const n : lengths) {
        participant<double> p{n};
        p.write_own();
        nccl::nonblocking pattern{nccl::allreduce{p.comm, p.block(), ncclSum, sonde::in_place}, p.on, p.into()};
        pattern();
        CHECK(application::everywhere(read<double>(p.in, n) == combined_all<double>(n, p.size(), ncclSum)));
    }
}

TEST_CASE("allgather: every rank receives all blocks, out of place and in place") {
    for (auto const n : lengths) {
        participant<float> p{n, number_of_ranks()};
        std::vector<float> expected;
        for (int rank = 0; rank != p.size(); ++rank)
            for (auto const v : contributed<float>(rank, n)) expected.push_back(v);
        auto const all = expected.size();
        p.in.fill(std::byte{0});
        auto found =
            after<float>(nccl::stream_ordered{nccl::allgather{p.comm, p.block()}, p.on, p.from(), p.into()}, p.in, all);
        CHECK(application::everywhere(found == expected));
        p.in.fill(std::byte{0});
        p.write_own(p.self());
        found = after<float>(nccl::nonblocking{nccl::allgather{p.comm, p.block(), sonde::in_place}, p.on, p.into()},
                             p.in, all);
        CHECK(application::everywhere(found == expected));
    }
}

TEST_CASE("alltoall: every rank receives its block from every rank, by one group of sends and receives") {
    for (auto const n : lengths) {
        participant<std::int64_t> p{n, number_of_ranks()};
        std::vector<std::int64_t> expected;
        for (int rank = 0; rank != p.size(); ++rank)
            for (std::size_t i = 0; i != n; ++i) expected.push_back(value<std::int64_t>(rank, p.self() + i));
        auto const found = after<std::int64_t>(
            nccl::stream_ordered{nccl::alltoall{p.comm, p.block()}, p.on, p.from(), p.into()}, p.in, expected.size());
        CHECK(application::everywhere(found == expected));
    }
}

TEST_CASE("bcast: every rank receives the root's block, in place and out of place, for each root") {
    participant<float> p{1000};
    for (int root = 0; root != p.size(); ++root) {
        p.write_own();
        auto const expected = contributed<float>(root, p.n);
        auto found = after<float>(nccl::nonblocking{nccl::bcast{p.comm, p.block(), root}, p.on, p.into()}, p.in, p.n);
        CHECK(application::everywhere(found == expected));
        p.in.fill(std::byte{0});
        nccl::bcast const apart{p.comm, p.block(), root, sonde::placement::out_of_place};
        found = after<float>(nccl::nonblocking{apart, p.on, p.from(), p.into()}, p.in, p.n);
        CHECK(application::everywhere(found == expected));
    }
}

TEST_CASE("reduce: the root receives the reduction of all vectors, the others keep their contents") {
    participant<std::uint32_t> p{1000};
    using T = std::uint32_t;
    for (int root = 0; root != p.size(); ++root) {
        auto const expected = p.rank() == root ? combined_all<T>(p.n, p.size(), ncclMax) : std::vector<T>(p.n);
        p.in.fill(std::byte{0});
        auto found = after<T>(
            nccl::stream_ordered{nccl::reduce{p.comm, p.block(), ncclMax, root}, p.on, p.from(), p.into()}, p.in, p.n);
        CHECK(application::everywhere(found == expected));
        if (p.rank() == root) p.write_own();
        nccl::reduce const own_lies_there{p.comm, p.block(), ncclMax, root, sonde::in_place};
        found = after<T>(nccl::stream_ordered{own_lies_there, p.on, p.from(), p.into()}, p.in, p.n);
        CHECK(application::everywhere(found == expected));
    }
}

TEST_CASE("reduce_scatter: each rank receives its block of the reduction, out of place and in place") {
    for (auto const n : lengths) {
        participant<double> p{n, number_of_ranks()};
        auto const expected = part(combined_all<double>(n * number_of_ranks(), p.size(), ncclSum), p.self(), n);
        auto const found = after<double>(
            nccl::stream_ordered{nccl::reduce_scatter{p.comm, p.block(), ncclSum}, p.on, p.from(), p.into()}, p.in, n);
        CHECK(application::everywhere(found == expected));
        nccl::nonblocking pattern{nccl::reduce_scatter{p.comm, p.block(), ncclSum, sonde::in_place}, p.on, p.from()};
        pattern();
        auto const all = read<double>(p.out, n * number_of_ranks());
        CHECK(application::everywhere(part(all, p.self(), n) == expected));
    }
}
