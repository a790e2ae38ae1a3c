// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include "../collective_contents.hpp"
#include "support.hpp"

#include <cstddef>
#include <span>
#include <vector>

using namespace sonde;
using namespace ranks;

namespace {

constexpr std::size_t n = 30'011; // numbers, more than are in flight at a time

/// A rank with room for n numbers of each rank, on its device.
struct validated : connected {
    nccl::block numbers{ncclInt32, n};
    std::size_t bytes = 4 * n * static_cast<std::size_t>(size());
    device_allocation out{bytes}, in{bytes};

    std::size_t wrong(auto operation, auto damage) {
        nccl::nonblocking pattern{operation, on, out.first(bytes), in.first(bytes)};
        auto const store = [this](contents::buffers const& b) {
            out.write(0, b.out);
            in.write(0, b.in);
        };
        auto const load = [this](contents::buffers& b) { in.read(0, b.in); };
        return contents::wrong(all, pattern, store, load, damage);
    }
    void check(auto const& operation) {
        contents::check(all, operation, [this](auto op, auto damage) { return this->wrong(op, damage); });
    }
};

/// A broadcast of the wrong root.
struct of_another_root : nccl::bcast {
    void invoke(call_arguments a, ncclComm_t comm, cudaStream_t stream) const {
        a.root = (a.root + 1) % group_size();
        bcast::invoke(a, comm, stream);
    }
};

} // namespace

TEST_CASE("validation by an operation's description finds right and wrong contents, out of place and in place") {
    validated v;
    for (auto const where : {placement::out_of_place, in_place}) {
        v.check(nccl::allgather{v.comm, v.numbers, where});
        v.check(nccl::allreduce{v.comm, v.numbers, ncclSum, where});
        for (int root = 0; root != v.size(); ++root) {
            v.check(nccl::bcast{v.comm, v.numbers, root, where});
            v.check(nccl::reduce{v.comm, v.numbers, ncclSum, root, where});
        }
        v.check(nccl::reduce_scatter{v.comm, v.numbers, ncclSum, where});
    }
    v.check(nccl::alltoall{v.comm, v.numbers});
}

TEST_CASE("validation finds a broadcast of another root") {
    validated v;
    of_another_root const wrong{{v.comm, v.numbers, 0, placement::out_of_place}};
    auto const everywhere = n * static_cast<std::size_t>(v.size());
    CHECK(v.wrong(wrong, contents::keep) == 2 * everywhere);
}
