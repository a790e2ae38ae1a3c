// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/pattern.hpp>
#include <sonde/time.hpp>

#include <concepts>
#include <cstddef>
#include <utility>

namespace sonde {

/// A communication whose beginning and end are apart: work fits between.
///
///     s.start()           begins the operation; one is under way at a time
///     s.test() -> bool    is it over? lets it make progress
///     s.finish()          waits for its end, also where a test has said that it is over
///     s()                 start and finish: a pattern
template <class S>
concept Split = Pattern<S> && requires(S& s) {
    s.start();
    { s.test() } -> std::convertible_to<bool>;
    s.finish();
};

/// What work is given to call where no operation is under way: it is over, at no cost.
struct no_test {
    bool operator()() const { return true; }
};

/// Work to do while a communication is under way.
///
///     w(test)           test() -> bool lets the communication make progress, and says whether it is over
///     w()               for work that does not test
///     w.last(seconds)   optional: how long it is to last from now on
template <class W>
concept Work = std::invocable<W&, no_test&> || Pattern<W>;

template <Work W, class Test>
void perform(W& work, Test& test) {
    if constexpr (requires { work(test); }) work(test);
    else work();
}

/// The parts of an overlapped iteration.
enum class phase : unsigned char { post, work, test, wait };

/// Parts that nobody asked for: no reading of the clock.
struct no_phases {
    void restart() const {}
    void begin() const {}
    void end(phase) const {}
};

/// Mean times of the parts of an iteration; the time of tests is not in that of the work.
struct phase_means {
    seconds post{};
    seconds work{};
    seconds test{};
    seconds wait{};
};

/// Sums up how long the parts of iterations take, by a clock read between them, so that parts add up to the iteration.
/// What was summed up before `restart`, in a warm-up, is left out.
template <Clock C>
class phases {
public:
    explicit phases(C clock) : clock_{std::move(clock)}, last_{clock_.now()} {}

    void restart() {
        for (auto& sum : sums_) sum = {};
        iterations_ = 0;
    }
    void begin() { last_ = clock_.now(); }
    void end(phase of) {
        auto const now = clock_.now();
        sums_[static_cast<std::size_t>(of)] += seconds{now - last_};
        last_ = now;
        iterations_ += of == phase::wait;
    }
    std::size_t iterations() const { return iterations_; }
    /// Of this rank; zero where no iteration has been counted.
    phase_means means() const {
        auto const n = iterations_ == 0 ? 1 : static_cast<double>(iterations_);
        return {sums_[0] / n, sums_[1] / n, sums_[2] / n, sums_[3] / n};
    }

private:
    C clock_;
    decltype(std::declval<C&>().now()) last_;
    seconds sums_[4]{};
    std::size_t iterations_ = 0;
};

/// start, work, finish: `overlapped{mpi::nonblocking{...}, work}`.
///
/// Split, work and phases are held by value, or, as `overlapped<S&, W&, P&>`, by reference. Role and traffic are the
/// communication's.
template <Split S, Work W, class Phases = no_phases>
class overlapped : public pattern_adaptor<S> {
public:
    overlapped(S split, W work, Phases parts = {})
        : pattern_adaptor<S>{std::forward<S>(split)}, work_{std::forward<W>(work)},
          phases_{std::forward<Phases>(parts)} {}

    void operator()() {
        auto test = [this] {
            phases_.end(phase::work);
            bool const over = this->pattern_.test();
            phases_.end(phase::test);
            return over;
        };
        phases_.begin();
        this->pattern_.start();
        phases_.end(phase::post);
        sonde::perform(work_, test);
        phases_.end(phase::work);
        this->pattern_.finish();
        phases_.end(phase::wait);
    }
    void warmed_up() {
        phases_.restart();
        sonde::warmed_up(this->pattern_);
    }

private:
    W work_;
    Phases phases_;
};

} // namespace sonde
