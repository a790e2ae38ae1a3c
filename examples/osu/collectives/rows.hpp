// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../../common/recipe.hpp"
#include "collective.hpp"

#include <sonde/mpi/collectives.hpp>

#include <tuple>

namespace osu {

namespace mpi = sonde::mpi;

/// A collective, and its operation: `make(recipe)` -> sonde::mpi::CollectiveOperation.
template <class Make>
struct row {
    collective of;
    Make make;
};
template <class Make>
row(collective, Make) -> row<Make>;

/// Every collective: a row here is all that its programs of all families need. meson.build reads the first two words of
/// each, name and families, from this text.
// clang-format off
inline constexpr std::tuple rows{
    row{{.name = "allgather", .families = "bnp", .title = "Allgather", .letters = "cuDTl"},
        [](common::recipe const& r) { return mpi::allgather{r.ranks, r.each, r.where}; }},
    row{{.name = "allgatherv", .families = "bnp", .title = "Allgatherv", .letters = "cuDTl"},
        [](common::recipe const& r) { return mpi::allgatherv{r.ranks, r.per_rank(), r.where}; }},
    row{{.name = "allreduce", .families = "bnp", .title = "Allreduce", .letters = "cuTl", .size_is = meaning::vector},
        [](common::recipe const& r) { return mpi::allreduce{r.ranks, r.each, MPI_SUM, r.where}; }},
    row{{.name = "alltoall", .families = "bnp", .title = "All-to-All Personalized Exchange", .letters = "cuDTl",
         .nonblocking_title = "Non-blocking All-to-All"},
        [](common::recipe const& r) { return mpi::alltoall{r.ranks, r.each, r.where}; }},
    row{{.name = "alltoallv", .families = "bnp", .title = "All-to-Allv Personalized Exchange", .letters = "cuDTl"},
        [](common::recipe const& r) { return mpi::alltoallv{r.ranks, r.per_rank(), r.per_rank(), r.where}; }},
    row{{.name = "alltoallw", .families = "bnp", .title = "All-to-Allw Personalized Exchange", .letters = "cuDTl"},
        [](common::recipe const& r) { return mpi::alltoallw{r.ranks, r.typed_per_rank(), r.typed_per_rank(), r.where}; }},
    row{{.name = "barrier", .families = "bnp", .title = "Barrier", .letters = "u",
         .sized = false, .nonblocking_lacks = "u", .nonblocking_counted = {{100, 10}, {100, 10}}},
        [](common::recipe const& r) { return mpi::barrier{r.ranks}; }},
    row{{.name = "bcast", .families = "bnp", .title = "Broadcast", .letters = "cuDT",
         .size_is = meaning::message, .nonblocking_title = "Non-Blocking Broadcast"},
        [](common::recipe const& r) { return mpi::bcast{r.ranks, r.each, r.at}; }},
    row{{.name = "gather", .families = "bnp", .title = "Gather", .letters = "cuDTlk"},
        [](common::recipe const& r) { return mpi::gather{r.ranks, r.each, r.at, r.where}; }},
    row{{.name = "gatherv", .families = "bnp", .title = "Gatherv", .letters = "cuDTlk",
         .nonblocking_counted = {{1'000, 10}, {100, 10}}},
        [](common::recipe const& r) { return mpi::gatherv{r.ranks, r.per_rank(), r.at, r.where}; }},
    row{{.name = "reduce", .families = "bnp", .title = "Reduce", .letters = "cuTlk", .size_is = meaning::vector},
        [](common::recipe const& r) { return mpi::reduce{r.ranks, r.each, MPI_SUM, r.at, r.where}; }},
    row{{.name = "reduce_scatter", .families = "bnp", .title = "Reduce_scatter", .letters = "cuTl",
         .size_is = meaning::vector},
        [](common::recipe const& r) { return mpi::reduce_scatter{r.ranks, r.each.type, r.shares(), MPI_SUM, r.where}; }},
    row{{.name = "reduce_scatter_block", .families = "bn", .title = "Reduce_scatter_block", .letters = "cuTl",
         .size_is = meaning::vector},
        [](common::recipe const& r) { return mpi::reduce_scatter_block{r.ranks, r.share(), MPI_SUM, r.where}; }},
    row{{.name = "scatter", .families = "bnp", .title = "Scatter", .letters = "cuDTlk"},
        [](common::recipe const& r) { return mpi::scatter{r.ranks, r.each, r.at, r.where}; }},
    row{{.name = "scatterv", .families = "bnp", .title = "Scatterv", .letters = "cuDTlk",
         .nonblocking_counted = {{1'000, 10}, {100, 10}}},
        [](common::recipe const& r) { return mpi::scatterv{r.ranks, r.per_rank(), r.at, r.where}; }},
    row{{.name = "neighbor_allgather", .families = "bn", .title = "Neighborhood Allgather", .letters = "cuDTN"},
        [](common::recipe const& r) { return mpi::neighbor_allgather{r.ranks, r.each}; }},
    row{{.name = "neighbor_allgatherv", .families = "bn", .title = "Neighborhood Allgatherv", .letters = "cuDTN"},
        [](common::recipe const& r) { return mpi::neighbor_allgatherv{r.ranks, r.each, r.per_source()}; }},
    row{{.name = "neighbor_alltoall", .families = "bn", .title = "Neighborhood Alltoall", .letters = "cuDTN"},
        [](common::recipe const& r) { return mpi::neighbor_alltoall{r.ranks, r.each}; }},
    row{{.name = "neighbor_alltoallv", .families = "bn", .title = "Neighborhood All-to-Allv", .letters = "cuDTN",
         .nonblocking_title = "Non-blocking Neighborhood Alltoallv"},
        [](common::recipe const& r) { return mpi::neighbor_alltoallv{r.ranks, r.per_destination(), r.per_source()}; }},
    row{{.name = "neighbor_alltoallw", .families = "bn", .title = "All-to-Allw Personalized Exchange",
         .letters = "cuDTN", .nonblocking_title = "Non-blocking Neighborhood Alltoallw"},
        [](common::recipe const& r) {
            return mpi::neighbor_alltoallw{r.ranks, r.typed_per_destination(), r.typed_per_source()};
        }}
};
// clang-format on

} // namespace osu
