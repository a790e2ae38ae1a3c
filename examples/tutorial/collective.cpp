// SPDX-License-Identifier: BSL-1.0

// The allreduce of an application: its time, its bandwidth, the time of each rank, and a check of its result.

#include <sonde/mpi.hpp>
#include <sonde/sonde.hpp>

#include <cstddef>
#include <cstdio>
#include <span>
#include <vector>

// [measure]
sonde::record measure(sonde::mpi::group& ranks, std::span<double> mine, std::span<double> sums) {
    sonde::mpi::allreduce const sum{ranks, {MPI_DOUBLE, mine.size()}, MPI_SUM};
    sonde::mpi::blocking pattern{sum, sonde::slice{std::as_writable_bytes(mine)},
                                 sonde::slice{std::as_writable_bytes(sums)}};
    auto const plan = sonde::plan<>{}
                          .synchronized(sonde::dissemination_barrier{})
                          .until(sonde::samples{500})
                          .keep({.rank_means = true});
    return sonde::run(ranks, plan, pattern, {"allreduce", {{"bytes", mine.size_bytes()}}});
}
// [/measure]

void print(sonde::record const& r) {
    std::printf("median of the slowest rank: %8.2f us\n", 1e6 * sonde::median(r).count());
    std::printf("largest mean of a rank:     %8.2f us (IMB: t_max)\n", 1e6 * r.over_ranks.max.count());
    std::printf("mean of the ranks' means:   %8.2f us (OMB: Avg Latency)\n", 1e6 * r.over_ranks.mean.count());
    std::printf("algorithm bandwidth:        %8.0f MB/s\n", sonde::bandwidth(r) / 1e6);
    std::printf("bus bandwidth:              %8.0f MB/s\n", sonde::bus_bandwidth(r) / 1e6);
    for (std::size_t rank = 0; rank != r.rank_means.size(); ++rank)
        std::printf("mean of rank %zu:             %8.2f us\n", rank, 1e6 * r.rank_means[rank].count());
}

// [validate]
/// Number of wrong elements on all ranks.
std::size_t validate(sonde::mpi::group& ranks, std::size_t n) {
    sonde::mpi::allreduce const sum{ranks, {MPI_DOUBLE, n}, MPI_SUM};
    sonde::host_allocation const out{sum.send_bytes()}, in{sum.recv_bytes()};
    sonde::mpi::blocking pattern{sum, sonde::slice{out.bytes()}, sonde::slice{in.bytes()}};
    // Element i of the contribution of a rank; the second argument is the destination, for operations that have one.
    auto const value = [](int rank, int, std::size_t i) { return 0.5 * static_cast<double>(i) + rank; };
    auto const plus = [](double a, double b) { return a + b; };
    auto const prepare = [&](std::size_t /*round*/) {
        sonde::write_contributions<double>(sum, 0, ranks.rank(), out.bytes(), in.bytes(), value);
    };
    auto const verify = [&](std::size_t /*round*/) {
        std::size_t wrong = 0;
        auto const compare = [&](std::size_t, double expected, double actual) { wrong += actual != expected; };
        sonde::for_each_received<double>(sum, 0, in.bytes(), value, plus, compare);
        return wrong;
    };
    return sonde::validate(ranks, pattern, prepare, verify);
}
// [/validate]

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    std::size_t wrong = 0;
    {
        sonde::mpi::group ranks{MPI_COMM_WORLD};
        std::vector<double> mine(1024, 1.0), sums(mine.size());
        auto const r = measure(ranks, mine, sums);
        if (ranks.rank() == 0) print(r);
        wrong = validate(ranks, mine.size());
        if (ranks.rank() == 0) std::printf("wrong elements:             %8zu\n", wrong);
        wrong += sums.front() != ranks.size();
    }
    MPI_Finalize();
    return wrong == 0 ? 0 : 1;
}
