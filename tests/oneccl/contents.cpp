// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include "../collective_contents.hpp"
#include "connected.hpp"

#include <sonde/memory.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <vector>

using namespace sonde;
using namespace ranks;

namespace {

constexpr std::size_t n = 5'003; // numbers, whose reductions are split among ranks with a remainder

/// An operation whose call may do nothing: the ranks then meet without moving data.
template <class Op>
struct awaited : Op {
    ccl::event invoke(call_arguments a, ccl::communicator const& comm) const {
        if constexpr (std::same_as<decltype(Op::invoke(a, comm)), void>) return ccl::barrier(comm);
        else return Op::invoke(a, comm);
    }
};

/// A rank with room for n numbers of each rank.
struct validated : connected {
    oneccl::block numbers{ccl::datatype::int32, n};
    std::size_t bytes = 4 * n * static_cast<std::size_t>(size());
    host_allocation out{bytes}, in{bytes};

    template <class Op>
    std::size_t wrong(Op const& operation, auto damage) {
        oneccl::nonblocking pattern{awaited<Op>{operation}, comm, out.first(bytes), in.first(bytes)};
        auto const store = [this](contents::buffers const& b) {
            std::copy(b.out.begin(), b.out.end(), out.bytes().begin());
            std::copy(b.in.begin(), b.in.end(), in.bytes().begin());
        };
        auto const load = [this](contents::buffers& b) { std::copy_n(in.bytes().begin(), b.in.size(), b.in.begin()); };
        return contents::wrong(all, pattern, store, load, damage);
    }
    void check(auto const& operation) {
        contents::check(all, operation, [this](auto op, auto damage) { return this->wrong(op, damage); });
    }
};

/// A broadcast of the wrong root.
struct of_another_root : oneccl::bcast {
    ccl::event invoke(call_arguments a, ccl::communicator const& comm) const {
        a.root = (a.root + 1) % group_size();
        return bcast::invoke(a, comm);
    }
};

} // namespace

TEST_CASE("validation by an operation's description finds right and wrong contents, out of place and in place") {
    validated v;
    for (auto const where : {placement::out_of_place, in_place}) {
        v.check(oneccl::allgather{v.comm, v.numbers, where});
        v.check(oneccl::allreduce{v.comm, v.numbers, ccl::reduction::sum, where});
        for (auto const root : {0, v.size() - 1}) {
            v.check(oneccl::bcast{v.comm, v.numbers, root, where});
            v.check(oneccl::reduce{v.comm, v.numbers, ccl::reduction::sum, root, where});
        }
        v.check(oneccl::reduce_scatter{v.comm, v.numbers, ccl::reduction::sum, where});
    }
    v.check(oneccl::alltoall{v.comm, v.numbers});
}

TEST_CASE("validation finds a broadcast of another root") {
    validated v;
    of_another_root const wrong{{v.comm, v.numbers, 0, placement::out_of_place}};
    CHECK(v.wrong(wrong, contents::keep) == 2 * n * static_cast<std::size_t>(v.size()));
}

TEST_CASE("a collective is started, tested until it is complete, and timed by a plan") {
    connected c;
    host_allocation out{4 * n}, in{4 * n};
    oneccl::nonblocking pattern{oneccl::allreduce{c.comm, {ccl::datatype::float32, n}, ccl::reduction::sum}, c.comm,
                                out.first(4 * n), in.first(4 * n)};
    pattern.start();
    while (!pattern.test()) continue;
    pattern.wait();
    auto const record = sonde::run(c.all, plan<>{}.until(samples{3}), pattern);
    CHECK(application::everywhere(record.stop.samples == 3 && bandwidth(record) > 0));
}
