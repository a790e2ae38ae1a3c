// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../../common/recipe.hpp"
#include "../collectives/collective.hpp"

#include <sonde/mpi/collectives.hpp>
#include <sonde/nccl/collectives.hpp>

#include <tuple>

namespace osu::xccl {

namespace mpi = sonde::mpi;
namespace nccl = sonde::nccl;

/// A collective: `make(recipe)` -> sonde::nccl::CollectiveOperation, and what is the same to MPI, by which contents are
/// checked.
template <class Make, class Same>
struct row {
    collective of;
    Make make;
    Same same;
};
template <class Make, class Same>
row(collective, Make, Same) -> row<Make, Same>;

constexpr nccl::block bytes(mpi::block each) { return {ncclChar, each.count}; }
constexpr nccl::block floats(mpi::block each) { return {ncclFloat, each.count}; }

/// Every collective of NCCL that OMB measures; those whose size is of a vector add floats. meson.build reads the names
/// from this text.
// clang-format off
inline constexpr std::tuple rows{
    row{{.name = "allgather", .families = "", .title = "Allgather", .letters = ""},
        [](common::recipe const& r) { return nccl::allgather{r.ranks, bytes(r.each)}; },
        [](common::recipe const& r) { return mpi::allgather{r.ranks, r.each}; }},
    row{{.name = "allreduce", .families = "", .title = "Allreduce", .letters = "", .size_is = meaning::vector},
        [](common::recipe const& r) { return nccl::allreduce{r.ranks, floats(r.each), ncclSum}; },
        [](common::recipe const& r) { return mpi::allreduce{r.ranks, r.each, MPI_SUM}; }},
    row{{.name = "alltoall", .families = "", .title = "All-to-All Personalized Exchange", .letters = "T",
         .says_limit = false},
        [](common::recipe const& r) { return nccl::alltoall{r.ranks, bytes(r.each)}; },
        [](common::recipe const& r) { return mpi::alltoall{r.ranks, r.each}; }},
    row{{.name = "bcast", .families = "", .title = "Broadcast", .letters = "", .size_is = meaning::message},
        [](common::recipe const& r) { return nccl::bcast{r.ranks, bytes(r.each)}; },
        [](common::recipe const& r) { return mpi::bcast{r.ranks, r.each}; }},
    row{{.name = "reduce", .families = "", .title = "Reduce", .letters = "", .size_is = meaning::vector},
        [](common::recipe const& r) { return nccl::reduce{r.ranks, floats(r.each), ncclSum}; },
        [](common::recipe const& r) { return mpi::reduce{r.ranks, r.each, MPI_SUM}; }},
    row{{.name = "reduce_scatter", .families = "", .title = "Reduce_scatter", .letters = "",
         .size_is = meaning::vector},
        [](common::recipe const& r) { return nccl::reduce_scatter{r.ranks, floats(r.share()), ncclSum}; },
        [](common::recipe const& r) { return mpi::reduce_scatter_block{r.ranks, r.share(), MPI_SUM}; }}
};
// clang-format on

} // namespace osu::xccl
