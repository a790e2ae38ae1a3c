// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../bench.hpp"
#include "../buffers.hpp"
#include "connection.hpp"

#include <sonde/pattern.hpp>
#include <sonde/record.hpp>

#include <cstddef>

namespace osu::xccl {

/// The stage of messages between two ranks, connected by NCCL.
class pair_bench : public bench {
public:
    /// Throws refusal, on all ranks, where there is not the memory or no connection. Collective over the group.
    explicit pair_bench(given const& g) : bench{g}, token_{token_of_each(world())}, connection_{world()} {}

    sonde::pairing pairing() { return sonde::pair_of(world().rank(), 1); }
    sonde::nccl::queue<waits> queue() { return connection_.queue(); }
    std::size_t window() const { return is_rate(about().shows) ? asked().window : 1; }
    /// The answer to a window.
    sonde::opaque_slice token() const { return token_.together({1, 1}); }

private:
    /// Taken before the ranks are connected: one that has no memory is not waited for.
    static buffer token_of_each(sonde::mpi::group const& world);

    buffer token_;
    connection connection_; // goes before the memory that NCCL uses
};

/// A program of two ranks: all that tells it from the others.
struct pair_program {
    char const* name;
    char const* title;
    char const* letters;
    figure shows;
    schedule counted;
    std::size_t smallest;
    bool initiator_receives;
    start begins; // how ranks are brought together before a size
    sonde::record (*measure)(pair_bench& on, spot const& at, row_plan const& plan);
};

/// Half a round trip: send, wait, receive, wait.
sonde::record measure_latency(pair_bench& on, spot const& at, row_plan const& plan);

/// A window of sends, each an operation, waited for; then a byte comes back, which nobody waits for.
sonde::record measure_bandwidth(pair_bench& on, spot const& at, row_plan const& plan);

/// A window of sends and receives, one operation, waited for.
sonde::record measure_both_ways(pair_bench& on, spot const& at, row_plan const& plan);

// In letters: OMB accepts -D, too, and then shows a title without values; NCCL has no such types.
inline constexpr pair_program pair_programs[] = {{"latency", "Latency", "hvmxidbcuGTIz", figure::latency,
                                                  latency_counts, 0, true, start::one_barrier, &measure_latency},
                                                 {"bw", "Bandwidth", "hvmxitWbdcuGTIz", figure::bandwidth,
                                                  bandwidth_counts, 1, false, start::none, &measure_bandwidth},
                                                 {"bibw", "Bi-Directional Bandwidth", "hvmxitWbdcuGTIz",
                                                  figure::bandwidth, bandwidth_counts, 1, true, start::one_barrier,
                                                  &measure_both_ways}};

} // namespace osu::xccl
