// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/group.hpp>

#include <concepts>
#include <cstddef>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>

namespace sonde::inline v0_1 {

/// Type-erased reference to a group, which must outlive it, for code that does not know the type of the group.
class group_ref {
public:
    template <Group G>
        requires(!std::same_as<std::remove_const_t<G>, group_ref>)
    explicit group_ref(G& group)
        : group_{&reinterpret_cast<char const&>(group)}, // std::addressof, whose <memory> would cost 0.2 s
          calls_{&calls_of<G>}, rank_{group.rank()}, size_{group.size()},
          watchdog_{detail::group_hook::watchdog(group)} {}

    int rank() const { return rank_; }
    int size() const { return size_; }
    bool oversubscribed() const { return calls_->oversubscribed(group_); }
    std::string library() const { return calls_->library(group_); }
    std::string host_name() const { return calls_->host_name(group_); }
    bool allows_threads() const { return calls_->allows_threads(group_); }
    watchdog_base* watchdog() const { return watchdog_; }
    void barrier() const { calls_->barrier(group_); }
    void all_reduce(std::span<double> values, reduction how) const { calls_->all_reduce(group_, values, how); }
    void broadcast(std::span<std::byte> bytes, int root) const { calls_->broadcast(group_, bytes, root); }
    void gather(std::span<std::byte const> mine, std::span<std::byte> all) const { calls_->gather(group_, mine, all); }
    /// Throws std::logic_error, on all ranks, if the group has no such member.
    void exchange(int to, int from) const { calls_->exchange(group_, to, from); }

private:
    struct calls {
        bool (*oversubscribed)(void const*);
        std::string (*library)(void const*);
        std::string (*host_name)(void const*);
        bool (*allows_threads)(void const*);
        void (*barrier)(void const*);
        void (*all_reduce)(void const*, std::span<double>, reduction);
        void (*broadcast)(void const*, std::span<std::byte>, int);
        void (*gather)(void const*, std::span<std::byte const>, std::span<std::byte>);
        void (*exchange)(void const*, int, int);
    };

    template <class G>
    static G& in(void const* group) {
        return *static_cast<G*>(const_cast<void*>(group)); // the constructor took a G&, which may be const
    }
    template <class G>
    static constexpr calls calls_of{
        [](void const* g) { return detail::group_hook::oversubscribed(in<G>(g)); },
        [](void const* g) { return detail::group_hook::library(in<G>(g)); },
        [](void const* g) { return detail::group_hook::host_name(in<G>(g)); },
        [](void const* g) { return detail::group_hook::allows_threads(in<G>(g)); },
        [](void const* g) { in<G>(g).barrier(); },
        [](void const* g, std::span<double> values, reduction how) { in<G>(g).all_reduce(values, how); },
        [](void const* g, std::span<std::byte> bytes, int root) { detail::broadcast_bytes(in<G>(g), bytes, root); },
        [](void const* g, std::span<std::byte const> mine, std::span<std::byte> all) {
            detail::gather_bytes(in<G>(g), mine, all, false);
        },
        [](void const* g, int to, int from) {
            if constexpr (detail::group_hook::calls_exchange<G, int&, int&>()) in<G>(g).exchange(to, from);
            else throw std::logic_error{"sonde::group_ref: the group has no exchange(to, from)"};
        }};

    void const* group_;
    calls const* calls_;
    int rank_;
    int size_;
    watchdog_base* watchdog_;
};

} // namespace sonde
