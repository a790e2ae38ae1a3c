// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/clock.hpp>
#include <sonde/clock/offset.hpp>
#include <sonde/detail/affinity.hpp>
#include <sonde/group.hpp>
#include <sonde/group/agreement.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace sonde::inline v0_1 {

/// Name of the monotonic clock of this process. Two processes have equal names exactly if they read the same clock:
/// they run in the same boot of the same kernel and in the same time namespace. Empty on systems other than Linux.
[[nodiscard]] std::string clock_domain();

namespace detail {

/// Name of the clock that a clock object reads: `clock.domain()`, or `clock_domain()` for a `steady_clock`. Empty for
/// other clocks, which ranks do not share.
template <Clock C>
std::string domain_of(C const& clock) {
    return std::same_as<C, steady_clock> ? clock_domain() : clock_hook::domain(clock);
}

} // namespace detail

/// The leader of each rank: the first rank of the same clock domain. An empty domain is shared with no other rank.
[[nodiscard]] std::vector<int> clock_leaders(std::vector<std::string> const& domains);

namespace detail {

/// Which ranks share clocks, from the `clock_leaders`.
struct clock_topology {
    int rank;
    int leader;
    int leader_index = 0;       // of a leader: its index in `leaders`
    std::vector<int> leaders;   // of all clocks, ascending
    std::vector<int> followers; // of a leader: the other ranks with its clock, ascending

    clock_topology(int me, std::vector<int> const& leader_of)
        : rank{me}, leader{leader_of[static_cast<std::size_t>(me)]} {
        for (int r = 0; r != static_cast<int>(leader_of.size()); ++r) {
            if (r == rank) leader_index = static_cast<int>(leaders.size());
            if (leader_of[static_cast<std::size_t>(r)] == r) leaders.push_back(r);
            else if (leader_of[static_cast<std::size_t>(r)] == rank) followers.push_back(r);
        }
    }
    bool shared() const { return leaders.size() == 1; }
    bool is_leader() const { return leader == rank; }
};

/// Call `learn(from)` and `serve(to)` for the edges of a tree at member `me`, in the order of its rounds (HCA3: Hunold,
/// Carpen-Amarie, Hierarchical clock synchronization in MPI, 2018).
///
/// Every member but 0 learns once, before it serves. The members beyond a power of two learn in a last round.
void for_each_tree_edge(int me, int members, auto learn, auto serve) {
    int whole = 1;
    while (2 * whole <= members) whole *= 2;
    for (int distance = whole / 2; distance >= 1; distance /= 2) {
        if (me >= whole) break;
        if (me % (2 * distance) == 0) serve(me + distance);
        else if (me % (2 * distance) == distance) learn(me - distance);
    }
    if (me >= whole) learn(me - whole);
    else if (me + whole < members) serve(me + whole);
}

} // namespace detail

/// Effort of measuring the offset and drift of a peer's clock. A line is fitted through `offsets` offsets, and each
/// offset takes `min_pings` to `max_pings` pings (see `measure_offset`).
struct clock_sync_options {
    std::size_t offsets = 500;
    std::size_t min_pings = 8;
    std::size_t max_pings = 100;
};

/// The time of rank 0's clock on all ranks of a group.
///
/// Ranks of one clock domain (`clock_domain()`) share a clock, and their first rank, the leader, represents it. If all
/// ranks share one clock, no message is exchanged and global time is the reading of that clock. Otherwise each leader
/// learns a linear model of its clock along a tree (HCA3) and sends it to its followers.
///
/// A leader learns from another leader, which extrapolates its own model, so the error bound grows with the square of
/// the depth of the tree. After all leaders have learned, each of them compares its global time with the global time of
/// the leader from which it learned. This comparison bounds the error at that time by a few microseconds for each
/// level.
template <Clock C, ControlChannel M>
class global_clock {
public:
    /// Uses messages of the group (`control_channel_of`). Ranks with equal `clock.domain()` share a clock; the ranks of
    /// a node share the `steady_clock`. Collective over the group, which must outlive the global clock.
    explicit global_clock(Group auto& group, C clock = {}, clock_sync_options options = {})
        : global_clock{group, clock, sonde::collectively(group, [&] { return sonde::control_channel_of(group); }),
                       sonde::collectively(group, [&] { return detail::domain_of(clock); }), options} {}
    /// Collective over the group. Throws std::invalid_argument, on all ranks, for options without offsets or pings.
    global_clock(Group auto& group, C clock, M channel, std::string const& domain, clock_sync_options options = {})
        : clock_{std::move(clock)}, channel_{std::move(channel)}, options_{options}, ranks_{group.size()},
          topology_{group.rank(), clock_leaders(gather_domains(group, domain, options))} {
        detail::watched_call const watched{group, "global_clock"};
        steady_clock steady;
        number_ = sonde::reading(steady).count();
        sonde::broadcast(group, number_);
        synchronize();
    }
    /// A number of the group for which it was made, so that clocks that were made for different groups differ: the time
    /// on rank 0 then.
    std::array<double, 1> parameters() const { return {number_}; }
    /// Throws std::invalid_argument, which begins with `name`, unless it was made for as many ranks as `group` has.
    void require_ranks(Group auto& group, std::string const& name = "sonde::global_clock") const {
        if (ranks_ != group.size())
            throw std::invalid_argument{name + ": made for a group of " + std::to_string(ranks_) +
                                        " ranks, and called with a group of " + std::to_string(group.size()) +
                                        "; make it for the group that measures"};
    }

