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
class moving : public iteration_adaptor<moving<P>, P> {
public:
    moving(traffic moved, P pattern) : iteration_adaptor<moving<P>, P>{std::forward<P>(pattern)}, moved_{moved} {}
    traffic moves() const { return moved_; }

private:
    traffic moved_;
};

/// `first()` and then the pattern, both inside the sample: a touch of managed memory, a pack of a halo.
template <std::invocable F, Pattern P>
class before : public iteration_adaptor<before<F, P>, P> {
public:
    before(F first, P pattern)
        : iteration_adaptor<before<F, P>, P>{std::forward<P>(pattern)}, first_{std::move(first)} {}
    void iterate(auto& inner) {
        first_();
        inner();
    }

private:
    F first_;
};

/// n iterations of a pattern as one. Throws std::invalid_argument for n = 0.
template <Pattern P>
class repeat : public iteration_adaptor<repeat<P>, P> {
public:
    repeat(std::size_t n, P pattern) : iteration_adaptor<repeat<P>, P>{std::forward<P>(pattern)}, n_{n} {
        if (n == 0) throw std::invalid_argument{"sonde::repeat: needs at least one iteration"};
    }
    void iterate(auto& inner) {
        for (std::size_t i = 0; i != n_; ++i) inner();
    }
    traffic moves() const {
        auto const one = sonde::moves(this->pattern_);
        return {n_ * one.bytes, n_ * one.messages, static_cast<double>(n_) * one.legs, one.bus, one.shared_by};
    }

private:
    std::size_t n_;
};

} // namespace sonde
