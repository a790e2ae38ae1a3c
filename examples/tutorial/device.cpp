// SPDX-License-Identifier: BSL-1.0

// What it costs an application to exchange what lies on its devices: through the host, and as it is, where its MPI
// library takes that; and to copy it within a device, by the host's clock and by the stream's.

#include "fields.hpp" // the application: knows nothing of Sonde

#include <sonde/cuda/cuda.hpp>
#include <sonde/mpi/device_support.hpp>
#include <sonde/mpi/local_ranks.hpp>
#include <sonde/mpi/mpi.hpp>
#include <sonde/sonde.hpp>
#include <sonde/staged.hpp>

#include <array>
#include <cstddef>
#include <cstdio>
#include <string>
#include <utility>

double us(sonde::seconds t) { return 1e6 * t.count(); }

// [one_way]
template <class Link, class Plan>
double one_way(sonde::mpi::group& ranks, Plan const& plan, Link link, fields const& mine, std::size_t n) {
    constexpr sonde::role roles[] = {sonde::role::initiator, sonde::role::responder, sonde::role::idle};
    sonde::opaque_slice const out{{mine.out(), n, true}}, in{{mine.in(), n, true}}; // true: on a device
    sonde::ping_pong pattern{std::move(link), roles[ranks.rank() < 2 ? ranks.rank() : 2], out, in};
    return us(sonde::latency(sonde::run(ranks, plan, std::move(pattern))));
}
// [/one_way]

// [measure]
void measure(sonde::mpi::group& ranks, fields const& mine, std::size_t n) {
    auto const plan = sonde::plan<>{}.until(sonde::samples{200} || sonde::time_budget{sonde::seconds{0.1}});
    sonde::mpi::link const link{ranks, ranks.rank() < 2 ? 1 - ranks.rank() : -1}; // but for two, to nobody
    sonde::staged through_host{link, sonde::cuda::device_memory{}, sonde::cuda::pinned_memory{}};
    auto const staged = one_way(ranks, plan, std::move(through_host), mine, n);
    auto const takes = sonde::mpi::device_support() == sonde::mpi::support::yes;
    auto const direct = takes ? one_way(ranks, plan, link, mine, n) : 0;

    sonde::cuda::event_clock const clock{mine.stream()};
    auto const by_host = sonde::run(ranks, plan, [&] { mine.keep(n), mine.wait(); });
    auto const by_stream = sonde::run(ranks, plan.timed_by(clock), [&] { mine.keep(n); }); // the clock waits

    if (ranks.rank() != 0) return;
    std::printf("%9zu %10.2f %14.2f %16.2f ", n, staged, us(sonde::typical(by_host)), us(sonde::typical(by_stream)));
    takes ? std::printf("%10.2f\n", direct) : std::printf("%10s\n", "refused"); // by the MPI library
}
// [/measure]

// [choose]
/// Why there is no device for this rank; empty where there is.
std::string choose(sonde::mpi::group const& ranks) {
    auto const here = sonde::mpi::local_ranks::of(ranks);
    if (ranks.size() == 1) return "an exchange needs two ranks";
    try {
        auto const mine = sonde::cuda::choose_device(ranks, here.rank);
        if (mine.shared()) std::printf("rank %d: %d ranks share this device\n", ranks.rank(), mine.ranks);
        return {};
    } catch (sonde::cuda::error const& e) {
        return e.what();
    }
}
// [/choose]

bool measure_all(sonde::mpi::group& ranks) {
    constexpr std::size_t most = 1 << 20;
    fields const mine{most, ranks.rank()};
    if (ranks.rank() == 0)
        std::printf("%9s %10s %14s %16s %10s\n", "bytes", "staged us", "copy, host us", "copy, stream us", "direct us");
    for (std::size_t n = 16; n <= most; n *= 16) measure(ranks, mine, n);
    return ranks.rank() > 1 || mine.kept(1 - ranks.rank());
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    auto const right = sonde::mpi::guarded(MPI_COMM_WORLD, [] {
        sonde::mpi::group ranks{MPI_COMM_WORLD};
        auto const why = choose(ranks);
        std::array first{double(why.empty() ? ranks.size() : ranks.rank())}; // of those that have none
        ranks.all_reduce(first, sonde::reduction::min);
        if (first[0] == ranks.rank()) std::fprintf(stderr, "rank %d: %s\n", ranks.rank(), why.c_str());
        return first[0] == ranks.size() && measure_all(ranks);
    });
    MPI_Finalize();
    return right ? 0 : 1;
}
