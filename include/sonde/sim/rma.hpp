// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/buffer.hpp>
#include <sonde/pattern.hpp>
#include <sonde/sim/rma/window.hpp>

#include <cstddef>
#include <utility>
#include <vector>

namespace sonde::sim {

/// Every rank signals all others, and awaits theirs: puts before it have arrived, puts after it have not begun.
class fence {
public:
    explicit fence(window& w) : window_{&w} {}
    void open(auto) const { meet(); }
    void close(auto) const { meet(); }
    void turn(auto, auto) const { meet(); }

private:
    void meet() const {
        for (int d = 1; d < window_->ranks(); ++d) window_->signal((window_->rank() + d) % window_->ranks());
        for (int d = 1; d < window_->ranks(); ++d)
            window_->await((window_->rank() - d + window_->ranks()) % window_->ranks());
    }

    window* window_;
};

/// A target signals that it is ready (post), the origin awaits that (start); the origin signals that it is done
/// (complete), the target awaits that (wait).
class pscw {
public:
    pscw(window& w, std::vector<int> others) : window_{&w}, others_{std::move(others)} {}
    template <class Side>
    void open(Side) const {
        if constexpr (Side::exposes) signal();
        if constexpr (Side::accesses) await();
    }
    template <class Side>
    void close(Side) const {
        if constexpr (Side::accesses) signal();
        if constexpr (Side::exposes) await();
    }

private:
    void signal() const {
        for (auto const rank : others_) window_->signal(rank);
    }
    void await() const {
        for (auto const rank : others_) window_->await(rank);
    }

    window* window_;
    std::vector<int> others_;
};

/// The origin waits for the acknowledgement of the target's network interface; the target does nothing.
class flush {
public:
    static constexpr bool passive = true;

    flush(window& w, int target) : window_{&w}, target_{target} {}
    void open(auto) const {}
    template <class Side>
    void close(Side) const {
        if constexpr (Side::accesses) window_->acknowledged(target_);
    }

private:
    window* window_;
    int target_;
};

/// Transfer i puts block i of some memory into block i of the target's window, counted from byte `first`.
class put {
public:
    put(window& w, int target, region from, std::size_t bytes, std::size_t first = 0)
        : window_{&w}, target_{target}, from_{from}, bytes_{bytes}, first_{first} {}
    void operator()(std::size_t i) const {
        window_->put(from_.subspan(i * bytes_, bytes_), target_, first_ + i * bytes_);
    }
    std::size_t places() const { return bytes_ == 0 ? static_cast<std::size_t>(-1) : from_.size() / bytes_; }
    traffic moves() const { return {bytes_, 1, 1}; }

private:
    window* window_;
    int target_;
    region from_;
    std::size_t bytes_;
    std::size_t first_;
};

} // namespace sonde::sim
