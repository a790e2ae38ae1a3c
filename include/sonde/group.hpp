// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/version.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <limits>
#include <span>
#include <utility>
#include <vector>

namespace sonde {

enum class reduction : unsigned char { sum, min, max };

/// The group of ranks that measure together: the control plane, never timed.
///
///     g.rank()                 int, 0 to size - 1
///     g.size()                 int
///     g.barrier()              collective over the group
///     g.all_reduce(v, op)      collective: reduces v (span<double>, of equal length on all ranks) element by element
///     g.gather(v, all)         optional, collective: v of every rank (span<double const>, of equal length) into `all`
///                              on rank 0 (span<double>, rank by rank), which is empty on other ranks
///     g.allows_threads()       optional: may several threads of this process call it, one at a time? true by default
///     g.oversubscribed()       optional, equal on all ranks: do more ranks than processors share a binding somewhere?
///     g.watchdog()             optional: a pointer to a watchdog (below), or null for none on this rank
///
/// A watchdog, such as `sonde::watchdog` on rank 0, tells the user if other ranks do not come:
///
///     w.enter(function, name)  a collective function begins (C strings), maybe within another one
///     w.expect(n)              n iterations follow, and then a wait for the other ranks
///     w.work(n)                n iterations follow in which this rank does not wait for all others
///     w.leave()                the latest function ends
template <class G>
concept Group = requires(G& g, std::span<double> v) {
    { g.rank() } -> std::convertible_to<int>;
    { g.size() } -> std::convertible_to<int>;
    g.barrier();
    g.all_reduce(v, reduction::sum);
};

/// A group of one rank, for code without communication.
struct single_rank {
    int rank() const { return 0; }
    int size() const { return 1; }
    void barrier() const {}
    void all_reduce(std::span<double>, reduction) const {}
    void gather(std::span<double const> mine, std::span<double> all) const {
        for (std::size_t i = 0; i != mine.size(); ++i) all[i] = mine[i];
    }
};

/// Broadcast `values` from `root`; their number is equal on all ranks. Collective over the group.
void broadcast(Group auto& group, std::span<double> values, int root = 0) {
    if (group.rank() != root)
        for (auto& v : values) v = 0;
    group.all_reduce(values, reduction::sum);
}

/// Broadcast `values` from `root`; on the other ranks the vector takes the root's length. Collective over the group.
void broadcast(Group auto& group, std::vector<double>& values, int root = 0) {
    double size[1] = {static_cast<double>(values.size())};
    sonde::broadcast(group, std::span<double>{size}, root);
    values.resize(static_cast<std::size_t>(size[0]));
    sonde::broadcast(group, std::span<double>{values.data(), values.size()}, root);
}

/// Gather values, of equal number on all ranks, rank by rank: on all ranks or only on rank 0, where the others return
/// an empty vector and need no memory for all values. Collective over the group.
[[nodiscard]] std::vector<double> gather(Group auto& group, std::span<double const> mine, bool on_all_ranks = false) {
    auto const n = mine.size(), ranks = static_cast<std::size_t>(group.size());
    auto const rank = static_cast<std::size_t>(group.rank());
    std::vector<double> all(on_all_ranks || rank == 0 ? ranks * n : 0);
    std::span<double> const into{all.data(), all.size()};
    if (on_all_ranks) {
        for (std::size_t i = 0; i != n; ++i) all[rank * n + i] = mine[i];
        group.all_reduce(into, reduction::sum);
    } else if constexpr (requires { group.gather(mine, into); }) {
        group.gather(mine, into);
    } else if (n != 0) { // a reduction for as many ranks at a time as have their values in 8 KiB, or for one rank
        auto const at_a_time = n < 1024 ? 1024 / n : 1;
        std::vector<double> some;
        for (std::size_t from = 0; from < ranks; from += at_a_time) {
            some.assign((ranks - from < at_a_time ? ranks - from : at_a_time) * n, 0);
            for (std::size_t i = 0; i != n && rank >= from && rank - from < at_a_time; ++i)
                some[(rank - from) * n + i] = mine[i];
            group.all_reduce(std::span<double>{some.data(), some.size()}, reduction::sum);
            for (std::size_t i = 0; i != some.size() && !all.empty(); ++i) all[from * n + i] = some[i];
        }
    }
    return all;
}

/// Gather one value of each rank on all ranks, in rank order. Collective over the group.
[[nodiscard]] std::vector<double> all_gather(Group auto& group, double value) {
    return sonde::gather(group, {&value, 1}, true);
}

namespace detail {

/// The type of a watchdog that a group does not have.
struct no_watchdog {
    void enter(char const*, char const*) const {}
    void expect(std::size_t) const {}
    void work(std::size_t) const {}
    void leave() const {}
};

/// The group's watchdog on this rank, or null. See `Group`.
auto* watchdog_of(auto& group) {
    if constexpr (requires { group.watchdog()->expect(std::size_t{1}); }) return group.watchdog();
    else return static_cast<no_watchdog*>(nullptr);
}

/// Tell the group's watchdog that this rank makes n iterations before it waits for the others: before a block of
/// samples, never within it.
void expect(auto& group, std::size_t n) {
    if (auto* const dog = detail::watchdog_of(group); dog != nullptr) dog->expect(n);
}

/// Tell the group's watchdog that this rank makes n iterations without waiting for all others.
void work(auto& group, std::size_t n) {
    if (auto* const dog = detail::watchdog_of(group); dog != nullptr) dog->work(n);
}

/// This rank is in a collective function as long as the object exists.
template <class G>
class watched_call {
public:
    watched_call(G& group, char const* function, char const* name = "") : dog_{detail::watchdog_of(group)} {
        if (dog_ != nullptr) dog_->enter(function, name);
    }
    watched_call(watched_call const&) = delete;
    ~watched_call() {
        if (dog_ != nullptr) dog_->leave();
    }

private:
    decltype(detail::watchdog_of(std::declval<G&>())) dog_;
};

/// Contribution to a max reduction of a rank without a value. Finite, so that -ffast-math may not assume it away.
inline constexpr double no_value = std::numeric_limits<double>::lowest();

/// What `group.oversubscribed()` says; false for a group that does not know.
template <Group G>
bool oversubscription_of(G& group) {
    if constexpr (requires { static_cast<bool>(group.oversubscribed()); }) return group.oversubscribed();
    else return false;
}

/// For each value, true if it differs between ranks; equal on all ranks. Collective over the group; one reduction.
template <Group G, std::size_t N>
std::array<bool, N> differences(G& group, std::array<double, N> const& values) {
    std::array<double, 2 * N> extremes{};
    for (std::size_t i = 0; i != N; ++i) {
        extremes[2 * i] = values[i];
        extremes[2 * i + 1] = -values[i];
    }
    group.all_reduce(extremes, reduction::max);
    std::array<bool, N> differ{};
    for (std::size_t i = 0; i != N; ++i) differ[i] = extremes[2 * i] != -extremes[2 * i + 1];
    return differ;
}

/// Number of ranks with the same numbers as this one. Collective over the group.
int count_equal(Group auto& group, auto const& numbers) {
    std::vector<double> const mine{numbers.begin(), numbers.end()}, all = sonde::gather(group, mine, true);
    int count = 0;
    for (std::size_t at = 0; at < all.size(); at += mine.size()) {
        bool equal = true;
        for (std::size_t i = 0; i != mine.size(); ++i) equal = equal && all[at + i] == mine[i];
        count += equal;
    }
    return count;
}

} // namespace detail

/// Reference to a group of a backend, which must outlive everything that is made from the reference: links, windows and
/// collectives use the group's communicator or team. A temporary group would free it at once, so it does not compile.
template <class G>
class basic_group_ref {
public:
    basic_group_ref(G const& ranks) : ranks_{&ranks} {}
    basic_group_ref(G const&& temporary) = delete;
    operator G const&() const { return *ranks_; }
    G const& get() const { return *ranks_; }

private:
    G const* ranks_;
};

} // namespace sonde
