// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/model/hockney.hpp>
#include <sonde/model/units.hpp>
#include <sonde/time.hpp>

#include <algorithm>
#include <stdexcept>

/// What collectives of p processes take at least by Hockney's model of their messages, with the best of the algorithms
/// that are common: lines below measured times. Thakur, Rabenseifner, Gropp, International Journal of High Performance
/// Computing Applications 19(1), 2005, have the algorithms and their times.
///
/// The model has no overhead of processors, no contention and no overlap. Where an algorithm is of a power of 2 of
/// processes, other numbers are taken to need no more than their logarithm, rounded up, says; in truth they need more.
/// Throws std::invalid_argument for fewer than one process.
namespace sonde::model::collectives {

/// Rounds in which what one knows reaches all: the logarithm to base 2, rounded up.
[[nodiscard]] constexpr int rounds(int processes) {
    if (processes < 1) throw std::invalid_argument{"sonde::model::collectives: there must be at least one process"};
    int r = 0;
    while (processes > (1LL << r)) ++r;
    return r;
}

/// The share of a message that is another's: (p - 1) / p.
[[nodiscard]] constexpr double others(int processes) { return (processes - 1.0) / processes; }

/// Dissemination: ceil(log2 p) alpha.
[[nodiscard]] constexpr seconds barrier(hockney const& h, int processes) { return rounds(processes) * h.alpha; }

/// ceil(log2 p) (alpha + m / r_inf).
[[nodiscard]] constexpr seconds binomial_broadcast(hockney const& h, int processes, bytes m) {
    return rounds(processes) * h.time(m);
}

/// A scatter, then an allgather by doubling: 2 ceil(log2 p) alpha + 2 (p - 1) / p m / r_inf. Around a ring the
/// allgather takes p - 1 rounds.
[[nodiscard]] constexpr seconds scatter_allgather_broadcast(hockney const& h, int processes, bytes m) {
    return 2 * rounds(processes) * h.alpha + 2 * others(processes) * (m / h.r_inf);
}

[[nodiscard]] constexpr seconds broadcast(hockney const& h, int processes, bytes m) {
    return std::min(binomial_broadcast(h, processes, m), scatter_allgather_broadcast(h, processes, m));
}

/// m bytes of each process, by doubling, or as Bruck has it: ceil(log2 p) alpha + (p - 1) m / r_inf. Around a ring
/// there are more rounds for as many bytes: no other algorithm takes less.
[[nodiscard]] constexpr seconds allgather(hockney const& h, int processes, bytes m) {
    return rounds(processes) * h.alpha + (processes - 1) * (m / h.r_inf);
}

/// Exchanges of pairs, m bytes each: (p - 1) (alpha + m / r_inf).
[[nodiscard]] constexpr seconds pairwise_alltoall(hockney const& h, int processes, bytes m) {
    return rounds(processes) == 0 ? seconds{} : (processes - 1) * h.time(m);
}

/// Bruck's, each round with half of all that there is: ceil(log2 p) (alpha + p / 2 m / r_inf).
[[nodiscard]] constexpr seconds bruck_alltoall(hockney const& h, int processes, bytes m) {
    return rounds(processes) * (h.alpha + processes / 2 * (m / h.r_inf));
}

[[nodiscard]] constexpr seconds alltoall(hockney const& h, int processes, bytes m) {
    return std::min(pairwise_alltoall(h, processes, m), bruck_alltoall(h, processes, m));
}

/// log2 p (alpha + m / r_inf + gamma m), where a byte takes gamma to reduce.
[[nodiscard]] constexpr seconds recursive_doubling_allreduce(hockney const& h, int processes, bytes m, seconds gamma) {
    return rounds(processes) * (h.time(m) + m.count() * gamma);
}

/// Rabenseifner's, a reduce-scatter by halving, then an allgather by doubling:
/// 2 log2 p alpha + 2 (p - 1) / p m / r_inf + (p - 1) / p gamma m.
[[nodiscard]] constexpr seconds rabenseifner_allreduce(hockney const& h, int processes, bytes m, seconds gamma) {
    return 2 * rounds(processes) * h.alpha + others(processes) * (2 * (m / h.r_inf) + m.count() * gamma);
}

[[nodiscard]] constexpr seconds allreduce(hockney const& h, int processes, bytes m, seconds gamma = {}) {
    return std::min(recursive_doubling_allreduce(h, processes, m, gamma),
                    rabenseifner_allreduce(h, processes, m, gamma));
}

} // namespace sonde::model::collectives
