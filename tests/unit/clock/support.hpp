// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../../support.hpp"

#include <sonde/sim.hpp>
#include <sonde/sync/synchronized_start.hpp>

#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace unit {

using sonde::seconds;
using sonde::sim::manual_clock;
using sonde::sim::picoseconds;
using sonde::sim::skew;

/// Delays every received number by a random time up to 20 us, and those from lower ranks by `from_below` in addition.
struct rough_channel {
    process* self;
    sonde::sim::control_channel inner;
    std::mt19937_64 draw;
    picoseconds from_below{};
    std::size_t* sent = nullptr;

    rough_channel(process& on, std::uint64_t seed, picoseconds below = {}, std::size_t* count = nullptr)
        : self{&on}, inner{on}, draw{seed * 1000 + static_cast<std::uint64_t>(on.rank())}, from_below{below},
          sent{count} {}
    void send(int to, std::span<std::byte const> v) {
        if (sent != nullptr) ++*sent;
        inner.send(to, v);
    }
    void receive(int from, std::span<std::byte> v) {
        inner.receive(from, v);
        self->work(picoseconds{static_cast<std::int64_t>(draw() % 20'000'000)});
        if (from < self->rank()) self->work(from_below);
    }
};

/// A simulated world whose ranks leave each collective up to a second apart, by a seed, so that they continue at
/// different times.
class ragged_group {
public:
    ragged_group(process& self, std::uint64_t seed)
        : self_{&self}, inner_{self.group()}, draw_{seed * 31 + static_cast<std::uint64_t>(self.rank())} {}
    int rank() const { return inner_.rank(); }
    int size() const { return inner_.size(); }
    void barrier() { all_reduce({}, sonde::reduction::sum); }
    void all_reduce(std::span<double> values, sonde::reduction how) {
        inner_.all_reduce(values, how);
        self_->work(picoseconds{static_cast<std::int64_t>(draw_() % 1'000'000'000'000)});
    }

private:
    process* self_;
    sonde::sim::group inner_;
    std::mt19937_64 draw_;
};

/// Some ranks of a simulated world, whose collectives are messages to and from the first, and take time; their control
/// channel has the group's rank numbers.
class part {
public:
    part(process& self, std::vector<int> members) : self_{&self}, members_{std::move(members)} {
        while (members_[static_cast<std::size_t>(rank_)] != self.rank()) ++rank_;
    }
    int rank() const { return rank_; }
    int size() const { return static_cast<int>(members_.size()); }
    int in_world(int rank) const { return members_[static_cast<std::size_t>(rank)]; }
    void barrier() { all_reduce({}, sonde::reduction::sum); }
    void all_reduce(std::span<double> values, sonde::reduction how) {
        sonde::sim::control_channel mail{*self_, 7};
        if (rank_ != 0) {
            mail.send(in_world(0), std::as_bytes(values));
            mail.receive(in_world(0), std::as_writable_bytes(values));
            return;
        }
        std::vector<double> all(values.begin(), values.end());
        for (int r = 1; r != size(); ++r) {
            std::vector<double> theirs(all.size());
            mail.receive(in_world(r), std::as_writable_bytes(std::span{theirs}));
            sonde::detail::reduce_into(all, theirs, how);
        }
        for (std::size_t i = 0; i != all.size(); ++i) values[i] = all[i];
        for (int r = 1; r != size(); ++r) mail.send(in_world(r), std::as_bytes(values));
    }

private:
    process* self_;
    std::vector<int> members_;
    int rank_ = 0;
};

struct part_channel {
    part const* of;
    rough_channel inner;
    void send(int to, std::span<std::byte const> v) { inner.send(of->in_world(to), v); }
    void receive(int from, std::span<std::byte> v) { inner.receive(of->in_world(from), v); }
};

inline std::vector<int> ranks_from(int first, int count, int step = 1) {
    std::vector<int> all;
    for (int i = 0; i != count; ++i) all.push_back(first + i * step);
    return all;
}

/// A clock with a random offset up to 1000 s and a random drift of 1e-6 to 1e-4, drawn from a seed.
inline skew drawn_skew(std::uint64_t seed, int rank, picoseconds cost = {}) {
    std::mt19937_64 draw{seed * 7919 + static_cast<std::uint64_t>(rank)};
    auto const offset = picoseconds{static_cast<std::int64_t>(draw() % 1'000'000'000'000'000)};
    auto const drift = 1e-6 * static_cast<double>(1 + draw() % 100);
    return {offset, draw() % 2 == 0 ? drift : -drift, cost};
}

inline seconds shown(skew const& by, picoseconds t) { return seconds{by.reading_at(t)}; }

/// The error of a rank's global time relative to the clock of the first rank, at virtual time t.
inline seconds error_at(picoseconds t, sonde::clock_model const& mine, skew const& my_skew,
                        sonde::clock_model const& first, skew const& first_skew) {
    return mine.to_global(shown(my_skew, t)) - first.to_global(shown(first_skew, t));
}

} // namespace unit
