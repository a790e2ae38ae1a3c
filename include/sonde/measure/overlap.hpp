// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/clock.hpp>
#include <sonde/group.hpp>
#include <sonde/group/agreement.hpp>
#include <sonde/group/group_ref.hpp>
#include <sonde/measure/equal_plans.hpp>
#include <sonde/measure/record.hpp>
#include <sonde/measure/run.hpp>
#include <sonde/measure/sampling.hpp>
#include <sonde/pattern.hpp>
#include <sonde/pattern/pattern_ref.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <optional>
#include <stdexcept>
#include <utility>

namespace sonde::inline v0_1 {

/// Nonblocking operation: work overlaps with it between start and wait.
///
///     s.start()           starts the operation; one is pending at a time
///     s.test() -> bool    lets it make progress; true if it is complete
///     s.wait()            completes it, even if test has returned true
///     s()                 start and wait: a pattern
template <class S>
concept NonblockingOperation = Pattern<S> && requires(S& s) {
    s.start();
    { s.test() } -> std::convertible_to<bool>;
    s.wait();
};

/// Test that is passed to work if no operation is pending.
struct no_test {
    bool operator()() const { return true; }
};

/// Work that overlaps with a communication.
///
///     w(test)                  test() -> bool lets the communication make progress; true if it is complete
///     w()                      for work that does not test
///     w.set_duration(seconds)  optional: duration of later calls
template <class W>
concept Work = std::invocable<W&, no_test&> || Pattern<W>;

/// Does the work, with tests of progress if it takes them.
void perform(Work auto& work, auto& test) {
    if constexpr (requires { work(test); }) work(test);
    else work();
}

/// Unit of work for `calibrated_work`: dependent multiplications of about a nanosecond each, on a processor core only.
class multiply_chain {
public:
    void operator()(std::size_t units) {
        auto value = last_;
        for (; units != 0; --units) value = value * value + 1; // a square, because compilers fold linear steps into one
        last_ = value;
    }

private:
    std::uint64_t volatile last_ = 2; // volatile, so that compilers cannot remove units
};

/// Work of a given duration that does not read a clock while it runs: a number of units that is found by calibration.
///
///     sonde::calibrated_work work{3};   // calls test() three times, after each third
///     work.set_duration(20us);
///     work(test);
///
/// Timed by its clock, and including the clock's readings, the work does not take longer than the duration. After a
/// test returns true, no more tests are made. `unit(n)` performs n units.
template <class Unit = multiply_chain, Clock C = steady_clock>
class calibrated_work {
public:
    explicit calibrated_work(std::size_t tests = 0, Unit unit = {}, C clock = {})
        : tests_{tests}, unit_{std::move(unit)}, clock_{std::move(clock)} {}

    /// Calibrate: takes a millisecond and the duration, or up to 28 times the duration while the processor is slower
    /// than it was in that millisecond. Throws std::runtime_error if the clock does not advance meanwhile.
    void set_duration(seconds duration) {
        units_ = 0;
        auto const empty = shortest_time({}); // reading of the clock for no work
        if (!(duration > empty)) return;
        auto const resolution = sonde::clock_properties_of(clock_).resolution;
        units_ = static_cast<std::size_t>((duration - empty) / unit_cost(resolution));
        // The processor may have become slower since.
        for (int round = 0; round != 4; ++round) {
            auto const measured = shortest_time(duration + resolution);
            if (units_ == 0 || !(measured > duration + resolution)) return;
            auto const ratio = (duration - empty) / (measured + resolution - empty);
            auto const fewer = static_cast<std::size_t>(ratio * static_cast<double>(units_));
            units_ = fewer < units_ ? fewer : units_ - 1;
        }
    }

    /// Does the work in equal parts, with a call of `test` after each; true from `test` ends the tests.
    void operator()(auto&& test) {
        auto left = units_;
        for (auto parts = tests_; parts != 0; --parts) {
            auto const part = left / parts;
            unit_(part);
            left -= part;
            if (test()) break;
        }
        unit_(left);
    }
    void operator()() { unit_(units_); }

    /// Number of units that last as long as was asked for.
    std::size_t units() const { return units_; }

private:
    seconds time_of(auto f) {
        auto const begin = clock_.now();
        f();
        auto const end = clock_.now();
        return end - begin;
    }

    /// The shortest of seven times of the work, since disturbances make it longer; of fewer if one is not above
    /// `enough`.
    seconds shortest_time(seconds enough) {
        auto const work = [this] { (*this)([] { return false; }); };
        auto best = time_of(work);
        for (int i = 1; i != 7 && (best < seconds{} || best > enough); ++i)
            if (auto const t = time_of(work); detail::is_shorter(t, best)) best = t;
        return best;
    }

