// SPDX-License-Identifier: BSL-1.0
// Buffers of a collective, and the library's result, by which algorithms are validated.
#include "tools/replay/assess/collective_arguments.hpp"

#include "tools/replay/assess/collective_algorithms.hpp"

#include <sonde/mpi/error.hpp>
#include <sonde/mpi/rma/transfers.hpp>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <numeric>

namespace tools::replay {

namespace {

using sonde::mpi::check;

/// 1 or 2 for each element, by a hash of its place and the rank.
template <class T>
void fill(std::vector<std::byte>& memory, int rank) {
    for (std::size_t i = 0; i != memory.size() / sizeof(T); ++i) {
        auto const hash = (i + 1) * 0x9e3779b97f4a7c15 + static_cast<std::uint64_t>(rank) * 0xd1b54a32d192ed03;
        T const value = static_cast<T>(1 + ((hash >> 40) & 1));
        std::memcpy(memory.data() + i * sizeof(T), &value, sizeof(T));
    }
}

/// True if each content of its bytes is a number.
bool is_integer(MPI_Datatype type) {
    using sonde::mpi::detail::type_class;
    auto const found = sonde::mpi::detail::class_of(type);
    return found == type_class::byte || found == type_class::c_integer;
}

/// The result on this rank without the gaps of its elements, whose contents are undefined.
std::vector<char> data_of_result(collective_arguments const& a) {
    int bytes = 0, end = 0;
    if (a.result_elements() == 0) return {};
    check(MPI_Pack_size(a.result_elements(), a.type, a.comm, &bytes), "MPI_Pack_size");
    std::vector<char> data(static_cast<std::size_t>(bytes));
    check(MPI_Pack(a.in.data(), a.result_elements(), a.type, data.data(), bytes, &end, a.comm), "MPI_Pack");
    return data;
}

int total(std::vector<int> const& blocks) { return std::accumulate(blocks.begin(), blocks.end(), 0); }

std::vector<int> displacements(std::vector<int> const& blocks) {
    std::vector<int> places(blocks.size());
    for (std::size_t i = 1; i < blocks.size(); ++i) places[i] = places[i - 1] + blocks[i - 1];
    return places;
}

/// The library's collectives of blocks.
void call_of_blocks(collective_arguments& a) {
    auto const own_out = a.to[static_cast<std::size_t>(a.root)], own_in = a.from[static_cast<std::size_t>(a.root)];
    auto const to = displacements(a.to), from = displacements(a.from);
    auto* const out = a.out.data();
    auto* const in = a.in.data();
    if (a.collective == "Gather")
        check(MPI_Gatherv(out, own_out, a.type, in, a.from.data(), from.data(), a.type, a.root, a.comm), "MPI_Gatherv");
    if (a.collective == "Scatter")
        check(MPI_Scatterv(out, a.to.data(), to.data(), a.type, in, own_in, a.type, a.root, a.comm), "MPI_Scatterv");
    if (a.collective == "Allgather")
        check(MPI_Allgatherv(out, a.to[0], a.type, in, a.from.data(), from.data(), a.type, a.comm), "MPI_Allgatherv");
    if (a.collective == "Alltoall")
        check(MPI_Alltoallv(out, a.to.data(), to.data(), a.type, in, a.from.data(), from.data(), a.type, a.comm),
              "MPI_Alltoallv");
}

} // namespace

int collective_arguments::result_elements() const {
    if (collective == "Barrier" || (collective == "Reduce" && !is_root())) return 0;
    if (collective == "Bcast" || collective == "Reduce" || collective == "Allreduce") return count;
    if (collective == "Reduce_scatter") return to[static_cast<std::size_t>(rank)];
    return total(from);
}

void collective_arguments::prepare() {
    auto const longest = std::max({count + ranks, total(to) + ranks, total(from) + ranks, 1});
    auto const bytes = static_cast<std::size_t>(longest) * extent;
    for (auto* memory : {&out, &in, &scratch}) memory->assign(bytes, std::byte{0});
    if (type == MPI_DOUBLE) fill<double>(out, rank);
    else if (type == MPI_FLOAT) fill<float>(out, rank);
    else if (is_integer(type)) fill<unsigned char>(out, rank);
}

void call_library(collective_arguments& a) {
    auto* const out = a.out.data();
    auto* const in = a.in.data();
    if (a.collective == "Barrier") check(MPI_Barrier(a.comm), "MPI_Barrier");
    else if (a.collective == "Bcast") {
        if (a.is_root()) std::memcpy(in, out, static_cast<std::size_t>(a.count) * a.extent);
        check(MPI_Bcast(in, a.count, a.type, a.root, a.comm), "MPI_Bcast");
    } else if (a.collective == "Reduce")
        check(MPI_Reduce(out, in, a.count, a.type, a.op, a.root, a.comm), "MPI_Reduce");
    else if (a.collective == "Allreduce") check(MPI_Allreduce(out, in, a.count, a.type, a.op, a.comm), "MPI_Allreduce");
    else if (a.collective == "Reduce_scatter")
        check(MPI_Reduce_scatter(out, in, a.to.data(), a.type, a.op, a.comm), "MPI_Reduce_scatter");
    else call_of_blocks(a);
}

bool gives_the_same(collective_algorithm const& algorithm, collective_arguments& a) {
    call_library(a);
    auto const expected = data_of_result(a);
    std::fill(a.in.begin(), a.in.end(), std::byte{0x55});
    algorithm.call(a);
    return data_of_result(a) == expected;
}

} // namespace tools::replay
