// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../common/recipe.hpp"
#include "benchmark.hpp"

#include <sonde/mpi/collectives.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace imb {

namespace mpi = sonde::mpi;

/// What a collective of one size is made of, the operation of reductions included.
struct recipe : common::recipe {
    MPI_Op sum;

    std::vector<std::size_t> counts() const {
        return std::vector<std::size_t>(static_cast<std::size_t>(ranks.size()), each.count);
    }
};

/// IMB's broadcast: the root sends from the send buffer.
class bcast_from_send : public mpi::bcast {
public:
    explicit bcast_from_send(recipe const& r) : bcast{r.ranks, r.each, r.at}, rank_{r.ranks.rank()} {}

    std::size_t send_bytes() const { return recv_bytes(); }
    std::vector<mpi::contribution> contributions(int root) const {
        auto found = bcast::contributions(root);
        for (auto& p : found) p.in_recvbuf = false;
        return found;
    }
    std::vector<mpi::expected_block> expected_blocks(int root) const {
        if (rank_ == root) return {};
        return bcast::expected_blocks(root);
    }
    template <class F, class... More>
    int invoke(F call, mpi::call_arguments const& t, More... more) const {
        return bcast::invoke(call, {t.sendbuf, rank_ == t.root ? t.sendbuf : t.recvbuf, t.root}, more...);
    }

private:
    int rank_;
};

/// A collective in all programs that have it.
struct collective {
    char const* name;                                   // of the blocking form
    char const* forms;                                  // letters: b, blocking; n, non-blocking; p, persistent
    int later;                                          // its place among non-blocking and persistent ones
    lengths (*needs)(std::size_t s, std::size_t ranks); // the size, at least 4
    family kind = family::collective;
    bool reduces = false;
    bool rooted = false;
    bool persistent_by_default = true;
};

/// A collective, and its operation: `make(recipe)` -> sonde::mpi::CollectiveOperation.
template <class Make>
struct collective_row {
    collective of;
    Make make;
};
template <class Make>
collective_row(collective, Make) -> collective_row<Make>;

inline lengths nothing(std::size_t, std::size_t) { return {0, 0}; }
inline lengths one_to_one(std::size_t s, std::size_t) { return {s, s}; }
inline lengths all_to_one(std::size_t s, std::size_t ranks) { return {ranks * s, s}; }
inline lengths one_to_all(std::size_t s, std::size_t ranks) { return {s, ranks * s}; }
inline lengths all_to_all(std::size_t s, std::size_t ranks) { return {ranks * s, ranks * s}; }

/// Every collective, in the order of IMB-MPI1: a row here is all that the three programs need.
// clang-format off
inline constexpr std::tuple collective_rows{
    collective_row{{.name = "Allreduce", .forms = "bnp", .later = 12, .needs = one_to_one, .reduces = true},
        [](recipe const& r) { return mpi::allreduce{r.ranks, r.each, r.sum}; }},
    collective_row{{.name = "Reduce", .forms = "bnp", .later = 10, .needs = one_to_one, .reduces = true, .rooted = true},
        [](recipe const& r) { return mpi::reduce{r.ranks, r.each, r.sum, r.at}; }},
    collective_row{{.name = "Reduce_scatter", .forms = "bnp", .later = 11, .needs = all_to_one, .reduces = true},
        [](recipe const& r) { return mpi::reduce_scatter{r.ranks, r.each.type, r.counts(), r.sum}; }},
    collective_row{{.name = "Reduce_scatter_block", .forms = "b", .later = 0, .needs = all_to_one, .reduces = true},
        [](recipe const& r) { return mpi::reduce_scatter_block{r.ranks, r.each, r.sum}; }},
    collective_row{{.name = "Allgather", .forms = "bnp", .later = 2, .needs = one_to_all, .persistent_by_default = false},
        [](recipe const& r) { return mpi::allgather{r.ranks, r.each}; }},
    collective_row{{.name = "Allgatherv", .forms = "bnp", .later = 3, .needs = one_to_all},
        [](recipe const& r) { return mpi::allgatherv{r.ranks, r.per_rank()}; }},
    collective_row{{.name = "Gather", .forms = "bnp", .later = 4, .needs = one_to_all, .rooted = true},
        [](recipe const& r) { return mpi::gather{r.ranks, r.each, r.at}; }},
    collective_row{{.name = "Gatherv", .forms = "bnp", .later = 5, .needs = one_to_all, .rooted = true},
        [](recipe const& r) { return mpi::gatherv{r.ranks, r.per_rank(), r.at}; }},
    collective_row{{.name = "Scatter", .forms = "bnp", .later = 6, .needs = all_to_one, .rooted = true},
        [](recipe const& r) { return mpi::scatter{r.ranks, r.each, r.at}; }},
    collective_row{{.name = "Scatterv", .forms = "bnp", .later = 7, .needs = all_to_one, .rooted = true},
        [](recipe const& r) { return mpi::scatterv{r.ranks, r.per_rank(), r.at}; }},
    collective_row{{.name = "Alltoall", .forms = "bnp", .later = 8, .needs = all_to_all},
        [](recipe const& r) { return mpi::alltoall{r.ranks, r.each}; }},
    collective_row{{.name = "Alltoallv", .forms = "bnp", .later = 9, .needs = all_to_all},
        [](recipe const& r) { return mpi::alltoallv{r.ranks, r.per_rank(), r.per_rank()}; }},
    collective_row{{.name = "Bcast", .forms = "bnp", .later = 1, .needs = one_to_one, .rooted = true},
        [](recipe const& r) { return bcast_from_send{r}; }},
    collective_row{{.name = "Barrier", .forms = "bnp", .later = 13, .needs = nothing, .kind = family::synchronization},
        [](recipe const& r) { return mpi::barrier{r.ranks}; }}
};
// clang-format on

inline constexpr auto collectives =
    std::apply([](auto const&... row) { return std::array{row.of...}; }, collective_rows);

/// Has every place among non-blocking and persistent ones one row, from the first on?
consteval bool each_later_place_once() {
    auto const has_one = [](collective const& c) { return std::string_view{c.forms} != "b"; };
    auto const rows = std::count_if(collectives.begin(), collectives.end(), has_one);
    for (int place = 1; place <= rows; ++place)
        if (std::count_if(collectives.begin(), collectives.end(),
                          [&](auto const& c) { return has_one(c) && c.later == place; }) != 1)
            return false;
    return true;
}
static_assert(each_later_place_once());

} // namespace imb
