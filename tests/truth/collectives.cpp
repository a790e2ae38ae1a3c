// SPDX-License-Identifier: BSL-1.0

// Collectives on simulated ranks that all begin at the same time: prints "NAME BYTES MEDIAN_SECONDS" for each. The
// algorithms are those that SMPI's options choose.

#include "common_start.hpp"

#include <sonde/mpi.hpp>
#include <sonde/sonde.hpp>

#include <cstddef>
#include <cstdio>
#include <span>
#include <vector>

namespace {

namespace mpi = sonde::mpi;

void measure(mpi::group const& ranks, char const* name, std::size_t bytes, auto pattern) {
    auto const plan =
        sonde::plan<>{}.timed_by(mpi::wtime{}).warmup(2).synchronized(truth::common_start{}).until(sonde::samples{5});
    auto const r = sonde::run(ranks, plan, std::move(pattern));
    if (ranks.rank() == 0) std::printf("%s %zu %.12g\n", name, bytes, sonde::median(r).count());
}

void measure_all(mpi::group const& ranks, std::size_t n) {
    auto const p = static_cast<std::size_t>(ranks.size());
    std::vector<double> one(n), sum(n), each(p * n), all(p * n);
    auto const bytes_of = [](std::vector<double>& v) { return sonde::slice{std::as_writable_bytes(std::span{v})}; };
    auto const bytes = n * sizeof(double);
    mpi::block const block{MPI_DOUBLE, n};
    measure(ranks, "broadcast", bytes, mpi::blocking{mpi::bcast{ranks, block}, bytes_of(one)});
    measure(ranks, "reduce", bytes, mpi::blocking{mpi::reduce{ranks, block, MPI_SUM}, bytes_of(one), bytes_of(sum)});
    measure(ranks, "allreduce", bytes,
            mpi::blocking{mpi::allreduce{ranks, block, MPI_SUM}, bytes_of(one), bytes_of(sum)});
    measure(ranks, "allgather", bytes, mpi::blocking{mpi::allgather{ranks, block}, bytes_of(one), bytes_of(all)});
    measure(ranks, "alltoall", bytes, mpi::blocking{mpi::alltoall{ranks, block}, bytes_of(each), bytes_of(all)});
}

} // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    mpi::abort_on_exception(MPI_COMM_WORLD, [] {
        mpi::group const ranks{MPI_COMM_WORLD};
        for (std::size_t const n : {1UL, 128UL, 8192UL, 131'072UL}) measure_all(ranks, n);
    });
    MPI_Finalize();
}