    seconds now() { return model_.to_global(sonde::reading(clock_)); }
    /// The global time of a reading of this rank's clock.
    seconds to_global(seconds reading) const { return model_.to_global(reading); }
    /// Upper bound of the present error of this rank's global time. For a difference of two ranks' times add both
    /// bounds.
    seconds error_bound() { return model_.error_bound(now()); }
    /// True if all ranks share one clock.
    bool shared() const { return topology_.shared(); }
    /// The model by which readings become global times.
    clock_model const& model() const { return model_; }

    /// Measure the model anew. Collective over the group.
    void synchronize() {
        if (shared()) return;
        if (topology_.is_leader()) {
            model_ = clock_model{sonde::reading(clock_)};
            detail::for_each_tree_edge(
                topology_.leader_index, static_cast<int>(topology_.leaders.size()),
                [this](int from) { learn(leader(from)); },
                [this](int to) {
                    serve(leader(to));
                    detail::send_value(channel_, leader(to), model_);
                });
            detail::for_each_tree_edge(
                topology_.leader_index, static_cast<int>(topology_.leaders.size()),
                [this](int from) { renew_error(leader(from)); },
                [this](int to) {
                    serve(leader(to));
                    detail::send_value(channel_, leader(to), error_bound());
                });
        }
        share_model();
    }

    /// Measure how far the global time of each clock is from rank 0's. Rank 0 serves one clock after another. From then
    /// on, error bounds assume that the clocks have run at constant rates since they were synchronized. The result is
    /// equal on all ranks. Collective over the group. Throws as `require_ranks` does.
    clock_deviation measure_deviation(Group auto& group) {
        require_ranks(group);
        if (shared()) return {};
        seconds deviation{};
        if (topology_.rank == 0) {
            for (auto const other : topology_.leaders)
                if (other != 0) serve(other);
        } else if (topology_.is_leader()) {
            auto const offset = deviation_from(0);
            deviation = std::chrono::abs(offset.value);
            model_ = detail::tighten(model_, offset.at, deviation + offset.error);
        }
        share_model();
        std::array<double, 2> worst{deviation.count(), model_.error.count()};
        group.all_reduce(worst, reduction::max);
        return {seconds{worst[0]}, seconds{worst[1]}};
    }

private:
    static std::vector<std::string> gather_domains(Group auto& group, std::string const& domain,
                                                   clock_sync_options options) {
        std::invalid_argument const refusal{"sonde::global_clock: an offset is measured by at least one ping"};
        auto const check = [&] { return options.offsets != 0 && options.min_pings != 0 ? 0 : throw refusal; };
        sonde::collectively(group, check, [&](int) { return refusal; });
        return sonde::all_gather(group, domain);
    }
    int leader(int index) const { return topology_.leaders[static_cast<std::size_t>(index)]; }
    void serve(int client) {
        detail::serve_time(channel_, client, [this] { return now(); });
    }

    void learn(int server) {
        auto const local_time = [this] { return sonde::reading(clock_) - model_.origin; };
        auto const ping = [&] { return detail::request_time(channel_, server, local_time); };
        std::vector<clock_offset> offsets(options_.offsets);
        seconds best_round_trip{};
        for (auto& o : offsets)
            o = sonde::measure_offset(ping, options_.min_pings, options_.max_pings, best_round_trip);
        detail::send_value(channel_, server, detail::end_of_requests);
        model_ =
            detail::compose(fit_drift(offsets, model_.origin), detail::receive_value<clock_model>(channel_, server));
    }
    /// Offset of the global time of another leader, which must be in `serve` meanwhile.
    clock_offset deviation_from(int server) {
        auto const ping = [&] { return detail::request_time(channel_, server, [this] { return now(); }); };
        seconds unknown{};
        auto const offset = sonde::measure_offset(ping, options_.min_pings, options_.min_pings, unknown);
        detail::send_value(channel_, server, detail::end_of_requests);
        return offset;
    }
    void renew_error(int server) {
        auto const offset = deviation_from(server);
        auto const of_server = detail::receive_value<seconds>(channel_, server);
        model_ = detail::renew(model_, offset.at, std::chrono::abs(offset.value) + offset.error + of_server);
    }
    /// Leaders send their model to their followers.
    void share_model() {
        if (!topology_.is_leader()) model_ = detail::receive_value<clock_model>(channel_, topology_.leader);
        else
            for (auto const follower : topology_.followers) detail::send_value(channel_, follower, model_);
    }

    C clock_;
    M channel_;
    clock_sync_options options_;
    int ranks_;
    double number_ = 0;
    detail::clock_topology topology_;
    clock_model model_{};
};
template <Group G, Clock C = steady_clock>
global_clock(G&, C = {}, clock_sync_options = {})
    -> global_clock<C, decltype(sonde::control_channel_of(std::declval<G&>()))>;

} // namespace sonde

#if SONDE_DEFINITIONS
#include <filesystem>
#include <map>
#include <system_error>

namespace sonde::inline v0_1 {

SONDE_INLINE std::string clock_domain() {
    auto const boot = detail::boot_name();
    std::error_code none;
    auto const time = std::filesystem::read_symlink("/proc/self/ns/time", none).string();
    // A kernel before 5.6 has namespaces, but no time namespaces. If /proc shows no namespaces at all, the time
    // namespace is unknown.
    auto const known = !time.empty() || !std::filesystem::read_symlink("/proc/self/ns/uts", none).empty();
    return boot.empty() || !known ? std::string{} : boot + ' ' + time;
}

SONDE_INLINE std::vector<int> clock_leaders(std::vector<std::string> const& domains) {
    std::map<std::string, int> first;
    std::vector<int> leaders;
    for (auto const& domain : domains) {
        auto const rank = static_cast<int>(leaders.size());
        leaders.push_back(domain.empty() ? rank : first.emplace(domain, rank).first->second);
    }
    return leaders;
}

} // namespace sonde

#endif
