// SPDX-License-Identifier: BSL-1.0
#include "tools/map/map_measurement.hpp"

#include "suite/agreement.hpp"
#include "suite/bit_check.hpp"
#include "suite/hosts.hpp"
#include "tools/map/map_findings.hpp"
#include "tools/map/sonde_map.hpp"

#include <sonde/clock.hpp>
#include <sonde/map.hpp>
#include <sonde/measure/plan.hpp>
#include <sonde/measure/type_erasure.hpp>
#include <sonde/memory.hpp>
#include <sonde/mpi/link.hpp>
#include <sonde/pattern/point_to_point.hpp>
#include <sonde/report/progress.hpp>
#include <sonde/report/text.hpp>
#include <sonde/stop/precision.hpp>

#include <mpi.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <functional>
#include <mutex>
#include <new>
#include <optional>
#include <set>
#include <stop_token>
#include <thread>
#include <utility>

namespace tools::map {

namespace {

/// Rounds that `--quick` measures; 0: all.
int rounds_of(map_options const& options, int places) {
    if (!options.quick) return 0;
    return static_cast<int>(std::bit_width(static_cast<unsigned>(places - 1))) + 2;
}

/// Number of consecutive measurements of a rank in a map, which share the budget.
double measurements(map_options const& options, int places) {
    auto const all = options.mode == map_mode::ring ? places - 1 : sonde::pairing_rounds{places}.size();
    auto const quick = rounds_of(options, places);
    auto const rounds = quick == 0 ? all : std::min(quick, all);
    auto const in_round = options.mode == map_mode::ring       ? 1
                          : options.mode == map_mode::together ? 2
                                                               : 2 * (places / 2);
    return static_cast<double>(rounds) * in_round * static_cast<double>(options.tasks.size());
}

sonde::any_rule rule_of(map_options const& options, int places) {
    if (options.samples) return sonde::samples{*options.samples};
    auto const time = options.budget ? *options.budget / measurements(options, places) : options.time;
    return sonde::samples{6} && (sonde::relative_error{options.precision} || sonde::time_budget{time});
}

/// Progress on a terminal: "latency of 8 bytes: round 12 of 63, 34 s, about 140 s left".
class round_progress {
public:
    explicit round_progress(std::string title) : title_{std::move(title)} {}

    void operator()(int done, int rounds) {
        sonde::seconds const elapsed = clock_.now() - begin_;
        if (!to_.is_terminal || elapsed < sonde::seconds{2}) return;
        auto const left = elapsed / done * (rounds - done);
        line_.show(title_ + ": round " + std::to_string(done) + " of " + std::to_string(rounds) + ", " +
                   sonde::detail::fixed(elapsed.count(), 0) + " s, about " + sonde::detail::fixed(left.count(), 0) +
                   " s left");
    }

private:
    std::string title_;
    sonde::progress_stream to_{};
    sonde::status_line line_{to_.stream};
    sonde::steady_clock clock_;
    decltype(clock_.now()) begin_ = clock_.now();
};

/// Calls `expire`, from a separate thread, if a pair is not done within a limit, or if this rank waits too long for the
/// other pairs of a round, because a rank that waits in MPI for a message that does not arrive cannot check the time
/// itself. `expire` gets the peer, or `nobody` if this rank is between two pairs, and the limit.
class pair_watch {
public:
    static constexpr int nobody = -1;

    /// `pairs`: number of pairs that are measured one after another before this rank continues.
    pair_watch(sonde::seconds limit, int pairs, std::function<void(int, sonde::seconds)> expire)
        : limit_{limit}, waiting_limit_{limit * (2 * pairs + 1)}, expire_{std::move(expire)},
          thread_{[this](std::stop_token stop) { watch(std::move(stop)); }} {}

    /// A pair that is being measured; its time ends when the object is destroyed.
    class guard {
    public:
        guard(pair_watch& watch, int peer) : watch_{&watch} { watch.set(deadline{peer, watch.limit_}); }
        guard(guard&& other) noexcept : watch_{std::exchange(other.watch_, nullptr)} {}
        guard& operator=(guard&&) = delete;
        ~guard() {
            if (watch_ != nullptr) watch_->wait();
        }

    private:
        pair_watch* watch_;
    };

    /// This rank waits for the other pairs, until a pair begins or `stop` is called.
    void wait() { set(deadline{nobody, waiting_limit_}); }
    void stop() { set(std::nullopt); }

private:
    using clock = std::chrono::steady_clock;
    struct deadline {
        deadline(int other, sonde::seconds after)
            : peer{other}, limit{after}, end{clock::now() + std::chrono::duration_cast<clock::duration>(after)} {}
        int peer;
        sonde::seconds limit;
        clock::time_point end;
    };

