// SPDX-License-Identifier: BSL-1.0
#include "tools/replay/trace/bytes_sent.hpp"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <initializer_list>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

namespace tools::replay {

namespace {

/// "allreduce" for Allreduce, Iallreduce and Allreduce_init.
std::string operation_of(std::string const& call) {
    std::string name;
    for (auto const c : call) name += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    if (name.ends_with("_init")) name.erase(name.size() - 5);
    if (name.starts_with('i')) name.erase(0, 1); // no blocking function begins with an i that is followed by a function
    return name;
}

bool is_one_of(std::string const& name, std::initializer_list<std::string_view> operations) {
    return std::find(operations.begin(), operations.end(), name) != operations.end();
}

/// True if the rank sends in place, from where it receives: as much as it receives of each rank, or of itself.
bool sends_in_place(event const& e, std::string const& operation, int rank) {
    if (e.type != absent || e.recv_type == absent) return false;
    if (is_one_of(operation, {"gather", "gatherv"})) return e.root == rank;
    return is_one_of(operation, {"allgather", "allgatherv", "alltoall", "alltoallv", "alltoallw"});
}

double sum_of(std::vector<std::int64_t> const& list, std::size_t n) {
    return static_cast<double>(std::accumulate(
        list.begin(), list.begin() + static_cast<std::ptrdiff_t>(std::min(n, list.size())), std::int64_t{0}));
}

} // namespace

double bytes_sent(step const& s, program const& of, communicator const& in, std::size_t neighbors) {
    auto const& e = s.what;
    if (s.is_invalid) return 0;
    auto const operation = operation_of(s.call);
    auto const is_in_place = sends_in_place(e, operation, in.rank);
    auto const size = static_cast<double>(of.size_of(is_in_place ? e.recv_type : e.type));
    auto const rank = static_cast<std::size_t>(in.rank);
    auto const count = is_in_place ? (rank < s.counts.size() ? s.counts[rank] : e.recv_count) : e.count;
    auto const one = count == absent ? 0 : static_cast<double>(count) * size;
    auto const ranks = static_cast<double>(in.size());
    if (e.to != absent) {
        auto const partitions = s.call == "Psend_init" && !s.counts.empty() ? static_cast<double>(s.counts[0]) : 1;
        return e.to == null_partner ? 0 : one * partitions;
    }
    if (operation == "bcast") return e.root == in.rank ? one : 0;
    if (is_one_of(operation, {"alltoall", "scatter"})) return one * ranks;
    if (is_one_of(operation, {"alltoallv", "alltoallw", "scatterv", "reduce_scatter"}))
        return sum_of(s.counts, in.world.size()) * size;
    if (is_one_of(operation, {"neighbor_allgather", "neighbor_alltoall", "neighbor_allgatherv"}))
        return one * static_cast<double>(neighbors);
    if (is_one_of(operation, {"neighbor_alltoallv", "neighbor_alltoallw"})) return sum_of(s.counts, neighbors) * size;
    return one;
}

} // namespace tools::replay
