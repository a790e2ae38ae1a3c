// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "osu/driver/buffers.hpp"
#include "osu/driver/interference.hpp"
#include "osu/driver/osu_contents.hpp"
#include "osu/driver/osu_driver.hpp"
#include "osu/driver/osu_options.hpp"
#include "osu/driver/osu_program.hpp"
#include "osu/pt2pt/touch_gpu.hpp"
#include "suite/bit_check.hpp"
#include "suite/memory.hpp"

#include <sonde/clock.hpp>
#include <sonde/link.hpp>
#include <sonde/measure/record.hpp>
#include <sonde/measure/run.hpp>
#include <sonde/memory.hpp>
#include <sonde/memory/buffer.hpp>

#include <concepts>
#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

namespace osu {

// Message paths: `path(link)` returns the link by which messages go from the buffers of this rank to the MPI library.

/// The MPI library gets the addresses of the buffers.
struct direct_path {
    template <class L>
    L operator()(L link) const {
        return link;
    }
};

/// Page-locked host memory for the staged messages of all points. It is allocated before the first row, so that no
/// point can fail on one rank while another one waits for it.
class staging_memory {
public:
    /// Throws refusal if memory is exhausted.
    explicit staging_memory(std::size_t bytes) : bytes_{bytes, memory{memory_kind::pinned_host}} {}
    staging_memory(staging_memory&&) = delete;

    /// The next n bytes. Throws std::length_error if fewer are left.
    void* allocate(std::size_t n) {
        auto const all = bytes_.bytes();
        if (n > all.size() - used_) throw std::length_error{"more host memory asked for than messages are staged in"};
        auto const next = all.subspan(used_, n);
        used_ += n;
        ++allocations_;
        return next.data();
    }
    /// After the last deallocation all bytes are free.
    void deallocate() {
        if (--allocations_ == 0) used_ = 0;
    }

private:
    sonde::allocation<memory> bytes_;
    std::size_t used_ = 0;
    std::size_t allocations_ = 0;
};

/// Host memory of the staged link of one point: a sonde::Memory.
struct point_staging {
    static constexpr bool host_accessible = true;
    static constexpr bool device_accessible = true;

    staging_memory* from;

    void* allocate(std::size_t n) const { return from->allocate(n); }
    void deallocate(void*, std::size_t) const { from->deallocate(); }
    void fill(sonde::region bytes, std::byte value) const { sonde::host_memory{}.fill(bytes, value); }
};

/// `--staged`, for buffers in device memory: messages are copied to or from host memory.
struct staged_path {
    staging_memory& host;
    std::size_t window;

    template <class L>
    auto operator()(L link) const {
        return sonde::staged_link{std::move(link), memory{memory_kind::device}, point_staging{&host}, window};
    }
};

/// For buffers in managed memory: messages are touched by the side that uses the memory, except while contents are
/// validated.
struct touched_path {
    memory_kind kind;
    bool const* measuring;

    template <class L>
    auto operator()(L link) const {
        auto const touch_measured = [kind = kind, measuring = measuring](sonde::opaque_region bytes) {
            if (*measuring) touch(bytes, kind);
        };
        return sonde::touched_link{std::move(link), touch_measured};
    }
};

/// A path of a link to several peers: staging buffers would depend on the peer.
template <class T>
concept unstaged_path = !std::same_as<T, staged_path>;

/// Send and receive buffer of one rank or thread, with the contents that `-c` validates.
class message_buffers {
public:
    /// For messages of at most `largest` bytes, `in_flight` of them at once.
    message_buffers(options const& asked, std::size_t largest, std::size_t in_flight, int rank,
                    memory_kind where = memory_kind::host)
        : asked_{asked}, rank_{rank}, out_{bytes_for(asked, largest, in_flight), where},
          in_{bytes_for(asked, largest, in_flight), where} {
        if (asked.check.log) log_.emplace(*asked.check.log, rank);
    }

    /// Fill the buffers as OMB does, and call `f(out, in)`: with one region for all messages if there is one and `f`
    /// accepts it, otherwise with rotating regions.
    template <class F>
    decltype(auto) with(point const& at, F f) {
        auto const where = layout_of(at);
        out_.fill(where, 'a');
        in_.fill(where, 'b');
        measuring_ = true;
        if constexpr (std::invocable<F&, sonde::opaque_slice, sonde::opaque_slice>)
            if (where.count == 1) return f(out_.single(where), in_.single(where));
        return f(out_.multiple(where), in_.multiple(where));
    }

    /// From now on contents are validated, until the next `with`.
    void end_measuring() { measuring_ = false; }
    /// False while contents are validated.
    bool const* measuring() const { return &measuring_; }

