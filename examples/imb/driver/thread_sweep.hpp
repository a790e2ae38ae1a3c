// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "imb/driver/benchmark.hpp"
#include "imb/driver/imb_table.hpp"
#include "imb/mpi1/patterns.hpp"
#include "imb/mt/mt_team.hpp"

#include <sonde/measure/plan.hpp>
#include <sonde/measure/record.hpp>
#include <sonde/memory/buffer.hpp>
#include <sonde/mpi/collective/operation.hpp>
#include <sonde/mpi/datatype.hpp>
#include <sonde/mpi/group.hpp>
#include <sonde/pattern.hpp>
#include <sonde/pattern/pattern_ref.hpp>

#include <barrier>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace imb::mt {

struct setting;

enum class timing : unsigned char {
    loop,      // the loop as a whole
    calls,     // each call, with barriers between calls
    calls_only // each call, without barriers
};

enum class columns : unsigned char { times, times_bandwidth, bandwidth_rate };

/// A row of the list of benchmarks.
struct benchmark {
    std::string name;
    columns shows = columns::times;
    timing timed = timing::loop;
    bool sized = true;
    bool window = false;
    std::size_t receive_buffers = 1; // messages; window benchmarks: the messages of the window
    double time_divisor = 1;         // of a repetition; window benchmarks: of a message
    double bandwidth_factor = 1;
    std::function<work(setting const&)> make{}; // its `defects` counts the wrong elements on this thread
};

/// The benchmarks, in the order in which they run.
std::vector<benchmark> const& rows();

/// Synchronization: one barrier before the first sample, or `each` barriers before every sample; with `-barrier off`
/// none.
struct start_barriers {
    bool enabled = true;
    std::size_t each = 0;

    void operator()(member& self, std::size_t i) const {
        auto const barriers = each != 0 ? each : i == 0 ? std::size_t{1} : std::size_t{0};
        for (std::size_t k = 0; enabled && k != barriers; ++k) self.barrier();
    }
};
using plan = sonde::plan<sonde::mpi::wtime, sonde::samples, start_barriers>;

/// Measure a pattern of any type on a thread: `sonde::run`, compiled once. Collective over all threads.
sonde::record run(member& self, plan const& how, sonde::pattern_ref<sonde::mpi::wtime> pattern, sonde::point at);

/// Distance in ranks to a partner, or to a neighbor in a ring: `-stride`, where 0 means half of the ranks.
inline int distance(int stride, int ranks) { return stride == 0 ? ranks / 2 : stride; }

/// Pairing by stride: in blocks of `stride` ranks, each even block initiates and the next one responds. Ranks of a last
/// block without a complete partner are idle, and all ranks are idle if the stride exceeds half of them.
sonde::pairing pair_by_stride(int rank, int ranks, int stride);

/// Element of messages.
inline sonde::mpi::elements elements_of(options const& asked) {
    return {asked.type == datatype::integer ? MPI_INT : MPI_CHAR};
}

/// Bytes from one message to the next if each has a buffer of its own.
inline std::size_t stride_of(std::size_t bytes) { return bytes / 64 * 64 + 64; }

/// Everything that a benchmark of one size needs on one thread of a rank. It outlives the `work` that refers to it.
struct setting {
    member& self;                    // this thread in the group of all threads of all ranks
    sonde::mpi::group const& ranks;  // the ranks, on this thread's communicator
    std::barrier<>& process_threads; // barrier of this process's threads
    mt::options const& options;
    benchmark const& test;
    regions buffers;
    std::size_t bytes; // the size

    /// Plan of `-repeat` repetitions after `-warmup`.
    mt::plan plan() const;
    sonde::point point() const;

    int rank() const { return ranks.rank(); }
    sonde::pairing pairing() const { return pair_by_stride(rank(), ranks.size(), options.stride); }
    chain_link ring() const { return {ranks, elements(), distance(options.stride, ranks.size())}; }
    sonde::mpi::elements elements() const { return elements_of(options); }
    /// The message of a collective: its type is MPI_SIGNED_CHAR for char, because MPI does not add MPI_CHAR.
    sonde::mpi::block collective_block() const {
        return {options.type == datatype::integer ? MPI_INT : MPI_SIGNED_CHAR, bytes / options.element_bytes()};
    }

