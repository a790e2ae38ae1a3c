// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "contents.hpp"
#include "pairing.hpp"
#include "rows.hpp"

#include "../p2p_patterns.hpp"

#include <sonde/buffer.hpp>
#include <sonde/mpi/datatype.hpp>
#include <sonde/run.hpp>

#include <cstddef>
#include <utility>
#include <vector>

namespace imb::mt {

/// Bytes from one message to the next, where each has a place of its own.
inline std::size_t stride_of(std::size_t bytes) { return bytes / 64 * 64 + 64; }

/// What a benchmark of one size has of its instance.
class hand {
public:
    hand(instance const& on, std::size_t bytes) : on_{on}, bytes_{bytes} {}

    sonde::mpi::group const& ranks() const { return on_.ranks; }
    options const& asked() const { return on_.asked; }
    std::size_t bytes() const { return bytes_; }
    int rank() const { return on_.ranks.rank(); }
    int apart() const { return distance(on_.asked.stride, on_.ranks.size()); }
    sonde::pairing pairing() const { return pair_by_stride(rank(), on_.ranks.size(), on_.asked.stride); }
    sonde::mpi::elements elements() const { return {asked().type == datatype::integer ? MPI_INT : MPI_CHAR}; }
    /// MPI adds no MPI_CHAR.
    sonde::mpi::block summed() const {
        return {asked().type == datatype::integer ? MPI_INT : MPI_SIGNED_CHAR, bytes_ / asked().element_bytes()};
    }

    sonde::slice out() const { return sonde::slice{on_.at.send.first(bytes_)}; }
    sonde::slice in() const { return sonde::slice{on_.at.receive.first(bytes_)}; }
    /// One place for all messages, as patterns of the suite have it.
    buffer sent() const { return {out().next(), bytes_, stride_of(bytes_)}; }
    buffer received(std::size_t place = 0) const {
        return {on_.at.receive.subspan(place * stride_of(bytes_), bytes_), bytes_, stride_of(bytes_)};
    }
    /// A place for each message of a window.
    buffer window() const {
        return {on_.at.receive.first(asked().window * stride_of(bytes_)), bytes_, stride_of(bytes_)};
    }
    sonde::slice token() const { return sonde::slice{on_.at.receive.last(1)}; }
    void meet_threads() const {
        if (asked().level == threading::multiple) on_.threads.arrive_and_wait();
    }

private:
    instance const& on_;
    std::size_t bytes_;
};

/// The arrivals that are not as they should be after a repetition.
template <class Pattern>
std::size_t wrong_elements(instance const& on, hand const& of, Pattern pattern, std::vector<arrival> const& expected) {
    std::size_t mine = 0;
    auto const thread = on.me.thread();
    auto const prepare = [&](std::size_t) {
        write_values(of.out().next(), of.rank(), thread);
        clear(on.at.receive);
    };
    auto const verify = [&](std::size_t) {
        std::size_t wrong = 0;
        for (auto const& a : expected) wrong += wrong_values(on.at.receive.subspan(a.at, of.bytes()), a, thread);
        mine += wrong;
        return wrong;
    };
    static_cast<void>(sonde::validate(on.me, pattern, prepare, verify, 2));
    return mine;
}

/// `make(hand)` -> pattern, `expected(hand)` -> arrivals. The instance outlives the work.
template <class Make, class Expected>
work work_of(instance const& on, std::size_t bytes, Make make, Expected expected) {
    auto const measure = [&on, bytes, make](plan const& how, sonde::point at) {
        return sonde::run(on.me, how, make(hand{on, bytes}), std::move(at));
    };
    auto const check = [&on, bytes, make, expected] {
        hand const of{on, bytes};
        return wrong_elements(on, of, make(of), expected(of));
    };
    return {measure, check};
}

} // namespace imb::mt
