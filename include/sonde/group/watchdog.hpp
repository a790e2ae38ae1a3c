// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/clock.hpp>
#include <sonde/group.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace sonde::inline v0_1 {

namespace detail {

/// The deadlines of a watchdog. The caller passes the current time, so that tests need no clock.
///
/// A wait is overdue when the limit has passed since the expected end of the announced iterations. Their expected time
/// is twice the time at the pace of the iterations before, or at that of slower ones that were kept. If no pace is
/// known, it is the limit for each iteration but the first. An overdue wait is reported once in each call, and only if
/// it is still overdue after a pause: a machine or a process that was stopped and goes on has let the deadline pass,
/// although no rank waits for another.
///
/// Rank 0 reports every wait, with its phase. The other ranks report only that they stay in iterations of the pattern,
/// because a rank that waits elsewhere waits for the rank that reports. If rank 0 itself does not come, it reports
/// nothing: therefore rank 1 reports every wait, too, that lasts four times as long. After this time each rank reports
/// that it works with another one alone, which no other rank knows.
class wait_watch {
public:
    seconds limit; // 0 or less, or 1e9 s or more: no deadline
    int rank;      // that lines name

    explicit wait_watch(seconds limit_of_waits, int me = 0) : limit{limit_of_waits}, rank{me} {}

    void enter(char const* function, char const* name, seconds now);
    /// May be called while another thread calls `tell`.
    void wait_in(call_phase phase) { __atomic_store_n(&phase_, static_cast<unsigned char>(phase), __ATOMIC_RELAXED); }
    void expect(std::size_t iterations, seconds now);
    void work(std::size_t iterations, seconds now);
    void work_with(int peer, seconds now);
    void keep_pace(seconds now);
    void leave(seconds now);
    /// Time of the next call of `tell`; empty outside of calls and after the wait was reported.
    std::optional<seconds> deadline() const;
    /// The line for stderr if the wait is overdue for the second time, once in each call.
    std::optional<std::string> tell(seconds now);

private:
    struct call {
        char const* function;
        std::string name;
        bool told;
    };

    static constexpr double patience = 4; // limits, before another rank than rank 0 speaks of a wait

    void arm(std::size_t iterations, seconds now);
    std::string line(call const& late, call_phase phase) const;
    bool leaves_to_rank_0(call_phase phase, seconds now);

    unsigned char phase_ = 0;    // a call_phase
    std::vector<call> calls_;    // a call within another one follows it
    std::size_t iterations_ = 0; // since the time `since_`
    seconds since_{};
    std::optional<seconds> deadline_;
    seconds due_{};             // the first deadline of this wait
    std::optional<int> peer_{}; // with which this rank works alone
    bool overdue_ = false;      // once
    seconds pace_{};            // of an iteration
    seconds kept_{};            // slowest pace that was kept in this call
};

} // namespace detail

/// Limit of a `watchdog`: the environment variable SONDE_WATCHDOG in seconds, or 30 s if it is not set or not a finite
/// number; a watchdog says so then. 0 turns the watchdog off, and so do numbers below 0 or from 1e9.
[[nodiscard]] seconds watchdog_limit();

/// Watchdog of a rank of a group. On rank 0 it writes a line to stderr if the other ranks do not arrive in a collective
/// function of the library, such as `run`, or do not make progress in it, and says in which phase it waits; after four
/// times the limit rank 1 does so, too, because rank 0 may be the one that does not come. On each rank it writes a line
/// if the rank stays in the pattern, or, after four times the limit, in a pair's exchanges. A separate thread writes
/// the line. The measurement only announces its iterations and phases, outside of the samples. `set_limit(seconds{})`
/// turns the watchdog off.
class watchdog final : public watchdog_base {
public:
    explicit watchdog(seconds limit = watchdog_limit(), int rank = 0) : state_{limit, rank} {}
    watchdog(watchdog const& other) : watchdog_base{other}, state_{other.limit(), other.state_.rank} {}

