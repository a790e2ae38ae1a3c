// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include "../collective_contents.hpp"

#include <sonde/shmem/collectives.hpp>
#include <sonde/shmem/reductions.hpp>

#include <shmem.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <vector>

using namespace sonde::shmem;

namespace {

/// A PE of a group with room for the data of all operations here.
struct validated {
    group ranks;
    symmetric_allocation out{4096}, in{4096};

    explicit validated(active_set set) : ranks{set} {}

    std::size_t wrong(auto operation, auto damage) {
        auto const from = out.bytes().first(operation.send_bytes()), into = in.bytes().first(operation.recv_bytes());
        blocking pattern{operation, sonde::slice{from}, sonde::slice{into}}; // of all PEs, because it allocates
        if (ranks.rank() < 0) return 0;
        auto const store = [&](contents::buffers const& b) {
            std::memcpy(from.data(), b.out.data(), b.out.size());
            std::memcpy(into.data(), b.in.data(), b.in.size());
        };
        auto const load = [&](contents::buffers& b) { std::memcpy(b.in.data(), into.data(), b.in.size()); };
        return contents::wrong(ranks, pattern, store, load, damage);
    }
    void check(auto const& operation) {
        contents::check(ranks, operation, [this](auto op, auto damage) { return this->wrong(op, damage); });
    }
};

} // namespace

TEST_CASE_TEMPLATE("collectives of all PEs, and of all but the first, move the right elements, and validation finds "
                   "wrong ones",
                   T, std::int32_t, std::int64_t) {
    auto const pes = shmem_n_pes();
    for (auto const set : {active_set::all(), active_set{pes > 1 ? 1 : 0, 0, pes > 1 ? pes - 1 : 1}}) {
        validated v{set};
        std::vector<std::size_t> counts;
        for (int r = 0; r != v.ranks.size(); ++r) counts.push_back(2 * static_cast<std::size_t>(r) + 2);
        v.check(broadcast<T>{v.ranks, 6, v.ranks.size() - 1});
        v.check(collect<T>{v.ranks, counts});
        v.check(fcollect<T>{v.ranks, 6});
        v.check(alltoall<T>{v.ranks, 6});
        v.check(alltoalls<T>{v.ranks, 6, 3, 2});
        if constexpr (std::is_same_v<T, contents::number>) v.check(reduce<T, sum>{v.ranks, 3});
        shmem_barrier_all();
    }
}
