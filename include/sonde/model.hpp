// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/clock.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <compare>
#include <concepts>
#include <cstddef>
#include <stdexcept>
#include <vector>

namespace sonde::inline v0_1::model {

/// Value of a rate, of an end of an interval, of a cost or of a condition number that has no limit. It exceeds every
/// measured or fitted value, but is finite, so that code compiled without infinities (-ffast-math) can compute with it.
inline constexpr double unlimited = 1e200;

namespace detail {

/// 1 / x of a value from 0 to `unlimited`. 0 and `unlimited` are the reciprocals of each other.
constexpr double reciprocal_of(double x) { return x >= unlimited ? 0 : x > 1 / unlimited ? 1 / x : unlimited; }

using sonde::detail::is_finite;

} // namespace detail

/// Message size in bytes; not necessarily a whole number.
class bytes {
public:
    constexpr bytes() = default;
    constexpr bytes(std::integral auto n) : count_{static_cast<double>(n)} {}
    explicit constexpr bytes(double n) : count_{n} {}
    /// Number of bytes.
    constexpr double count() const { return count_; }
    friend constexpr auto operator<=>(bytes, bytes) = default;

private:
    double count_ = 0;
};

/// Data rate in bytes per second.
class rate {
public:
    constexpr rate() = default;
    explicit constexpr rate(double bytes_per_second) : count_{bytes_per_second} {}
    /// Bytes per second.
    constexpr double count() const { return count_; }
    friend constexpr auto operator<=>(rate, rate) = default;

private:
    double count_ = 0;
};

/// A multiple of a size.
constexpr bytes operator*(double factor, bytes b) { return bytes{factor * b.count()}; }
/// A multiple of a rate.
constexpr rate operator*(double factor, rate r) { return rate{factor * r.count()}; }
/// Bytes that a rate moves in a time.
constexpr bytes operator*(rate r, seconds t) { return bytes{r.count() * t.count()}; }
/// Ratio of two sizes.
constexpr double operator/(bytes a, bytes b) { return a.count() / b.count(); }
/// Ratio of two rates.
constexpr double operator/(rate a, rate b) { return a.count() / b.count(); }
/// Rate that moves these bytes in this time.
constexpr rate operator/(bytes b, seconds t) { return rate{b.count() / t.count()}; }
/// Time that a rate takes for these bytes.
constexpr seconds operator/(bytes b, rate r) { return seconds{b.count() / r.count()}; }

/// Hockney's model of a point-to-point message (alpha-beta or postal model): T(x) = alpha + x / r_inf
/// (R. W. Hockney, Parallel Computing 20(3), 1994).
struct hockney {
    seconds alpha{}; // start-up time
    rate r_inf{};    // asymptotic bandwidth, 1 / beta

    /// T(x).
    constexpr seconds time(bytes x) const { return alpha + x / r_inf; }
    /// x / T(x).
    constexpr rate bandwidth(bytes x) const { return x / time(x); }
    /// Message size that reaches half of r_inf: alpha r_inf.
    constexpr bytes n_half() const { return r_inf * alpha; }
};

/// A model whose parameters differ between ranges of message sizes, one range for each protocol of the MPI library
/// (eager, rendezvous, ...).
template <class Model>
struct piecewise {
    /// A range of sizes and its model.
    struct segment {
        bytes from;  // smallest size; the segment ends where the next one begins
        Model model; // for these sizes
    };

    std::vector<segment> segments; // ascending sizes, at least one segment

    /// Segment of a message size; the first segment for sizes below all of them.
    constexpr segment const& at(bytes x) const {
        std::size_t i = segments.size() - 1;
        while (i != 0 && x < segments[i].from) --i;
        return segments[i];
    }
    /// Time of a message of x bytes.
    constexpr seconds time(bytes x) const { return at(x).model.time(x); }
    /// Bandwidth of messages of x bytes.
    constexpr rate bandwidth(bytes x) const { return at(x).model.bandwidth(x); }
    /// Interval between consecutive messages.
    constexpr seconds interval(bytes x) const
        requires requires(Model const& m) { m.interval(x); }
    {
        return at(x).model.interval(x);
    }
};

using piecewise_hockney = piecewise<hockney>;

/// LogGP model: latency, overhead, gap and gap per byte (Alexandrov, Ionescu, Schauser, Scheiman, Journal of Parallel
/// and Distributed Computing 44(1), 1997), with separate overheads of sending and receiving. An overhead may grow
/// linearly with the message size, as in parametrized LogP (Kielmann, Bal, Verstoep, IPDPS 2000), because a processor
/// that copies takes longer for more bytes.
struct log_gp {
    seconds latency{};                   // L, of the network, without the overheads
    seconds send_overhead{};             // o_s at `reference_size`
    seconds receive_overhead{};          // o_r at `reference_size`
    seconds gap{};                       // g, minimum interval between messages of a process; 1 / g: message rate
    seconds gap_per_byte{};              // G; 1 / G: bandwidth
    seconds send_overhead_per_byte{};    // growth of o_s with each byte above `reference_size`
    seconds receive_overhead_per_byte{}; // growth of o_r
    bytes reference_size{1};             // size from which the overheads grow

