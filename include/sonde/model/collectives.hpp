// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/clock.hpp>
#include <sonde/model/hockney.hpp>
#include <sonde/model/units.hpp>

#include <algorithm>
#include <bit>
#include <stdexcept>

/// Lower bounds of collective operations: the time of the best of the common algorithms for p processes, with Hockney's
/// model for each message. Algorithms and their times: Thakur, Rabenseifner, Gropp, International Journal of High
/// Performance Computing Applications 19(1), 2005.
///
/// The model has no processor overhead, no contention and no overlap. An algorithm for powers of 2 is taken to need
/// ceil(log2 p) rounds for any number of processes, which is a lower bound. `m` is the size of a message and `gamma`
/// the time to reduce one byte. All functions throw std::invalid_argument for fewer than one process.
namespace sonde::model::collectives {

/// Rounds until the data of one process has reached every process: ceil(log2 p).
[[nodiscard]] constexpr int rounds(int processes) {
    if (processes < 1) throw std::invalid_argument{"sonde::model::collectives: there must be at least one process"};
    return static_cast<int>(std::bit_width(static_cast<unsigned>(processes) - 1));
}

/// Fraction of the data that belongs to other processes: (p - 1) / p.
[[nodiscard]] constexpr double remote_fraction(int processes) { return (processes - 1.0) / processes; }

/// Dissemination: ceil(log2 p) alpha.
[[nodiscard]] constexpr seconds barrier(hockney const& h, int processes) { return rounds(processes) * h.alpha; }

/// Binomial tree: ceil(log2 p) (alpha + m / r_inf).
[[nodiscard]] constexpr seconds binomial_broadcast(hockney const& h, int processes, bytes m) {
    return rounds(processes) * h.time(m);
}

/// Scatter and recursive-doubling allgather: 2 ceil(log2 p) alpha + 2 (p - 1) / p m / r_inf. With a ring, the allgather
/// takes p - 1 rounds.
[[nodiscard]] constexpr seconds scatter_allgather_broadcast(hockney const& h, int processes, bytes m) {
    return 2 * rounds(processes) * h.alpha + 2 * remote_fraction(processes) * (m / h.r_inf);
}

/// The faster of the two algorithms.
[[nodiscard]] constexpr seconds broadcast(hockney const& h, int processes, bytes m) {
    return std::min(binomial_broadcast(h, processes, m), scatter_allgather_broadcast(h, processes, m));
}

/// m bytes from each process, by recursive doubling or Bruck's algorithm: ceil(log2 p) alpha + (p - 1) m / r_inf. A
/// ring takes more rounds for the same number of bytes, and no other algorithm takes less time.
[[nodiscard]] constexpr seconds allgather(hockney const& h, int processes, bytes m) {
    return rounds(processes) * h.alpha + (processes - 1) * (m / h.r_inf);
}

/// Pairwise exchange of m bytes with each process: (p - 1) (alpha + m / r_inf).
[[nodiscard]] constexpr seconds pairwise_alltoall(hockney const& h, int processes, bytes m) {
    return rounds(processes) == 0 ? seconds{} : (processes - 1) * h.time(m);
}

/// Number of blocks that a process sends in Bruck's algorithm of radix 2. In round k it sends the blocks whose distance
/// has bit k set, so the number is the sum of the binary digits of 1 to p - 1. If p is a power of 2, each round sends
/// half of all blocks, otherwise fewer.
[[nodiscard]] constexpr long long bruck_blocks(int processes) {
    long long const p = processes;
    long long blocks = 0;
    for (long long bit = 1; bit < p; bit *= 2) blocks += p / (2 * bit) * bit + std::max(0LL, p % (2 * bit) - bit);
    return blocks;
}

/// Bruck's algorithm: ceil(log2 p) messages with `bruck_blocks` in all.
[[nodiscard]] constexpr seconds bruck_alltoall(hockney const& h, int processes, bytes m) {
    auto const n = rounds(processes);
    return n == 0 ? seconds{} : n * (h.alpha + static_cast<double>(bruck_blocks(processes)) / n * (m / h.r_inf));
}

/// The faster of the two algorithms.
[[nodiscard]] constexpr seconds alltoall(hockney const& h, int processes, bytes m) {
    return std::min(pairwise_alltoall(h, processes, m), bruck_alltoall(h, processes, m));
}

/// ceil(log2 p) (alpha + m / r_inf + gamma m).
[[nodiscard]] constexpr seconds recursive_doubling_allreduce(hockney const& h, int processes, bytes m, seconds gamma) {
    return rounds(processes) * (h.time(m) + m.count() * gamma);
}

/// Rabenseifner's algorithm, a recursive-halving reduce-scatter and a recursive-doubling allgather:
/// 2 ceil(log2 p) alpha + 2 (p - 1) / p m / r_inf + (p - 1) / p gamma m.
[[nodiscard]] constexpr seconds rabenseifner_allreduce(hockney const& h, int processes, bytes m, seconds gamma) {
    return 2 * rounds(processes) * h.alpha + remote_fraction(processes) * (2 * (m / h.r_inf) + m.count() * gamma);
}

/// The faster of the two algorithms.
[[nodiscard]] constexpr seconds allreduce(hockney const& h, int processes, bytes m, seconds gamma = {}) {
    return std::min(recursive_doubling_allreduce(h, processes, m, gamma),
                    rabenseifner_allreduce(h, processes, m, gamma));
}

} // namespace sonde::model::collectives