    void set(std::optional<deadline> d) {
        {
            std::lock_guard const lock{mutex_};
            deadline_ = d;
        }
        changed_.notify_one();
    }
    void watch(std::stop_token stop) {
        std::unique_lock lock{mutex_};
        while (!stop.stop_requested()) {
            if (!deadline_) {
                changed_.wait(lock, stop, [&] { return deadline_.has_value(); });
                continue;
            }
            auto const now = *deadline_;
            auto const is_other = [&] { return !deadline_ || deadline_->end != now.end; };
            if (!changed_.wait_until(lock, stop, now.end, is_other) && !stop.stop_requested()) {
                deadline_.reset();
                expire_(now.peer, now.limit);
            }
        }
    }

    sonde::seconds limit_, waiting_limit_;
    std::function<void(int, sonde::seconds)> expire_;
    std::mutex mutex_;
    std::condition_variable_any changed_;
    std::optional<deadline> deadline_;
    std::jthread thread_;
};

/// Pattern that is watched for as long as it exists.
template <class P>
class watched : public P {
public:
    watched(P pattern, pair_watch& watch, int peer) : P{std::move(pattern)}, guard_{watch, peer} {}

private:
    pair_watch::guard guard_;
};

/// Measures maps between the ranks of a group.
class map_measurement {
public:
    map_measurement(sonde::mpi::group& group, map_options const& options, map_result const& result)
        : group_{group}, options_{options}, rule_{rule_of(options, group.size())},
          watch_{options.time_limit, options.mode == map_mode::apart ? group.size() / 2 : 1,
                 [this, &result](int peer, sonde::seconds limit) { give_up(result, peer, limit); }} {
        std::size_t largest = 0, depth = 1;
        for (auto const& t : options.tasks) {
            largest = std::max(largest, t.bytes);
            if (t.metric == map_metric::bandwidth) depth = options.window;
        }
        auto const messages = std::to_string(depth) + " messages of " + std::to_string(largest) + " bytes";
        auto const received = sonde::host_allocation::stride_of(largest);
        auto const why = suite::memory_shortage(group, static_cast<double>(largest) +
                                                           static_cast<double>(received) * static_cast<double>(depth));
        suite::agree(group, why.empty() ? "" : "sonde-map: no memory for " + messages + ": " + why);
        try {
            out_.emplace(largest);
            in_.emplace(received * depth);
        } catch (std::bad_alloc const&) {
        }
        suite::agree(group, in_ ? "" : "sonde-map: no memory for " + messages + " on every rank");
        out_->fill(std::byte{1});
        in_->fill(std::byte{0});
    }

    /// `after_round`, on rank 0, gets the times that were measured so far.
    std::optional<sonde::pair_map> operator()(map_task const& task, auto after_round) {
        watch_.wait();
        auto times = measure(task, after_round);
        watch_.stop();
        return times;
    }

    /// Compare the bits of messages of every pair, all pairs of a round at once. Collective over the group.
    void compare_bits(suite::bit_check& check, std::size_t rounds) {
        sonde::pairing_rounds const pairs{group_.size()};
        for (auto const bytes : sizes())
            for (int round = 0; round != pairs.size(); ++round) {
                if (auto const peer = pairs.partner(round, group_.rank())) compare_bits(check, rounds, *peer, bytes);
                watch_.stop();
                group_.barrier();
            }
    }

private:
    auto link_to(int peer) const { return sonde::mpi::link{group_, peer}; }

    std::set<std::size_t> sizes() const {
        std::set<std::size_t> all;
        for (auto const& t : options_.tasks) all.insert(t.bytes);
        return all;
    }
    void compare_bits(suite::bit_check& check, std::size_t rounds, int peer, std::size_t bytes) {
        auto const mine = group_.rank();
        auto const out = out_->bytes().first(bytes), in = in_->bytes().first(bytes);
        auto const role = mine < peer ? sonde::role::initiator : sonde::role::responder;
        sonde::ping_pong exchange{link_to(peer), role, out_->first(bytes), in_->first(bytes)};
        for (std::size_t i = 0; i != rounds; ++i) {
            suite::write_bits(out, {i, mine, peer});
            sonde::host_memory{}.fill(in, std::byte{0});
            {
                pair_watch::guard const watched{watch_, peer};
                exchange();
            }
            check.compare(in, {i, peer, mine});
        }
    }

