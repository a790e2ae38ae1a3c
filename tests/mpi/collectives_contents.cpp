// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include "application.hpp"
#include "collective_operations.hpp"
#include "collective_sweep.hpp"

#include <array>
#include <string>

using namespace sonde;

namespace {

/// Checks one operation, in its own memory, in each call mode.
struct all_right {
    mpi::group& ranks;
    template <sonde::CollectiveOperation Op>
    void operator()(Op const& operation) const {
        sweep::memories m{operation};
        auto const check = [&](auto pattern, std::string const& name) {
            CAPTURE(name);
            auto const errors = sweep::errors(ranks.rank(), pattern, m);
            CHECK(errors == 0);
        };
        call_modes::each(operation, slice{m.out.all()}, slice{m.in.all()}, check, {.ranks = ranks.size()});
    }
};

std::array<sonde::root_rank, 3> roots(mpi::group const& ranks) {
    return {0, ranks.size() - 1, sonde::root_rank::rotating()};
}

} // namespace

TEST_CASE("in every call mode of every collective without a root, each rank receives the contributions of all") {
    mpi::group ranks{application::comm()};
    operations::combining(ranks, MPI_UINT32_T, MPI_SUM, sonde::placement::out_of_place, all_right{ranks});
    operations::collecting(ranks, sonde::placement::out_of_place, all_right{ranks});
}

TEST_CASE("in-place collectives without a root deliver the contributions of all") {
    mpi::group ranks{application::comm()};
    operations::combining(ranks, MPI_UINT32_T, MPI_SUM, sonde::in_place, all_right{ranks});
    operations::collecting(ranks, sonde::in_place, all_right{ranks});
}

TEST_CASE("rooted collectives deliver to the first root, the last, and each in turn, in place or not") {
    mpi::group ranks{application::comm()};
    for (auto const at : roots(ranks)) {
        CAPTURE(at.rank);
        CAPTURE(at.rotates);
        operations::rooted(ranks, at, sonde::placement::out_of_place, all_right{ranks});
        operations::rooted(ranks, at, sonde::in_place, all_right{ranks});
        all_right{ranks}(mpi::bcast{ranks, operations::three(), at});
    }
}

TEST_CASE("an in-place pattern takes one region and does not read the other") {
    mpi::group ranks{application::comm()};
    auto const sends_nothing = [](auto const& operation) {
        CHECK(operation.send_bytes() == 0);
        CHECK(operation.recv_bytes() != 0);
    };
    operations::combining(ranks, MPI_UINT32_T, MPI_SUM, sonde::in_place, sends_nothing);
    sends_nothing(mpi::allgather{ranks, operations::three(), sonde::in_place});
    sends_nothing(mpi::alltoall{ranks, operations::three(), sonde::in_place});
    auto const last = ranks.size() - 1;
    auto const is_root = ranks.rank() == last;
    mpi::gather const gather{ranks, operations::three(), last, sonde::in_place};
    CHECK((gather.send_bytes() == 0) == is_root);
    mpi::reduce const reduce{ranks, operations::three(), MPI_SUM, last, sonde::in_place};
    CHECK((reduce.send_bytes() == 0) == is_root);
    mpi::scatter const scatter{ranks, operations::three(), last, sonde::in_place};
    CHECK((scatter.recv_bytes() == 0) == is_root);
}
