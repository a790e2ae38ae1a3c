// SPDX-License-Identifier: BSL-1.0

// Exchange of arrays in device memory: staged through host memory, and directly if the MPI library is device-aware.
// Copy within a device, timed by the clock of the host and by events of the stream.

#include "fields.hpp" // the application, which does not use Sonde

#include <sonde/cuda.hpp>
#include <sonde/link.hpp>
#include <sonde/mpi.hpp>
#include <sonde/mpi/group.hpp>
#include <sonde/mpi/memory.hpp>
#include <sonde/sonde.hpp>

#include <array>
#include <cstddef>
#include <cstdio>
#include <string>
#include <utility>

double us(sonde::seconds t) { return 1e6 * t.count(); }

// [one_way]
template <class Link, class Plan>
double one_way(sonde::mpi::group& ranks, Plan const& plan, Link link, fields const& mine, std::size_t n) {
    sonde::opaque_slice const out{{mine.out(), n, true}}, in{{mine.in(), n, true}}; // true: device memory
    sonde::ping_pong pattern{std::move(link), sonde::pair_of(ranks.rank(), 1).role, out, in};
    return us(sonde::latency(sonde::run(ranks, plan, std::move(pattern))));
}
// [/one_way]

// [measure]
void measure(sonde::mpi::group& ranks, fields const& mine, std::size_t n) {
    auto const plan = sonde::plan<>{}.until(sonde::samples{200} || sonde::time_budget{sonde::seconds{0.1}});
    sonde::mpi::link const link{ranks, sonde::pair_of(ranks.rank(), 1).peer}; // ranks 0 and 1; the others are idle
    sonde::staged_link through_host{link, sonde::cuda::device_memory{}, sonde::cuda::pinned_memory{}};
    auto const staged = one_way(ranks, plan, std::move(through_host), mine, n);
    auto const device_aware =
        sonde::mpi::device_support_of(sonde::device_runtime::cuda) == sonde::mpi::device_support::yes;
    auto const direct = device_aware ? one_way(ranks, plan, link, mine, n) : 0;

    sonde::cuda::event_clock const clock{mine.stream()};
    auto const by_host = sonde::run(ranks, plan, [&] { mine.copy(n), mine.wait(); });
    auto const by_stream = sonde::run(ranks, plan.timed_by(clock), [&] { mine.copy(n); }); // the clock waits

    if (ranks.rank() != 0) return;
    std::printf("%9zu %10.2f %14.2f %16.2f ", n, staged, us(sonde::median(by_host)), us(sonde::median(by_stream)));
    device_aware ? std::printf("%10.2f\n", direct) : std::printf("%10s\n", "-");
}
// [/measure]

/// The reason why this rank has no device; empty if it has one.
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

/// Returns true if the last fields received were those of the peer.
bool measure_all(sonde::mpi::group& ranks) {
    constexpr std::size_t largest = 1 << 20;
    fields const mine{largest, ranks.rank()};
    if (ranks.rank() == 0)
        std::printf("%9s %10s %14s %16s %10s\n", "bytes", "staged us", "copy, host us", "copy, stream us", "direct us");
    for (std::size_t n = 16; n <= largest; n *= 16) measure(ranks, mine, n);
    return ranks.rank() > 1 || mine.copy_has(1 - ranks.rank());
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    auto const correct = sonde::mpi::abort_on_exception(MPI_COMM_WORLD, [] {
        sonde::mpi::group ranks{MPI_COMM_WORLD};
        auto const reason = choose(ranks);
        std::array first{double(reason.empty() ? ranks.size() : ranks.rank())}; // the first rank without a device
        ranks.all_reduce(first, sonde::reduction::min);
        if (first[0] == ranks.rank()) std::fprintf(stderr, "rank %d: %s\n", ranks.rank(), reason.c_str());
        return first[0] == ranks.size() && measure_all(ranks);
    });
    MPI_Finalize();
    return correct ? 0 : 1;
}
