// SPDX-License-Identifier: BSL-1.0
#include "../collective_contents.hpp"
#include "ranks.hpp"

#include <doctest/doctest.h>

#include <sonde/measure/run.hpp>
#include <sonde/upcxx/collectives.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <stdexcept>
#include <vector>

using namespace sonde::upcxx;

namespace {

/// A rank with room for the data of all operations here.
struct validated {
    group ranks;
    shared_allocation out{4096}, in{4096};

    sonde::slice from(auto const& operation) { return sonde::slice{out.bytes().first(operation.send_bytes())}; }
    sonde::slice into(auto const& operation) { return sonde::slice{in.bytes().first(operation.recv_bytes())}; }

    std::size_t wrong(auto operation, auto damage) {
        auto const sent = out.bytes().first(operation.send_bytes()), got = in.bytes().first(operation.recv_bytes());
        blocking pattern{operation, from(operation), into(operation)};
        auto const keep_on = [&](contents::buffers const& b) {
            if (!sent.empty()) std::memcpy(sent.data(), b.out.data(), b.out.size());
            if (!got.empty()) std::memcpy(got.data(), b.in.data(), b.in.size());
            ranks.barrier(); // another rank may put into this one's buffer
        };
        auto const load = [&](contents::buffers& b) {
            if (!got.empty()) std::memcpy(b.in.data(), got.data(), b.in.size());
        };
        return contents::wrong(ranks, pattern, keep_on, load, damage);
    }
    void check(auto const& operation) {
        contents::check(ranks, operation, [this](auto op, auto damage) { return this->wrong(op, damage); });
    }
};

template <class T, class Op>
T reduced(T mine) {
    group ranks;
    T const from[1] = {mine};
    T into[1] = {};
    reduce_all<T, Op> const all{ranks, 1};
    all.invoke({reinterpret_cast<std::byte*>(const_cast<T*>(from)), reinterpret_cast<std::byte*>(into), 0}, {});
    return into[0];
}

} // namespace

TEST_CASE("collectives move the right elements, and their validation finds wrong ones") {
    on_ranks([] {
        validated v;
        auto const last = v.ranks.size() - 1;
        if (last > 0) v.check(broadcast{v.ranks, 12, last}); // a single rank has the data already
        static_assert(TeamOperation<broadcast> && TeamOperation<alltoall>);
        v.check(reduce_one<contents::number, sum>{v.ranks, 3, last});
        v.check(reduce_all<contents::number, sum>{v.ranks, 3});
        v.check(gather{v.ranks, 12, last});
        v.check(allgather{v.ranks, 12});
        v.check(scatter{v.ranks, 12, last});
        v.check(alltoall{v.ranks, 12});
    });
}

TEST_CASE("reductions have the operations of UPC++") {
    static_assert(Reduction<char, sum> && Reduction<double, max> && Reduction<unsigned, bit_xor>);
    static_assert(!Reduction<double, bit_and> && !Reduction<std::byte, sum> && !Reduction<int, std::size_t>);
    on_ranks([] {
        auto const n = size();
        CHECK(reduced<std::int64_t, sum>(rank() + 1) == n * (n + 1) / 2);
        CHECK(reduced<double, prod>(2) == double(1 << n));
        CHECK(reduced<int, min>(10 - rank()) == 11 - n);
        CHECK(reduced<float, max>(static_cast<float>(rank())) == static_cast<float>(n - 1));
        CHECK(reduced<std::uint32_t, bit_or>(std::uint32_t{1} << rank()) == (std::uint32_t{1} << n) - 1);
        CHECK(reduced<std::uint32_t, bit_and>(rank() == 0 ? 3u : 1u) == (n == 1 ? 3u : 1u));
        CHECK(reduced<std::uint32_t, bit_xor>(5) == (n % 2 == 1 ? 5u : 0u));
    });
}

TEST_CASE("collectives are measured, and buffers of puts may rotate") {
    on_ranks([] {
        group ranks;
        auto const plan = sonde::plan<>{}.warmup(1).until(sonde::samples{5});
        (void)sonde::run(ranks, plan, blocking{barrier{ranks}});
        auto const block = static_cast<std::size_t>(size());
        shared_allocation out{block}, in{3 * block};
        out.fill(std::byte(rank() + 1));
        in.fill(std::byte{0});
        ranks.barrier();
        sonde::rotating into{in.bytes(), block, block};
        blocking pattern{alltoall{ranks, 1}, sonde::slice{out.bytes()}, into};
        CHECK(sonde::traffic_of(pattern).bytes == block);
        pattern();
        pattern();
        ranks.barrier();
        std::vector<std::byte> expected;
        for (int turn = 0; turn != 2; ++turn)
            for (int from = 0; from != size(); ++from) expected.push_back(std::byte(from + 1));
        expected.resize(3 * block); // the third region has not been used
        CHECK(std::vector<std::byte>(in.bytes().begin(), in.bytes().end()) == expected);
        ranks.barrier();
    });
}

TEST_CASE("bad collectives are refused") {
    on_ranks([] {
        group ranks;
        shared_allocation const memory{64};
        std::vector<std::byte> own(64);
        CHECK_THROWS_WITH_AS((broadcast{ranks, 8, size()}), doctest::Contains("sonde::upcxx: root "),
                             std::invalid_argument);
        CHECK_THROWS_AS((gather{ranks, 8, -1}), std::invalid_argument);
        CHECK_THROWS_AS((blocking{allgather{ranks, 65}, sonde::slice{memory.bytes()}, sonde::slice{memory.bytes()}}),
                        std::length_error);
        CHECK_THROWS_AS((blocking{allgather{ranks, 8}, sonde::slice{memory.bytes()}, sonde::slice{sonde::region{own}}}),
                        std::invalid_argument);
        ranks.barrier();
    });
}