    /// Time after which a wait is overdue; 0 turns the watchdog off.
    seconds limit() const { return state_.limit; }
    /// Call it between two collective functions.
    void set_limit(seconds limit) { state_.limit = limit; }
    /// The rank that lines name. Call it between two collective functions.
    void set_rank(int rank) { state_.rank = rank; }

    // Inline in the class, or each file would have the table of these functions, and thus the functions.
    SONDE_INLINE void enter(char const* function, char const* name) override;
    SONDE_INLINE void expect(std::size_t iterations) override;
    SONDE_INLINE void work(std::size_t iterations) override;
    SONDE_INLINE void work_with(int peer) override;
    SONDE_INLINE void keep_pace() override;
    void wait_in(call_phase phase) override { state_.wait_in(phase); }
    SONDE_INLINE void leave() override;

private:
    detail::wait_watch state_;
    std::size_t depth_ = 0;
};

} // namespace sonde

#if SONDE_DEFINITIONS
#include <pthread.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <utility>

namespace sonde::inline v0_1::detail {

inline char const* watchdog_text() {
    auto const* const text = std::getenv("SONDE_WATCHDOG");
    return text == nullptr ? "" : text;
}

/// The number in SONDE_WATCHDOG; empty if it is not set, or not a finite number.
inline std::optional<double> watchdog_number() {
    auto const* const text = watchdog_text();
    char* end = nullptr;
    auto const value = std::strtod(text, &end);
    if (end == text || *end != '\0' || !is_finite(value)) return std::nullopt;
    return value;
}

SONDE_INLINE void wait_watch::enter(char const* function, char const* name, seconds now) {
    calls_.push_back({function, name, false});
    if (calls_.size() == 1) pace_ = kept_ = {};
    wait_in(call_phase::begin);
    arm(0, now);
}

SONDE_INLINE void wait_watch::expect(std::size_t iterations, seconds now) {
    if (iterations_ != 0) pace_ = (now - since_) / static_cast<double>(iterations_);
    arm(iterations, now);
}

SONDE_INLINE void wait_watch::work(std::size_t iterations, seconds now) {
    expect(iterations, now);
    deadline_.reset();
}

SONDE_INLINE void wait_watch::work_with(int peer, seconds now) {
    expect(1, now);
    due_ += (patience - 1) * limit;
    deadline_ = due_;
    peer_ = peer;
}

SONDE_INLINE void wait_watch::keep_pace(seconds now) {
    expect(0, now);
    kept_ = std::max(kept_, pace_);
}

SONDE_INLINE void wait_watch::leave(seconds now) {
    calls_.pop_back();
    wait_in(call_phase::begin);
    arm(0, now);
}

SONDE_INLINE std::optional<seconds> wait_watch::deadline() const {
    if (calls_.empty() || calls_.back().told || !(limit > seconds{} && limit < seconds{1e9})) return std::nullopt;
    return deadline_;
}

SONDE_INLINE std::optional<std::string> wait_watch::tell(seconds now) {
    auto const due = deadline();
    if (!due || now < *due) return std::nullopt;
    auto const phase = static_cast<call_phase>(__atomic_load_n(&phase_, __ATOMIC_RELAXED));
    if (!peer_ && leaves_to_rank_0(phase, now)) return std::nullopt;
    if (!std::exchange(overdue_, true)) {
        deadline_ = now + std::min(limit / 10, seconds{1});
        return std::nullopt;
    }
    calls_.back().told = true;
    return line(calls_.back(), phase);
}

/// Another rank's wait, of which it tells nothing, or nothing yet: it looks again.
SONDE_INLINE bool wait_watch::leaves_to_rank_0(call_phase phase, seconds now) {
    auto const own = due_ + (patience - 1) * limit; // deadline of rank 1
    if (rank == 0 || phase == call_phase::iterations || (rank == 1 && now >= own)) return false;
    deadline_ = rank == 1 ? std::min(now + limit, own) : now + limit;
    overdue_ = false;
    return true;
}

SONDE_INLINE std::string wait_watch::line(call const& late, call_phase phase) const {
    constexpr char const* phases[]{"",
                                   ": in the comparison of calls and plans",
                                   ": in the comparison of clocks",
                                   ": in the synchronization before a sample",
                                   "",
                                   ": in the combination of results"};
    auto const is_usual = !peer_ && (rank == 0 || phase == call_phase::iterations);
    char time[32];
    std::snprintf(time, sizeof time, "%g", (is_usual ? limit : patience * limit).count());
    auto const who = "rank " + std::to_string(rank);
    auto const function = std::string{"sonde::"} + late.function + (late.name.empty() ? "" : " (" + late.name + ")");
    if (peer_)
        return who + " has not come out of its exchanges with rank " + std::to_string(*peer_) + " for " + time +
               " s, in " + function + '\n';
    if (phase == call_phase::iterations)
        return who + " has not come out of the exchange that it measures for " + time + " s, in " + function + '\n';
    return who + " has waited " + time + " s in " + function + " for the others" +
           phases[static_cast<std::size_t>(phase)] +
           (is_usual ? "\n" : "; rank 0 says so earlier, unless it is rank 0 that does not come\n");
}

SONDE_INLINE void wait_watch::arm(std::size_t iterations, seconds now) {
    auto const n = static_cast<double>(iterations);
    iterations_ = iterations;
    since_ = now;
    overdue_ = false;
    peer_.reset();
    auto const pace = std::max(pace_, kept_);
    due_ = now + limit + (pace > seconds{} ? 2 * n * pace : iterations > 1 ? (n - 1) * limit : seconds{});
    deadline_ = due_;
}

/// The thread that reports overdue waits of all groups of this process. It starts with the first call, sleeps until the
/// next known deadline, and does not call a communication library. Its functions may be called from any thread.
class watch_thread {
public:
    static watch_thread& instance() {
        static watch_thread one;
        return one;
    }
    /// Watch an object from now on. Call within `change`, as for every change of a watched object.
    void add(wait_watch& one) {
        watched_.push_back(&one);
        if (started_) return;
        if (one.rank == 0 && *watchdog_text() != '\0' && !watchdog_number())
            std::fputs("SONDE_WATCHDOG is not a number of seconds: the limit of the watchdog is 30 s\n", stderr);
        start();
    }
    void remove(wait_watch const& one) {
        for (std::size_t i = 0; i != watched_.size(); ++i)
            if (watched_[i] == &one) {
                watched_[i] = watched_.back();
                watched_.pop_back();
                return;
            }
    }
    /// Call f(now) while the thread is locked out, and wake the thread if it would sleep beyond a deadline.
    void change(auto f) {
        lock const locked{mutex_};
        f(now());
        auto const next = next_deadline();
        if (next && (!wakes_at_ || *next < *wakes_at_)) pthread_cond_signal(&changed_);
    }

private:
    struct lock {
        explicit lock(pthread_mutex_t& mutex) : held{mutex} { pthread_mutex_lock(&held); }
        lock(lock const&) = delete;
        ~lock() { pthread_mutex_unlock(&held); }
        pthread_mutex_t& held;
    };

