// SPDX-License-Identifier: BSL-1.0

// An application that measures the way to every other rank, and knows which ranks and pairs are slower than the rest.

#include <sonde/map.hpp>
#include <sonde/map/residuals.hpp>
#include <sonde/map/suspects.hpp>
#include <sonde/mpi.hpp>
#include <sonde/sonde.hpp>

#include <cstddef>
#include <cstdio>

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    bool correct = true;
    {
        sonde::mpi::group ranks{MPI_COMM_WORLD};
        // [map]
        constexpr std::size_t bytes = 65'536;
        sonde::host_allocation const out{bytes}, in{bytes};
        auto const make_pattern = [&](int peer, sonde::role role) {
            return sonde::ping_pong{sonde::mpi::link{ranks, peer}, role, out.first(bytes), in.first(bytes)};
        };
        auto const plan = sonde::plan<>{}.warmup(5).until(sonde::samples{20});
        auto const pairs = sonde::map(ranks, plan, make_pattern);
        // [/map]
        // [suspects]
        if (ranks.rank() == 0) {
            auto const groups = sonde::find_rank_groups(pairs.median); // nodes or switches, by the times
            for (auto const& s : sonde::find_suspects(pairs.median, groups))
                if (s.kind == sonde::suspect_kind::rank)
                    std::printf("rank %d: %.2f times the usual time\n", s.rank, s.factor);
        }
        // [/suspects]
        for (int from = 0; from < ranks.size(); ++from)
            for (int to = 0; to < ranks.size(); ++to)
                correct = correct && (pairs.median.at(from, to).count() > 0) == (from != to);
    }
    MPI_Finalize();
    return correct ? 0 : 1;
}
