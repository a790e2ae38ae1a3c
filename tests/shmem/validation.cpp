// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include "../collective_contents.hpp"

#include <sonde/shmem/collectives.hpp>
#include <sonde/shmem/reductions.hpp>

#include <shmem.h>

#include <cstddef>
#include <cstring>
#include <vector>

using namespace sonde::shmem;

namespace {

/// A PE with room for the data of all operations here.
struct validated {
    group ranks;
    symmetric_allocation out{4096}, in{4096};

    std::size_t wrong(auto operation, auto damage) {
        auto const from = out.bytes().first(operation.send_bytes()), into = in.bytes().first(operation.recv_bytes());
        blocking pattern{operation, sonde::slice{from}, sonde::slice{into}};
        auto const store = [&](contents::buffers const& b) {
            std::memcpy(from.data(), b.out.data(), b.out.size());
            std::memcpy(into.data(), b.in.data(), b.in.size());
        };
        auto const load = [&](contents::buffers& b) { std::memcpy(b.in.data(), into.data(), b.in.size()); };
        return contents::wrong(ranks, pattern, store, load, damage);
    }
    /// Right contents, a call that does nothing, and one damaged byte on each PE, in two rounds.
    template <class Op>
    void check(Op const& operation) {
        CAPTURE(Op::name);
        auto const receivers = contents::receivers(ranks, operation);
        CHECK(wrong(operation, contents::keep) == 0);
        CHECK((wrong(contents::silent<Op>{operation}, contents::keep) > 0) == (receivers > 0));
        CHECK(wrong(operation, contents::last_byte_of(operation)) == 2 * receivers);
    }
};

} // namespace

TEST_CASE("validation by an operation's description finds right and wrong contents") {
    validated v;
    auto const size = static_cast<std::size_t>(v.ranks.size());
    std::vector<std::size_t> counts;
    for (std::size_t r = 0; r != size; ++r) counts.push_back(r + 2);
    v.check(broadcast<int>{v.ranks, 3, v.ranks.size() - 1});
    v.check(collect<int>{v.ranks, counts});
    v.check(fcollect<int>{v.ranks, 3});
    v.check(alltoall<int>{v.ranks, 3});
    v.check(alltoalls<int>{v.ranks, 3, 3, 2});
    v.check(reduce<int, sum>{v.ranks, 3});
}
