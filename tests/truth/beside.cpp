// SPDX-License-Identifier: BSL-1.0

// A ping-pong between two nodes, alone and beside congestors that share the nodes' links. Usage: beside LOAD_BYTES: on
// four ranks, of which the first two are on one node. Prints "LOAD BYTES SLOWDOWN RATE_ALONE RATE_BESIDE".

#include <sonde/measure/beside.hpp>
#include <sonde/mpi.hpp>
#include <sonde/mpi/congestors.hpp>
#include <sonde/sonde.hpp>

#include <cstddef>
#include <cstdio>
#include <cstdlib>

namespace {

namespace mpi = sonde::mpi;

void measure(mpi::congestors& load, std::size_t n, char const* name) {
    auto& two = load.measuring();
    auto const me = sonde::pair_of(two.rank(), 1);
    sonde::host_allocation const out{n}, in{n};
    sonde::ping_pong pattern{mpi::link{two, me.peer}, me.role, sonde::slice{out.bytes()}, in.first(n)};
    auto const plan = sonde::plan<>{}.timed_by(mpi::wtime{}).warmup(1).until(sonde::samples{20});
    auto const found = sonde::compare_beside(two, plan, load, pattern, {"ping_pong", {{"bytes", n}}}, name);
    if (two.rank() == 0)
        std::printf("%s %zu %.12g %.12g %.12g\n", name, n, sonde::median_slowdown(found).value, load.alone().rate(),
                    load.beside().rate());
}

} // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    mpi::abort_on_exception(MPI_COMM_WORLD, [&] {
        int rank = 0;
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
        MPI_Comm alternating = MPI_COMM_NULL; // the nodes take turns
        MPI_Comm_split(MPI_COMM_WORLD, 0, rank % 2 * 2 + rank / 2, &alternating);
        mpi::group ranks{alternating};
        for (auto const kind : {mpi::congestion::alltoall, mpi::congestion::incast})
            for (std::size_t const n : {1'048'576u, 4'194'304u}) {
                mpi::congestors load{ranks, 2, kind, std::strtoull(argv[1], nullptr, 10)};
                if (load.congests()) load.serve();
                else measure(load, n, mpi::congestion_names[static_cast<std::size_t>(kind)].data());
                load.finish();
            }
        MPI_Comm_free(&alternating);
    });
    MPI_Finalize();
}
