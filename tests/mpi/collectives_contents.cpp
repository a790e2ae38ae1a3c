// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include "application.hpp"
#include "collective_forms.hpp"
#include "collective_kinds.hpp"
#include "collective_sweep.hpp"

#include <array>
#include <string>

using namespace sonde;

namespace {

/// Of a kind, on memory of its own, in each form.
struct all_right {
    mpi::group& ranks;
    template <mpi::Collective K>
    void operator()(K const& kind) const {
        sweep::memories m{kind};
        auto const check = [&](auto pattern, std::string const& name) {
            CAPTURE(name);
            auto const errors = sweep::errors(ranks.rank(), pattern, m);
            CHECK(errors == 0);
        };
        forms::each(kind, slice{m.out.all()}, slice{m.in.all()}, check, {.ranks = ranks.size()});
    }
};

std::array<mpi::root, 3> roots(mpi::group const& ranks) { return {0, ranks.size() - 1, mpi::root::rotating()}; }

} // namespace

TEST_CASE("every rank finds what all contributed, in every form of every collective without root") {
    mpi::group ranks{application::comm()};
    kinds::combining(ranks, MPI_UINT32_T, MPI_SUM, mpi::buffers::apart, all_right{ranks});
    kinds::collecting(ranks, mpi::buffers::apart, all_right{ranks});
}

TEST_CASE("the same in place") {
    mpi::group ranks{application::comm()};
    kinds::combining(ranks, MPI_UINT32_T, MPI_SUM, mpi::in_place, all_right{ranks});
    kinds::collecting(ranks, mpi::in_place, all_right{ranks});
}

TEST_CASE("rooted collectives do what they must for the first root, the last, and each in turn, in place or not") {
    mpi::group ranks{application::comm()};
    for (auto const at : roots(ranks)) {
        CAPTURE(at.rank);
        CAPTURE(at.rotates);
        kinds::rooted(ranks, at, mpi::buffers::apart, all_right{ranks});
        kinds::rooted(ranks, at, mpi::in_place, all_right{ranks});
        all_right{ranks}(mpi::bcast{ranks, kinds::three(), at});
    }
}

TEST_CASE("in place there is one region: nothing is asked of the other") {
    mpi::group ranks{application::comm()};
    auto const sends_nothing = [](auto const& kind) {
        CHECK(kind.sends() == 0);
        CHECK(kind.receives() != 0);
    };
    kinds::combining(ranks, MPI_UINT32_T, MPI_SUM, mpi::in_place, sends_nothing);
    sends_nothing(mpi::allgather{ranks, kinds::three(), mpi::in_place});
    sends_nothing(mpi::alltoall{ranks, kinds::three(), mpi::in_place});
    auto const last = ranks.size() - 1;
    auto const is_root = ranks.rank() == last;
    mpi::gather const gather{ranks, kinds::three(), last, mpi::in_place};
    CHECK((gather.sends() == 0) == is_root);
    mpi::reduce const reduce{ranks, kinds::three(), MPI_SUM, last, mpi::in_place};
    CHECK((reduce.sends() == 0) == is_root);
    mpi::scatter const scatter{ranks, kinds::three(), last, mpi::in_place};
    CHECK((scatter.receives() == 0) == is_root);
}
