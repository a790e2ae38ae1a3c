// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/pattern.hpp>

#include <concepts>
#include <cstddef>
#include <stdexcept>
#include <utility>

namespace sonde {

/// A pattern that says what it moves: `moving({.bytes = n}, [&] { halo.exchange(); })`.
template <Pattern P>
class moving {
public:
    moving(traffic moved, P pattern) : moved_{moved}, pattern_{std::move(pattern)} {}
    void operator()() { pattern_(); }
    void complete() { sonde::complete(pattern_); }
    role plays() const { return sonde::plays(pattern_); }
    traffic moves() const { return moved_; }

private:
    traffic moved_;
    P pattern_;
};

/// `first()` and then the pattern, both inside the sample: a touch of managed memory, a pack of a halo.
template <std::invocable F, Pattern P>
class before {
public:
    before(F first, P pattern) : first_{std::move(first)}, pattern_{std::move(pattern)} {}
    void operator()() {
        first_();
        pattern_();
    }
    void complete() { sonde::complete(pattern_); }
    role plays() const { return sonde::plays(pattern_); }
    traffic moves() const { return sonde::moves(pattern_); }

private:
    F first_;
    P pattern_;
};

/// n iterations of a pattern as one. Throws std::invalid_argument for n = 0.
template <Pattern P>
class repeat {
public:
    repeat(std::size_t n, P pattern) : n_{n}, pattern_{std::move(pattern)} {
        if (n == 0) throw std::invalid_argument{"sonde::repeat: needs at least one iteration"};
    }
    void operator()() {
        for (std::size_t i = 0; i != n_; ++i) pattern_();
    }
    void complete() { sonde::complete(pattern_); }
    role plays() const { return sonde::plays(pattern_); }
    traffic moves() const {
        auto const one = sonde::moves(pattern_);
        auto const n = static_cast<double>(n_);
        return {n * one.bytes, n * one.messages, n * one.legs};
    }

private:
    std::size_t n_;
    P pattern_;
};

} // namespace sonde
