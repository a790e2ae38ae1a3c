// SPDX-License-Identifier: BSL-1.0

// Point-to-point patterns between pairs of ranks: ping-pong, stream in one direction, exchange in both directions.

#include <sonde/mpi.hpp>
#include <sonde/report/table.hpp>
#include <sonde/sonde.hpp>

#include <cstddef>
#include <cstdio>

bool sweep(sonde::mpi::group& ranks) {
    // [columns]
    auto columns = sonde::default_columns();
    columns.insert(columns.begin(), {"latency us", [](sonde::record const& r) { return sonde::latency(r); }, 3});
    auto report = sonde::on_root{ranks, sonde::table{stdout, columns}};
    // [/columns]
    // [sweep]
    auto const pairs = ranks.size() / 2;
    auto const pair = sonde::pair_of(ranks.rank(), pairs); // pair.role and pair.peer of this rank
    auto const largest = std::size_t{1} << 15;             // bytes of a message
    auto const depth = std::size_t{16};                    // messages in flight
    sonde::host_allocation out{largest}, in{depth * sonde::host_allocation::stride_of(largest)}, token{1};
    out.fill(std::byte{1});
    auto const plan = sonde::plan<>{}.until(sonde::samples{300} || sonde::time_budget{sonde::seconds{1}});

    for (std::size_t n = 1; n <= largest; n *= 32) {
        auto const measure = [&](char const* name, auto pattern) {
            report(sonde::run(ranks, plan, pattern, {name, {{"bytes", n}}}));
        };
        sonde::mpi::link const link{ranks, pair.peer}; // MPI_Send and MPI_Recv
        measure("ping_pong", sonde::ping_pong{link, pair.role, out.first(n), in.first(n)});

        // async_link: MPI_Isend, MPI_Irecv, MPI_Waitall. The token acknowledges the messages of one iteration.
        measure("stream", sonde::stream{sonde::mpi::async_link{ranks, pair.peer}, pair.role, depth, out.first(n),
                                        in.distinct_regions(n, depth), link, token.first(1)});
        measure("bidir", sonde::bidirectional{sonde::mpi::async_link{ranks, pair.peer}, pair.role, depth, out.first(n),
                                              in.distinct_regions(n, depth)});
    }
    // [/sweep]
    return pair.role == sonde::role::idle || in.bytes()[largest - 1] == std::byte{1};
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    auto correct = true;
    {
        sonde::mpi::group ranks{MPI_COMM_WORLD};
        correct = sweep(ranks);
    }
    MPI_Finalize();
    return correct ? 0 : 1;
}
