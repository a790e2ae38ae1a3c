// SPDX-License-Identifier: BSL-1.0

// The application's own allreduce: what it costs, who is slow in it, whether it is right.

#include <sonde/mpi/mpi.hpp>
#include <sonde/sonde.hpp>

#include <cstddef>
#include <cstdio>
#include <span>
#include <vector>

// [measure]
sonde::record measure(sonde::mpi::group& ranks, std::span<double> mine, std::span<double> sums) {
    sonde::mpi::blocking pattern{sonde::mpi::allreduce{ranks, {MPI_DOUBLE, mine.size()}, MPI_SUM},
                                 sonde::slice{std::as_writable_bytes(mine)},
                                 sonde::slice{std::as_writable_bytes(sums)}};
    auto const plan = sonde::plan<>{}
                          .synchronized(sonde::mpi::disseminated(ranks))
                          .until(sonde::samples{500})
                          .keep({.rank_means = true});
    return sonde::run(ranks, plan, pattern, {"allreduce", {{"bytes", mine.size_bytes()}}});
}
// [/measure]

void tell(sonde::record const& r) {
    // [tell]
    std::printf("slowest rank, median:      %8.2f us\n", 1e6 * sonde::typical(r).count());
    std::printf("slowest rank's mean:       %8.2f us (IMB's t_max)\n", 1e6 * r.over_ranks.max.count());
    std::printf("mean of the ranks' means:  %8.2f us (OSU's latency)\n", 1e6 * r.over_ranks.mean.count());
    std::printf("algorithm, bus bandwidth:  %8.0f, %.0f MB/s\n", sonde::bandwidth(r) / 1e6,
                sonde::bus_bandwidth(r) / 1e6);
    for (std::size_t rank = 0; rank != r.rank_means.size(); ++rank)
        std::printf("  rank %zu: %8.2f us\n", rank, 1e6 * r.rank_means[rank].count());
    // [/tell]
}

// [check]
std::size_t wrong_elements(sonde::mpi::group& ranks, std::size_t n) {
    sonde::mpi::allreduce const sum{ranks, {MPI_DOUBLE, n}, MPI_SUM};
    sonde::host_allocation const out{sum.sends()}, in{sum.receives()};
    sonde::mpi::blocking pattern{sum, sonde::slice{out.bytes()}, sonde::slice{in.bytes()}};
    auto const value = [](int rank, int, std::size_t i) { return 0.5 * static_cast<double>(i) + rank; };
    auto const plus = [](double a, double b) { return a + b; };
    auto const prepare = [&](std::size_t) {
        sonde::mpi::write_parts<double>(sum, 0, ranks.rank(), out.bytes(), in.bytes(), value);
    };
    auto const verify = [&](std::size_t) {
        std::size_t wrong = 0;
        sonde::mpi::for_each_received<double>(
            sum, 0, in.bytes(), value, plus,
            [&](std::size_t, double expected, double actual) { wrong += actual != expected; });
        return wrong;
    };
    return sonde::check(ranks, pattern, prepare, verify);
}
// [/check]

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    std::size_t wrong = 0;
    {
        sonde::mpi::group ranks{MPI_COMM_WORLD};
        std::vector<double> mine(1024, 1.0), sums(mine.size());
        auto const r = measure(ranks, mine, sums);
        if (ranks.rank() == 0) tell(r);
        wrong = wrong_elements(ranks, mine.size()) + (sums.front() != ranks.size());
    }
    MPI_Finalize();
    return wrong == 0 ? 0 : 1;
}