    std::optional<sonde::pair_map> measure(map_task const& task, auto after_round) {
        sonde::map_options const how{options_.mode == map_mode::apart ? sonde::pairs_at_once::one
                                                                      : sonde::pairs_at_once::round,
                                     rounds_of(options_, group_.size()), after_round};
        if (options_.mode == map_mode::ring) return ring(task.bytes, how);
        return task.metric == map_metric::latency ? latency(task.bytes, how) : bandwidth(task.bytes, how);
    }
    std::optional<sonde::pair_map> latency(std::size_t bytes, sonde::map_options const& how) {
        auto const make = [&](int peer, sonde::role role) {
            return watched{sonde::ping_pong{link_to(peer), role, out_->first(bytes), in_->first(bytes)}, watch_, peer};
        };
        auto const plan = sonde::plan<>{}.until(rule_).warmup(10).batch(sonde::by_timer);
        return sonde::map_on_root(group_, plan, make, how);
    }
    std::optional<sonde::pair_map> bandwidth(std::size_t bytes, sonde::map_options const& how) {
        auto const make = [&](int peer, sonde::role role) {
            sonde::stream stream{
                sonde::mpi::async_link{group_, peer},          role,          options_.window, out_->first(bytes),
                in_->distinct_regions(bytes, options_.window), link_to(peer), token_.first(1)};
            return watched{std::move(stream), watch_, peer};
        };
        auto const plan = sonde::plan<>{}.until(rule_).warmup(2);
        return sonde::map_on_root(group_, plan, make, how);
    }
    std::optional<sonde::pair_map> ring(std::size_t bytes, sonde::map_options const& how) {
        auto const make = [&](int to, int from) {
            using link = sonde::mpi::async_link;
            return watched{sonde::shifted_stream{link{group_, to}, link{group_, from}, options_.window,
                                                 out_->first(bytes), in_->distinct_regions(bytes, options_.window)},
                           watch_, to};
        };
        return sonde::shift_map_on_root(group_, sonde::plan<>{}.until(rule_).warmup(2), make, how);
    }

    /// Ends this process, and thereby the job, because MPI cannot cancel the wait for a message that does not arrive.
    void give_up(map_result const& result, int peer, sonde::seconds limit) const {
        auto const name = [&](int place) { return result.places[static_cast<std::size_t>(place)]; };
        auto const what = peer == pair_watch::nobody ? " waited for the other pairs for "
                                                     : " and " + name(peer) + " did not finish within ";
        std::fprintf(stderr, "sonde-map: %s%s%g s%s\n", name(group_.rank()).c_str(), what.c_str(), limit.count(),
                     options_.json.empty() ? "" : "; the rounds before are in the file of --json");
        std::fflush(nullptr);
        std::_Exit(2);
    }

    sonde::mpi::group& group_;
    map_options const& options_;
    sonde::any_rule rule_;
    std::optional<sonde::host_allocation> out_, in_;
    sonde::host_allocation token_{1};
    pair_watch watch_;
};

map_bits bits_of(suite::bit_check& check, sonde::mpi::group const& group, map_result const& result) {
    std::vector<std::string> hosts;
    for (auto const& host : result.environment.hosts) hosts.push_back(sonde::detail::plain_text(host));
    auto const found = check.messages(group, result.node_of_place);
    auto words = check.texts(group, result.places);
    if (group.rank() != 0) return {};
    return {found, suite::sentence(found, {result.places, hosts}), std::move(words)};
}

} // namespace

void measure_maps(sonde::mpi::group& group, map_options const& options, map_result& result, pair_lines* lines) {
    map_measurement measure{group, options, result};
    for (auto const& task : options.tasks) {
        measured_map m{task, options.window, sonde::pair_map{}};
        round_progress progress{title_of(m)};
        if (lines != nullptr) lines->begin_map();
        auto times = measure(task, [&](sonde::pair_map const& so_far, int done, int rounds) {
            progress(done, rounds);
            if (lines == nullptr) return;
            try {
                lines->add({task, options.window, so_far}, result.places);
            } catch (std::exception const& e) { // the other ranks wait
                std::fprintf(stderr, "sonde-map: %s\n", e.what());
                MPI_Abort(group.comm(), 2);
            }
        });
        if (times) m.times = *std::move(times);
        result.maps.push_back(std::move(m));
    }
    if (!options.bits) return;
    suite::bit_check check{group.rank()};
    measure.compare_bits(check, *options.bits);
    result.bits = bits_of(check, group, result);
}

} // namespace tools::map