    /// Upper bound of a unit's time, so that the work is not too long. It is the time of the shortest of seven batches,
    /// since disturbances make a batch slower, plus a tick, since a clock that advances in ticks may show one tick less
    /// than has passed.
    seconds unit_cost(seconds resolution) {
        constexpr seconds shortest{50e-6}, longest{0.1};
        constexpr std::size_t most_units = std::size_t{1} << 32;
        auto const precise = 1000 * resolution > shortest ? 1000 * resolution : shortest;
        auto const affordable = 2 * resolution > longest ? 2 * resolution : longest;
        auto const enough = precise < affordable ? precise : affordable;
        for (std::size_t units = 1; units != most_units; units *= 2) {
            auto const batch = [&] { unit_(units); };
            auto best = time_of(batch);
            for (int i = 1; i != 7 && !(best < enough); ++i)
                if (auto const t = time_of(batch); detail::is_shorter(t, best)) best = t;
            if (!(best < enough)) return (best + resolution) / static_cast<double>(units);
        }
        throw std::runtime_error{"sonde::calibrated_work: the clock does not advance while units are performed"};
    }

    std::size_t tests_;
    Unit unit_;
    C clock_;
    std::size_t units_ = 0;
};

/// Busy-waits: reads the clock until a duration has passed. The wait is not shorter than the duration, and longer by at
/// most one reading of the clock. A step back of the clock counts as no time, and a clock that stands still ends the
/// wait. Unlike this class, `calibrated_work` reads no clock while it works.
template <Clock C = steady_clock>
class busy_wait {
public:
    explicit busy_wait(C clock = {}) : clock_{std::move(clock)} {}
    /// Waits for a duration by reading the clock.
    void operator()(seconds duration) {
        detail::stopwatch passed{clock_};
        while (passed() < duration && !passed.stands_still()) {
        }
    }

private:
    C clock_;
};

/// Phases of an overlapped iteration.
enum class phase : unsigned char { post, work, test, wait };

/// Timer that reads no clock, so that phases are not timed: `reset`, `begin` and `end` do nothing.
struct no_phase_timer {
    void reset() const {}
    void begin() const {}
    void end(phase) const {}
};

/// Mean times of the phases of an iteration; `work` does not include the tests.
struct phase_means {
    seconds post{}; // start of the communication
    seconds work{};
    seconds test{}; // tests of progress
    seconds wait{}; // completion
};

/// Mean times of the phases since `reset` (the end of the warm-up), by a clock that is read between phases.
template <Clock C>
class phase_timer {
public:
    explicit phase_timer(C clock) : clock_{std::move(clock)}, last_{clock_.now()} {}

    void reset() {
        for (auto& sum : sums_) sum = {};
        iterations_ = 0;
    }
    /// The first phase begins.
    void begin() { last_ = clock_.now(); }
    /// A phase ends, and the next one begins.
    void end(phase of) {
        auto const now = clock_.now();
        sums_[static_cast<std::size_t>(of)] += seconds{now - last_};
        last_ = now;
        iterations_ += of == phase::wait;
    }
    /// Number of iterations that were timed.
    std::size_t iterations() const { return iterations_; }
    /// Means on this rank; zero without iterations.
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

/// Pattern: start, work, wait: `overlapped{mpi::nonblocking{...}, work}`. Role and traffic are the operation's. Like
/// every adaptor of patterns, it refers to variables and keeps temporaries.
template <NonblockingOperation S, Work W, class Phases = no_phase_timer>
class overlapped : public pattern_adaptor<overlapped<S, W, Phases>, S> {
public:
    overlapped(S&& operation, W&& work, Phases phases = {})
        : overlapped::pattern_adaptor{std::forward<S>(operation)}, work_{std::forward<W>(work)},
          phases_{std::forward<Phases>(phases)} {}

    void operator()() {
        auto test = [this] {
            phases_.end(phase::work);
            bool const complete = this->pattern_.test();
            phases_.end(phase::test);
            return complete;
        };
        phases_.begin();
        this->pattern_.start();
        phases_.end(phase::post);
        sonde::perform(work_, test);
        phases_.end(phase::work);
        this->pattern_.wait();
        phases_.end(phase::wait);
    }
    void in_role(auto f) { f(*this); }
    void after_warmup() {
        phases_.reset();
        sonde::after_warmup(this->pattern_);
    }

private:
    W work_;
    Phases phases_;
};
template <class S, class W>
overlapped(S&&, W&&) -> overlapped<S, W>;
template <class S, class W, class Phases>
overlapped(S&&, W&&, Phases&&) -> overlapped<S, W, Phases>;

/// Records of communication without work, of work without communication, and of both overlapped.
struct overlap_records {
    record communication;              // without work
    record work;                       // without communication
    record both;                       // overlapped
    std::optional<phase_means> phases; // of `both`, mean over initiators; if `overlap_timing::phases` was passed
};

/// What `measure_overlap` times: only whole iterations, or also their phases, with readings of the clock between
/// phases.
enum class overlap_timing : unsigned char { whole, phases };

/// Duration of the work: the median time of the communication, the same on all ranks.
struct median_duration {
    seconds operator()(record const& communication, int) const { return median(communication); }
};

namespace detail {

/// Work as a pattern, in the rank's role in the communication.
template <Work W>
struct work_pattern {
    W& work;
    sonde::role my_role;

