// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/group.hpp>

#include <concepts>
#include <cstddef>
#include <functional>
#include <span>

namespace sonde {

/// Type-erased reference to a group, which must outlive it, for code that does not know the type of the group.
class group_ref {
public:
    template <Group G>
        requires(!std::same_as<G, group_ref>)
    explicit group_ref(G& group)
        : rank_{group.rank()}, size_{group.size()}, oversubscribed_{detail::oversubscription_of(group)},
          barrier_{[&group] { group.barrier(); }},
          all_reduce_{[&group](std::span<double> values, reduction how) { group.all_reduce(values, how); }},
          broadcast_{[&group](std::span<std::byte> bytes, int root) { detail::broadcast_bytes(group, bytes, root); }},
          gather_{[&group](std::span<std::byte const> mine, std::span<std::byte> all) {
              detail::gather_bytes(group, mine, all, false);
          }} {
        if constexpr (requires { group.allows_threads(); })
            allows_threads_ = [&group] { return static_cast<bool>(group.allows_threads()); };
        if (auto* const dog = detail::watchdog_of(group); dog != nullptr)
            watchdog_ = {[dog](char const* function, char const* name) { dog->enter(function, name); },
                         [dog](std::size_t n) { dog->expect(n); }, [dog](std::size_t n) { dog->work(n); },
                         [dog] { dog->leave(); }};
    }

    int rank() const { return rank_; }
    int size() const { return size_; }
    bool oversubscribed() const { return oversubscribed_; }
    bool allows_threads() const { return !allows_threads_ || allows_threads_(); }
    auto const* watchdog() const { return watchdog_.expect ? &watchdog_ : nullptr; }
    void barrier() const { barrier_(); }
    void all_reduce(std::span<double> values, reduction how) const { all_reduce_(values, how); }
    void broadcast(std::span<std::byte> bytes, int root) const { broadcast_(bytes, root); }
    void gather(std::span<std::byte const> mine, std::span<std::byte> all) const { gather_(mine, all); }

private:
    struct any_watchdog {
        std::function<void(char const*, char const*)> enter;
        std::function<void(std::size_t)> expect;
        std::function<void(std::size_t)> work;
        std::function<void()> leave;
    };

    int rank_;
    int size_;
    bool oversubscribed_;
    std::function<bool()> allows_threads_;
    any_watchdog watchdog_;
    std::function<void()> barrier_;
    std::function<void(std::span<double>, reduction)> all_reduce_;
    std::function<void(std::span<std::byte>, int)> broadcast_;
    std::function<void(std::span<std::byte const>, std::span<std::byte>)> gather_;
};

} // namespace sonde