    watch_thread() {
        pthread_condattr_t attributes;
        pthread_condattr_init(&attributes);
#ifndef __APPLE__ // has no such function
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
#endif
        pthread_cond_init(&changed_, &attributes);
        pthread_condattr_destroy(&attributes);
    }
    /// Called at the end of the process, or when a plug-in is unloaded. A process made by fork() does not have the
    /// thread.
    ~watch_thread() {
        if (!started_ || process_ != getpid()) return;
        {
            lock const locked{mutex_};
            ends_ = true;
            pthread_cond_signal(&changed_);
        }
        pthread_join(thread_, nullptr);
    }

    static seconds now() {
        timespec t{};
        clock_gettime(CLOCK_MONOTONIC, &t);
        return seconds{static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec)};
    }
    /// The thread blocks all signals, so that it never runs the application's handlers. If the system refuses a thread,
    /// nothing is reported.
    void start() {
        sigset_t all, before;
        sigfillset(&all);
        pthread_sigmask(SIG_SETMASK, &all, &before);
        started_ = pthread_create(&thread_, nullptr, &watch_thread::body, this) == 0;
        pthread_sigmask(SIG_SETMASK, &before, nullptr);
        process_ = getpid();
    }
    static void* body(void* self) {
        static_cast<watch_thread*>(self)->watch();
        return nullptr;
    }
    void watch() {
        lock const locked{mutex_};
        while (!ends_) {
            std::string lines;
            for (auto* const one : watched_)
                if (auto const line = one->tell(now())) lines += *line;
            if (!lines.empty()) write_unlocked(lines);
            else sleep_until(next_deadline());
        }
    }
    std::optional<seconds> next_deadline() const {
        std::optional<seconds> next;
        for (auto const* const one : watched_)
            if (auto const due = one->deadline(); due && (!next || *due < *next)) next = due;
        return next;
    }
    /// Unlocked, because a full pipe must not hold up the measurement.
    void write_unlocked(std::string const& lines) {
        pthread_mutex_unlock(&mutex_);
        [[maybe_unused]] auto const written = ::write(STDERR_FILENO, lines.data(), lines.size());
        pthread_mutex_lock(&mutex_);
    }
    void sleep_until(std::optional<seconds> time) {
        wakes_at_ = time;
        if (!time) {
            pthread_cond_wait(&changed_, &mutex_);
            return;
        }
#ifdef __APPLE__
        auto const wait = to_timespec(*time > now() ? *time - now() : seconds{});
        pthread_cond_timedwait_relative_np(&changed_, &mutex_, &wait);
#else
        auto const until = to_timespec(*time);
        pthread_cond_timedwait(&changed_, &mutex_, &until);
#endif
    }
    static timespec to_timespec(seconds time) {
        auto const whole = static_cast<time_t>(time.count());
        return {whole, static_cast<long>((time.count() - static_cast<double>(whole)) * 1e9)};
    }

