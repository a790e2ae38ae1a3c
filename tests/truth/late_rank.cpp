// SPDX-License-Identifier: BSL-1.0

// Loops of work and an exchange on simulated ranks, with planted delays. For each seed a line: the waiting and the
// transfer in seconds, then the late ranks with the number of late steps and the first two of them, then the slow ones.
//
// usage: late_rank PLANT EXCHANGE SEEDS        EXCHANGE: line, all; the planted rank is the seed modulo the ranks

#include <sonde/lateness.hpp>
#include <sonde/mpi.hpp>

#include <smpi/smpi.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

constexpr int steps = 200;
constexpr double usual = 1e6; // flops of a step, 1 ms

struct plant {
    std::string kind;
    int seed, rank, ranks;

    /// Up to 5 %, by seed, rank and step.
    double noise(int step) const {
        sonde::detail::random_numbers random{static_cast<std::uint64_t>(step) * 7919 +
                                             static_cast<std::uint64_t>(rank * 104'729 + seed * 1'299'709)};
        random();
        random.state ^= random.state >> 29;
        return 0.05 * static_cast<double>(random() >> 1) / (1u << 30);
    }
    /// Share of the usual work that is added in a step; `site` is one of three in a step.
    double extra(int step, int site) const {
        auto const late = seed % ranks;
        if (kind == "always" && rank == late) return 0.3;
        if (kind == "tenth" && rank == late && step % 10 == 9) return 2;
        if (kind == "site" && rank == late && site == 1) return 0.3;
        if (kind == "two" && (rank == late || rank == (late + ranks / 2) % ranks)) return 0.4;
        if (kind == "moving" && rank == (step * 7 + seed) % ranks) return 0.4;
        return 0;
    }
};

void exchange(std::vector<int> const& neighbors) {
    std::vector<double> out(100), in(100 * neighbors.size());
    std::vector<MPI_Request> requests(2 * neighbors.size());
    for (std::size_t i = 0; i != neighbors.size(); ++i) {
        MPI_Irecv(&in[100 * i], 100, MPI_DOUBLE, neighbors[i], 0, MPI_COMM_WORLD, &requests[2 * i]);
        MPI_Isend(out.data(), 100, MPI_DOUBLE, neighbors[i], 0, MPI_COMM_WORLD, &requests[2 * i + 1]);
    }
    MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
}

void print(int seed, sonde::lateness_record const& r) {
    sonde::seconds waiting{}, transfer{};
    for (auto const& e : r.exchanges) waiting += e.waiting, transfer += e.transfer;
    std::printf("%d waiting %.9f transfer %.9f steps %zu", seed, waiting.count(), transfer.count(), r.steps);
    for (auto const& l : r.late)
        std::printf(" late %d %s %zu %zu %zu", l.rank, l.exchange.c_str(), l.steps.size(), l.steps.front(),
                    l.steps.back());
    for (auto const& s : r.slow_transfers)
        for (auto const rank : s.ranks) std::printf(" slow %d", rank);
    std::puts("");
}

} // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    sonde::mpi::abort_on_exception(MPI_COMM_WORLD, [&] {
        sonde::mpi::group ranks{MPI_COMM_WORLD};
        auto const rank = ranks.rank(), size = ranks.size();
        std::vector<int> neighbors;
        for (auto const other : {rank - 1, rank + 1})
            if (other >= 0 && other < size) neighbors.push_back(other);
        auto const line = argv[2] == std::string{"line"};
        for (int seed = 0; seed != std::atoi(argv[3]); ++seed) {
            plant const p{argv[1], seed, rank, size};
            auto const sites = p.kind == "site" ? 3 : 1;
            sonde::basic_probe<sonde::mpi::wtime> probe;
            auto& work = probe.work("work");
            MPI_Barrier(MPI_COMM_WORLD);
            for (int step = 0; step != steps; ++step)
                for (int site = 0; site != sites; ++site) {
                    auto& scope =
                        probe.exchange("e" + std::to_string(site), {.partners = line ? neighbors : std::vector<int>{}});
                    {
                        auto const pass = work.enter();
                        smpi_execute_flops(usual * (1 + p.noise(3 * step + site) + p.extra(step, site)));
                    }
                    auto const pass = scope.enter();
                    if (line) exchange(neighbors);
                    else MPI_Barrier(MPI_COMM_WORLD);
                }
            auto const found = sonde::collect_lateness(ranks, probe);
            if (rank == 0) print(seed, found);
        }
    });
    MPI_Finalize();
}
