// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include "participant.hpp"

using namespace sonde;
using namespace ranks;

namespace {

auto const operations = {ncclSum, ncclProd, ncclMax, ncclMin, ncclAvg};

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