    pthread_mutex_t mutex_ = PTHREAD_MUTEX_INITIALIZER;
    pthread_cond_t changed_{};
    pthread_t thread_{};
    pid_t process_ = 0;
    bool started_ = false;
    bool ends_ = false;
    std::optional<seconds> wakes_at_;  // empty: it sleeps without a deadline
    std::vector<wait_watch*> watched_; // within calls
};

} // namespace sonde::detail

namespace sonde::inline v0_1 {

SONDE_INLINE seconds watchdog_limit() {
    auto const value = detail::watchdog_number().value_or(30);
    return seconds{value > 0 && value < 1e9 ? value : 0};
}

SONDE_INLINE void watchdog::enter(char const* function, char const* name) {
    auto& thread = detail::watch_thread::instance();
    thread.change([&](seconds now) {
        if (depth_++ == 0) thread.add(state_);
        state_.enter(function, name, now);
    });
}

SONDE_INLINE void watchdog::expect(std::size_t iterations) {
    detail::watch_thread::instance().change([&](seconds now) { state_.expect(iterations, now); });
}

SONDE_INLINE void watchdog::work(std::size_t iterations) {
    detail::watch_thread::instance().change([&](seconds now) { state_.work(iterations, now); });
}

SONDE_INLINE void watchdog::work_with(int peer) {
    detail::watch_thread::instance().change([&](seconds now) { state_.work_with(peer, now); });
}

SONDE_INLINE void watchdog::keep_pace() {
    detail::watch_thread::instance().change([&](seconds now) { state_.keep_pace(now); });
}

SONDE_INLINE void watchdog::leave() {
    auto& thread = detail::watch_thread::instance();
    thread.change([&](seconds now) {
        state_.leave(now);
        if (--depth_ == 0) thread.remove(state_);
    });
}

} // namespace sonde

#endif