    /// One buffer for all messages.
    sonde::slice out() const { return sonde::slice{buffers.out.first(bytes)}; }
    sonde::slice in() const { return sonde::slice{buffers.in.first(bytes)}; }
    /// The same for the patterns of IMB-MPI1; `i`: number of the receive buffer.
    buffer rotating_out() const { return {out().next(), bytes, stride_of(bytes)}; }
    buffer rotating_in(std::size_t i = 0) const {
        return {buffers.in.subspan(i * stride_of(bytes), bytes), bytes, stride_of(bytes)};
    }
    /// A receive buffer for each message of a window.
    buffer window_in() const { return {buffers.in.first(options.window * stride_of(bytes)), bytes, stride_of(bytes)}; }
    /// A byte for acknowledgments.
    sonde::slice token() const { return sonde::slice{buffers.in.last(1)}; }
};

/// Buffers of a benchmark on one thread, for the longest size.
lengths lengths_of(benchmark const& test, options const& asked);

/// Adaptor of a pattern in which the times of all ranks count. Idle ranks skip the pattern.
template <sonde::Pattern P>
class unless_idle : public sonde::pattern_adaptor<unless_idle<P>, P> {
public:
    unless_idle(sonde::role who, P pattern)
        : unless_idle::pattern_adaptor{std::move(pattern)}, idle_{who == sonde::role::idle} {}
    void iterate(auto& pattern) {
        if (!idle_) pattern();
    }
    sonde::role role() const { return idle_ ? sonde::role::idle : sonde::role::initiator; }

private:
    bool idle_;
};

/// Messages that must arrive in the receive buffer of a thread. The sources are ranks; their threads have this thread's
/// number.
using expected_messages = std::vector<sonde::expected_block>;

/// Elements that are wrong on this thread after two checked repetitions. Collective over all threads.
std::size_t wrong_elements(setting const& s, std::function<void()> repetition, expected_messages const& expected);

/// Benchmark of one size: `make(setting)` is the pattern.
template <class MakePattern>
work make_work(setting const& s, MakePattern make, expected_messages (*expected)(setting const&)) {
    auto const measure = [&s, make](std::size_t) -> result { return {mt::run(s.self, s.plan(), make(s), s.point())}; };
    auto const defects = [&s, make, expected] {
        auto pattern = make(s);
        auto const repetition = [&pattern] {
            pattern();
            sonde::complete(pattern);
        };
        return static_cast<double>(wrong_elements(s, repetition, expected(s)));
    };
    return {measure, defects};
}

/// Values that figures depend on, apart from a record. The record's initiators are the threads of all ranks that took
/// part.
struct line_inputs {
    double time_divisor = 1;     // IMB's f_t
    double bandwidth_factor = 1; // IMB's f_bw
    std::size_t message = 0;     // bytes
    int threads = 1;             // per rank

    /// Size of a line: bytes that all threads of a rank send.
    std::size_t bytes() const { return message * static_cast<std::size_t>(threads); }
};

/// Microseconds of a repetition over all threads.
times times_of(sonde::record const& r, line_inputs const& in);

/// 10^6 bytes per second of a rank, by the slowest thread.
double megabytes_of(sonde::record const& r, line_inputs const& in);

/// 10^6 bytes per second of all pairs, by the slowest thread.
double megabytes_of_pairs(sonde::record const& r, line_inputs const& in);

/// Messages per second of all pairs, rounded down, by the mean time.
long long rate_of_pairs(sonde::record const& r, line_inputs const& in);

// Text that IMB-MT prints.

std::string banner();
/// Head of a table; `initiators`: threads of all ranks that took part.
std::string head(benchmark const& test, int initiators, int threads, std::size_t window);
/// Text in place of the table if all ranks are idle.
std::string no_success(benchmark const& test);
/// Line of a size.
std::string line(benchmark const& test, line_inputs const& in, std::size_t repetitions, sonde::record const& r);
/// Lines of the ranks with wrong elements; "" if there are none.
std::string check_failures(std::vector<double> const& wrong_elements);

} // namespace imb::mt
