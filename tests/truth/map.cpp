// SPDX-License-Identifier: BSL-1.0

// Maps of all pairs of simulated hosts, of which one host or link may be slow. Usage: map SEEDS ROUNDS: for each of
// SEEDS seeds, multiplies all times by lognormal noise of 5 % and prints "SEED: " and the suspects, such as "rank 5
// both" or "pair 3 9 from". ROUNDS are measured, 0: all.

#include <sonde/map.hpp>
#include <sonde/map/residuals.hpp>
#include <sonde/map/suspects.hpp>
#include <sonde/mpi.hpp>
#include <sonde/sonde.hpp>

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>

namespace {

namespace mpi = sonde::mpi;

std::string text_of(sonde::suspect const& s) {
    constexpr char const* kinds[] = {"rank", "groups", "pair"};
    constexpr char const* directions[] = {"both", "from", "to"};
    return std::string{kinds[static_cast<std::size_t>(s.kind)]} + ' ' + std::to_string(s.rank) +
           (s.peer < 0 ? "" : ' ' + std::to_string(s.peer)) + ' ' + directions[static_cast<std::size_t>(s.direction)];
}

void print_suspects(sonde::pair_times const& exact, int seeds) {
    for (int seed = 1; seed <= seeds; ++seed) {
        auto times = exact;
        std::mt19937 random{static_cast<unsigned>(seed)};
        std::lognormal_distribution<double> noise{0, 0.05};
        for (auto& t : times.times) t *= noise(random);
        std::printf("%d:", seed);
        for (auto const& s : sonde::find_suspects(times, sonde::find_rank_groups(times)))
            std::printf(" %s;", text_of(s).c_str());
        std::printf("\n");
    }
}

} // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    mpi::abort_on_exception(MPI_COMM_WORLD, [&] {
        mpi::group ranks{MPI_COMM_WORLD};
        constexpr std::size_t bytes = 65536, depth = 4;
        sonde::host_allocation const out{bytes}, in{depth * sonde::host_allocation::stride_of(bytes)}, token{1};
        auto const make = [&](int peer, sonde::role role) {
            return sonde::stream{
                mpi::async_link{ranks, peer}, role,          depth, out.first(bytes), in.distinct_regions(bytes, depth),
                mpi::link{ranks, peer},       token.first(1)};
        };
        auto const plan = sonde::plan<>{}.timed_by(mpi::wtime{}).warmup(0).until(sonde::samples{1});
        sonde::map_options options{.at_once = sonde::pairs_at_once::round};
        options.rounds = std::atoi(argv[2]);
        auto const found = sonde::map_on_root(ranks, plan, make, options);
        if (found) print_suspects(found->median, std::atoi(argv[1]));
    });
    MPI_Finalize();
}