    /// Processor time for a message of k bytes: o_s(k), o_r(k).
    constexpr seconds send_overhead_at(bytes k) const { return send_overhead + growth(k) * send_overhead_per_byte; }
    /// Processor time of the receiver: o_r(k).
    constexpr seconds receive_overhead_at(bytes k) const {
        return receive_overhead + growth(k) * receive_overhead_per_byte;
    }
    /// Interval between consecutive messages of k bytes: max(g + (k - 1) G, o_s, o_r).
    constexpr seconds interval(bytes k) const {
        return std::max({gap + wire_time(k), send_overhead_at(k), receive_overhead_at(k)});
    }
    /// One message, or half a ping-pong: o_s + (k - 1) G + L + o_r; at least 0, even for 0 bytes.
    constexpr seconds time(bytes k) const {
        return std::max(seconds{}, send_overhead_at(k) + wire_time(k) + latency + receive_overhead_at(k));
    }
    /// Bandwidth of single messages: k over their time.
    constexpr rate bandwidth(bytes k) const { return k / time(k); }
    /// Consecutive messages in one direction.
    constexpr seconds time(bytes k, double messages) const { return (messages - 1) * interval(k) + time(k); }
    /// Parametrized round trip PRTT(n, d, s): n messages with a busy wait d between them, and one message back.
    constexpr seconds prtt(double messages, seconds wait, bytes s) const {
        return 2 * time(s) + (messages - 1) * std::max(send_overhead_at(s) + wait, gap + wire_time(s));
    }

private:
    constexpr seconds wire_time(bytes k) const { return (k.count() - 1) * gap_per_byte; }
    constexpr double growth(bytes k) const { return std::max(0.0, k.count() - reference_size.count()); }
};

using piecewise_log_gp = piecewise<log_gp>;

/// Max-rate model. k processes of a node send n bytes each at the same time through a shared network interface:
/// T(n, k) = alpha + k n / min(R_N, k R_C) (Gropp, Olson, Samfass, EuroMPI 2016).
struct max_rate {
    seconds alpha{};     // latency
    rate process_rate{}; // R_C, of one process alone
    rate node_rate{};    // R_N, of all processes of the node together

    /// min(R_N, k R_C).
    constexpr rate limit(double k) const { return std::min(node_rate, k * process_rate); }
    /// T(n, k).
    constexpr seconds time(bytes n, double k) const { return alpha + k * n / limit(k); }
    /// Bandwidth of the node: k n / T.
    constexpr rate bandwidth(bytes n, double k) const { return k * n / time(n, k); }
    /// Number of processes that saturates the node: R_N / R_C.
    constexpr double saturation() const { return node_rate / process_rate; }
    /// Message size that reaches half of the limit: alpha min(R_N, k R_C) / k.
    constexpr bytes n_half(double k) const { return 1 / k * (limit(k) * alpha); }
};

/// Latency term of the multi-mode model: T_l (4n - 1) as published in (5), or T_l 2n (4'). The latter follows from the
/// time line of a turn-around, which saves the time of a whole chunk.
enum class latency_form : unsigned char { published, time_line };

/// Multi-mode PingPong: two ping-pong pairs run at the same time between two nodes, and their messages share the link
/// in chunks (Hager and Wellein, A performance model for the IMB multi-mode PingPong benchmark, 2007).
///
/// The latency of the published form is an effective parameter, about half of a ping-pong's latency.
struct multi_ping_pong {
    bytes chunk{};                               // C
    rate link_rate{};                            // B_r, in one direction
    seconds latency{};                           // T_l
    latency_form form = latency_form::time_line; // number of latencies

    /// T_p(x) = x / B_r (1).
    constexpr seconds transfer_time(bytes x) const { return x / link_rate; }
    /// Chunks of a message, beta(x) (2): 1 below C, x / C above.
    constexpr double chunks(bytes x) const { return std::max(1.0, x / chunk); }
    /// T_b(x) of n ping-pongs of both pairs: T_p (4n - (2n - 1) / beta) + T_l (4n - 1) (5), or + T_l 2n (4').
    constexpr seconds time(bytes x, double n) const {
        return transfer_time(x) * (4 * n - (2 * n - 1) / chunks(x)) + latency * latency_count(n);
    }
    /// Bandwidth of both pairs together, b(x) = 4 x n / T_b (6): twice the number that the benchmark prints.
    constexpr rate bandwidth(bytes x, double n) const { return 4 * n * x / time(x, n); }

    /// Number of latencies in n repetitions, by the form.
    constexpr double latency_count(double n) const { return form == latency_form::published ? 4 * n - 1 : 2 * n; }
};

/// Number of repetitions n(x) of the Intel MPI Benchmarks (3): min(1000, max(1, 40 MiB / x)), rounded down.
[[nodiscard]] inline double imb_repetitions(bytes x) {
    return std::min(1000.0, std::max(1.0, std::floor(40.0 * 1024 * 1024 / x.count())));
}

} // namespace sonde::model

/// Lower bounds of collective operations: the time of the best of the common algorithms for p processes, with Hockney's
/// model for each message. Algorithms and their times: Thakur, Rabenseifner, Gropp, International Journal of High
/// Performance Computing Applications 19(1), 2005.
///
/// The model has no processor overhead, no contention and no overlap. An algorithm for powers of 2 is taken to need
/// ceil(log2 p) rounds for any number of processes, which is a lower bound. `m` is the size of a message and `gamma`
/// the time to reduce one byte. All functions throw std::invalid_argument for fewer than one process.
namespace sonde::inline v0_1::model::collectives {

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