    /// From now on the bits of messages to and from `peer` are validated, by `check`.
    void validate_bits(suite::bit_check& check, int peer) { bits_ = {&check, peer}; }

    /// Write the contents of an iteration into the send buffer. Gaps between elements stay as they are.
    void write_sent(point const& at, std::size_t iteration) {
        auto const where = layout_of(at);
        for (std::size_t i = 0; i != where.count; ++i) {
            auto message = out_.view(out_.region(where, i));
            message.load();
            if (bits_.check != nullptr) suite::write_bits(message.bytes(), {iteration, rank_, bits_.peer, i});
            else write(message.bytes(), {at.type.kind, at.size, iteration + i});
            message.store();
        }
    }
    void clear_received(point const& at) { in_.fill(layout_of(at), 0); }

    /// Number of wrong elements of the receive buffer, which `-clog` lists, or of wrong words.
    std::size_t count_wrong(point const& at, std::size_t iteration) const {
        auto const where = layout_of(at);
        std::size_t wrong = 0;
        for (std::size_t i = 0; i != where.count; ++i) {
            auto message = in_.view(in_.region(where, i));
            message.load();
            wrong += bits_.check != nullptr
                         ? bits_.check->compare(message.bytes(), {iteration, bits_.peer, rank_, i})
                         : count_wrong_elements(message.bytes(), {at.type.kind, at.size, iteration + i});
        }
        return wrong;
    }

private:
    /// `--check-bits`; null without it.
    struct bit_messages {
        suite::bit_check* check = nullptr;
        int peer = -1;
    };

    std::size_t count_wrong_elements(sonde::region bytes, contents const& expected) const {
        auto const here = find_wrong(bytes, expected);
        if (log_) (*log_)(expected, here);
        return here.size();
    }
    region_layout layout_of(point const& at) const {
        return {at.message.span, regions_for(asked_, at.message.span, at.window * at.peers)};
    }

    options asked_;
    int rank_;
    bit_messages bits_{};
    bool measuring_ = false;
    buffer out_;
    buffer in_;
    std::optional<wrong_log> log_;
};

/// Validate the messages after the measurement: rounds of `-u` unchecked repetitions and a checked one. The receive
/// buffer is cleared in between, so that a message that is not sent again is detected. Returns the number of wrong
/// elements or words of all ranks. Collective over the group.
template <sonde::Group G>
std::size_t validate_messages(G& group, sonde::pattern_ref<sonde::mpi::wtime> pattern, message_buffers& buffers,
                              point const& at, options const& asked, bool receives) {
    auto const prepare = [&](std::size_t round) {
        buffers.write_sent(at, round);
        for (std::size_t i = 0; i != asked.check.unchecked(); ++i) {
            pattern();
            pattern.complete();
        }
        buffers.clear_received(at);
    };
    auto const verify = [&](std::size_t round) { return receives ? buffers.count_wrong(at, round) : 0; };
    return sonde::validate(group, pattern, prepare, verify, check_rounds(asked));
}

/// A point to measure.
struct message_point {
    program const& about;
    options const& asked;
    message_buffers& buffers;
    point const& at;
    bool initiator_receives;       // messages that `-c` validates
    load_beside* beside = nullptr; // null without `--beside`
};

/// The record of a pattern, which with `--beside` is also measured beside the load. Collective over the group.
template <sonde::Group G>
sonde::record measure_point(G& group, size_plan const& plan, auto& pattern, message_point const& of) {
    auto at = point_of(of.about, of.asked, of.at);
    if constexpr (std::same_as<G, sonde::mpi::group>)
        if (of.beside != nullptr) return of.beside->measure(group, plan, pattern, at);
    return osu::run(group, plan, pattern, std::move(at));
}

/// Measure the pattern `make(out, in)` of one point, and with `-c` validate it: `validate(pattern, receives)` returns
/// the number of wrong elements. Collective over the group.
template <sonde::Group G, class Make, class Validate>
sonde::record measure(G& group, message_point const& of, size_plan const& plan, Make const& make,
                      Validate const& validate) {
    auto const run = [&](auto out, auto in)
        requires std::invocable<Make const&, decltype(out), decltype(in)>
    {
        auto pattern = make(out, in);
        auto found = measure_point(group, plan, pattern, of);
        auto const who = sonde::role_of(pattern);
        auto const receives = who == sonde::role::responder || (who == sonde::role::initiator && of.initiator_receives);
        of.buffers.end_measuring();
        if (of.asked.check.compares()) found.errors = validate(pattern, receives);
        return found;
    };
    return of.buffers.with(of.at, run);
}

} // namespace osu