    void operator()() {
        no_test test;
        sonde::perform(work, test);
    }
    sonde::role role() const { return my_role; }
};

/// The three runs of `measure_overlap`: compiled once for all operations with one type of work. Collective over the
/// group.
template <Group G, class Plan, Work W>
overlap_records run_overlap(G& group, Plan plan, pattern_ref<decltype(Plan::clock)> communication,
                            work_pattern<W>& alone, pattern_ref<decltype(Plan::clock)> both, measured_point const& what,
                            auto& target, std::exception_ptr& failure) {
    auto const measure = [&](auto const& pattern, char const* name) {
        auto part = what;
        part.at.parameters.emplace_back("part", name);
        auto own = plan; // a run enlarges the batch of its own plan
        return detail::run_untyped(group, own, pattern, std::move(part), failure);
    };
    overlap_records found;
    found.communication = measure(communication, "communication");
    if constexpr (requires(seconds t) { alone.work.set_duration(t); }) {
        sonde::collectively(group, [&] { alone.work.set_duration(target(found.communication, group.rank())); });
    }
    found.work = detail::with_guard(plan, alone, failure, [&](auto const& work) { return measure(work, "work"); });
    found.both = measure(both, "both");
    return found;
}

/// Mean over initiators. Collective over the group.
phase_means mean_over_ranks(Group auto& group, phase_means const& mine, sonde::role my_role) {
    std::array<double, 5> sums{};
    if (my_role == role::initiator)
        sums = {mine.post.count(), mine.work.count(), mine.test.count(), mine.wait.count(), 1};
    group.all_reduce(sums, reduction::sum);
    auto const n = sums[4] == 0 ? 1 : sums[4];
    return {seconds{sums[0] / n}, seconds{sums[1] / n}, seconds{sums[2] / n}, seconds{sums[3] / n}};
}

template <class Plan, class S, class W>
overlap_records measure_overlap(Group auto& group, Plan const& plan, S& operation, W& work, measured_point const& what,
                                overlap_timing timing, auto target) {
    watched_call const watched{group, "measure_overlap", what.at.name.c_str()};
    std::exception_ptr failure;
    work_pattern<W> alone{work, role::idle};
    std::optional<phase_timer<decltype(plan.clock)>> phases;
    detail::attempt(failure, [&] {
        alone.my_role = sonde::role_of(operation);
        if (timing == overlap_timing::phases) phases.emplace(plan.clock);
    });
    detail::require_same_call(group_ref{group}, {"measure_overlap"}, failure);
    if (detail::differences(group, std::array{static_cast<double>(timing)}).front())
        throw std::invalid_argument{"sonde::measure_overlap: the overlap_timing must be equal on all ranks"};
    auto const measure = [&](auto&& both) {
        return detail::with_guard(plan, operation, failure, [&](auto const& communication) {
            return detail::with_guard(plan, both, failure, [&](auto const& overlapping) {
                return detail::run_overlap(group, plan, communication, alone, overlapping, what, target, failure);
            });
        });
    };
    if (!phases) return measure(overlapped{operation, work});
    auto found = measure(overlapped{operation, work, *phases});
    found.phases = detail::mean_over_ranks(group, phases->means(), alone.my_role);
    return found;
}

} // namespace detail

/// Measure the overlap of communication and work. Three runs of one plan measure the communication, the work, and both
/// overlapped. Collective over the group; the result is equal on all ranks.
///
/// After the first run, `set_duration` of the work, if it has one, is called with `target(record of the communication,
/// this rank)`, which may differ between ranks; if it throws on a rank, all ranks throw. The plan and `timing` must be
/// equal on all ranks, else all ranks throw std::invalid_argument. The records have the point `at` with the parameter
/// "part", which is communication, work or both.
template <Group G, class Plan, NonblockingOperation S, Work W, class Target = median_duration>
[[nodiscard]] overlap_records measure_overlap(G& group, Plan const& plan, S& operation, W& work, point const& at,
                                              overlap_timing timing = overlap_timing::whole, Target target = {}) {
    return detail::measure_overlap(group, plan, operation, work, {at}, timing, std::move(target));
}

/// As above, with the place of this call, "file.cpp:123", as the name of the point.
template <Group G, class Plan, NonblockingOperation S, Work W>
[[nodiscard]] overlap_records measure_overlap(G& group, Plan const& plan, S& operation, W& work,
                                              detail::call_site where = detail::call_site::of(__builtin_FILE(),
                                                                                              __builtin_LINE())) {
    return detail::measure_overlap(group, plan, operation, work, {.at = where.name(), .is_compared = false},
                                   overlap_timing::whole, median_duration{});
}

/// Overlap: the fraction of the communication's time that is hidden behind the work, (communication + work - both) /
/// communication. At 0 nothing is hidden, at 1 all of it.
///
/// The value is not clamped. Below 0, communication and work slow each other down; above 1, the runs differ by chance.
/// Work can hide at most the fraction work / communication. The overlap is 0 if the communication takes no time.
[[nodiscard]] inline double overlap(seconds communication, seconds work, seconds both) {
    return communication > seconds{} ? (communication + work - both) / communication : 0;
}
/// Overlap of the median times.
[[nodiscard]] inline double overlap(overlap_records const& o) {
    return overlap(median(o.communication), median(o.work), median(o.both));
}

} // namespace sonde
