// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "osu/driver/mpi_library.hpp"
#include "osu/driver/osu_driver.hpp"
#include "osu/driver/osu_launch.hpp"
#include "osu/pt2pt/fan.hpp"
#include "osu/pt2pt/messages.hpp"
#include "suite/devices.hpp"
#include "suite/launch.hpp"

#include <sonde/memory/buffer.hpp>
#include <sonde/mpi/link.hpp>
#include <sonde/pattern.hpp>

#include <concepts>
#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

namespace osu {

/// Differences of the programs of messages.
struct message_traits {
    bool initiator_receives = true;                             // `-c` validates the initiator's receive buffer, too
    bool persistent = false;                                    // requests are bound to their buffers
    bool fan = false;                                           // the ranks of one node and those of all others
    std::string (*preamble)(options const& settings) = nullptr; // lines above the title
};

/// Half a round trip of each message.
inline constexpr sweep_plan ping_pong_plan{
    .iterations = 10'000, .warmup = 100, .large = {1'000, 10}, .synchronize = before_each_size};
/// A window of messages.
inline constexpr sweep_plan window_plan{
    .iterations = 100, .warmup = 10, .large = {20, 2}, .synchronize = before_each_size};

/// Driver of messages between ranks.
class pt2pt_driver : public driver {
public:
    /// Allocates the buffers. Throws refusal, on all ranks, if memory is exhausted. Collective over the group.
    explicit pt2pt_driver(invocation const& from, message_traits const& traits = {});

    /// Buffers of a further thread.
    message_buffers thread_buffers(int rank);

    /// Measure the pattern `make(out, in, path)` of one point. `path(link)` is the message path from the buffers. A
    /// pattern `make(out, in)` gets the addresses of the buffers wherever they are. Collective over the group.
    ///
    /// With managed memory that is touched by a device, times are shorter by the touch cost that OMB subtracts.
    template <class Make>
    sonde::record run(point const& at, sweep_plan const& sweep, Make const& make) {
        if constexpr (takes_buffers<Make>) return measure_pattern(at, sweep, make);
        else return subtract_touch_cost(at, run_by_path(at, sweep, make));
    }

private:
    template <class Make>
    static constexpr bool takes_buffers = std::invocable<Make const&, sonde::opaque_slice, sonde::opaque_slice>;
    template <class Make, class Path>
    static constexpr bool takes_path =
        std::invocable<Make const&, sonde::opaque_rotating, sonde::opaque_rotating, Path>;

    template <class Make>
    sonde::record measure_pattern(point const& at, sweep_plan const& sweep, Make const& make) {
        auto const validate = [&](auto& pattern, bool receives) {
            return validate_messages(world(), pattern, *buffers_, at, options(), receives);
        };
        return measure(world(), {about(), options(), *buffers_, at, traits_.initiator_receives, beside()},
                       plan(sweep, at.size), make, validate);
    }

    /// Staged and touched messages always have rotating regions, of which there may be one: fewer types to compile.
    template <class Make, class Path>
    sonde::record run_rotating(point const& at, sweep_plan const& sweep, Make const& make, Path path) {
        using rotating = sonde::opaque_rotating;
        return measure_pattern(at, sweep, [&](rotating out, rotating in) { return make(out, in, path); });
    }

    template <class Make>
    sonde::record run_by_path(point const& at, sweep_plan const& sweep, Make const& make) {
        if constexpr (has_gpu())
            if (is_managed(kind_)) return run_rotating(at, sweep, make, touched_path{kind_, buffers_->measuring()});
        if constexpr (has_device() && takes_path<Make, staged_path>)
            if (staging_) return run_rotating(at, sweep, make, staged_path{*staging_, at.window});
        return measure_pattern(at, sweep, [&](auto out, auto in) { return make(out, in, direct_path{}); });
    }

    /// True if messages of this rank are staged in host memory.
    bool is_staged() const { return options().staged && kind_ == memory_kind::device; }
    /// Bytes of host memory of the buffers of this rank.
    double host_bytes(std::size_t largest, std::size_t in_flight) const;
    /// Throws refusal if memory is exhausted, or cannot be used as the buffer places require.
    void allocate(std::size_t largest, std::size_t in_flight);

    /// `--check-bits`: messages are between the two ranks of a pair.
    void validate_bits_of(message_buffers& buffers);

    /// Collective over the group.
    sonde::record subtract_touch_cost(point const& at, sonde::record found) const;

    message_traits traits_;
    memory_kind kind_;
    std::optional<message_buffers> buffers_;
    std::optional<staging_memory> staging_;
};

/// The reply to a window: one MPI_CHAR with tag 101.
class window_reply {
public:
    window_reply(sonde::mpi::group const& world, int peer) : world_{world}, peer_{peer} {}
    sonde::mpi::link link() const { return {world_, peer_, 101, {MPI_CHAR}}; }
    sonde::slice buffer() { return sonde::slice{{&byte_, 1}}; }

private:
    sonde::mpi::group const& world_;
    int peer_;
    std::byte byte_{};
};

/// The nodes of a group by MPI_Get_processor_name. Collective over the group.
nodes nodes_of(sonde::mpi::group const& world);

/// Threads or processes of each side.
struct side_counts {
    int senders;
    int receivers;
};

/// Threads of each side of osu_latency_mt: `-t [SENDERS:]RECEIVERS`, 1 and 2 by default.
side_counts threads_of(options const& asked);

/// A program of messages between ranks.
suite::named_program named(program about, message_traits const& traits, std::function<void(pt2pt_driver&)> sweep);

/// Number of launches that OMB subtracts from an iteration of `window` messages.
std::size_t subtracted_launches(metric as, bool initiator_receives, buffer_placement const& where, std::size_t window);

/// The record with all times shorter by `cost`, except the first iteration's.
sonde::record without_touch_cost(sonde::record found, sonde::seconds cost);

} // namespace osu
