// SPDX-License-Identifier: BSL-1.0
#pragma once

// Teams, and collectives by messages to and from one rank. They are complete when the call returns.

#include <upcxx/completion.hpp>
#include <upcxx/process.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

namespace upcxx {

class team {
public:
    team(std::vector<intrank_t> members, std::uint64_t channel) : members_{std::move(members)}, channel_{channel} {}
    team(team&&) = default;

    intrank_t rank_n() const { return static_cast<intrank_t>(members_.size()); }
    intrank_t rank_me() const { return from_world(upcxx::rank_me()); }
    intrank_t operator[](intrank_t rank) const { return members_.at(static_cast<std::size_t>(rank)); }
    intrank_t from_world(intrank_t rank) const {
        return static_cast<intrank_t>(std::find(members_.begin(), members_.end(), rank) - members_.begin());
    }
    team split(intrank_t color, intrank_t key) const;
    void destroy() const;

    void send(intrank_t to, void const* data, std::size_t n) const {
        auto const* const first = static_cast<std::byte const*>(data);
        auto& here = fake_upcxx::here();
        here.link->send((*this)[to], {here.link->rank(), channel_, fake_upcxx::bytes(first, first + n)});
    }
    void receive(intrank_t from, void* into, std::size_t n) const {
        auto const found = fake_upcxx::here().receive(channel_, (*this)[from]);
        fake_upcxx::require(found.size() == n, "ranks call different collectives");
        if (n != 0) std::memcpy(into, found.data(), n);
    }

private:
    std::vector<intrank_t> members_;
    std::uint64_t channel_;
    mutable std::uint64_t splits_ = 0;
};

/// All ranks.
inline team const& world() {
    auto& kept = fake_upcxx::here().world;
    if (kept == nullptr) {
        std::vector<intrank_t> ranks;
        for (intrank_t rank = 0; rank != rank_n(); ++rank) ranks.push_back(rank);
        kept = std::make_shared<team>(std::move(ranks), 1);
    }
    return *static_cast<team const*>(kept.get());
}
inline team const& local_team() { return world(); } // all ranks are on one host

inline void barrier(team const& in = world()) {
    ++fake_upcxx::here().counts["barrier"];
    if (in.rank_me() != 0) {
        in.send(0, nullptr, 0);
        return in.receive(0, nullptr, 0);
    }
    for (intrank_t rank = 1; rank != in.rank_n(); ++rank) in.receive(rank, nullptr, 0);
    for (intrank_t rank = 1; rank != in.rank_n(); ++rank) in.send(rank, nullptr, 0);
    fake_upcxx::execute_calls();
}

} // namespace upcxx

namespace fake_upcxx {

inline void broadcast(void* data, std::size_t n, int root, upcxx::team const& in) {
    if (in.rank_me() != root) return in.receive(root, data, n);
    for (int rank = 0; rank != in.rank_n(); ++rank)
        if (rank != root) in.send(rank, data, n);
}

/// Combines the elements of all ranks in rank order on the root.
template <class T, class Op>
void reduce(T const* from, T* to, std::size_t n, Op op, int root, upcxx::team const& in) {
    if (in.rank_me() != root) return in.send(root, from, n * sizeof(T));
    std::vector<T> const mine(from, from + n);
    std::vector<T> other(n);
    for (int rank = 0; rank != in.rank_n(); ++rank) {
        if (rank == root) other = mine;
        else in.receive(rank, other.data(), n * sizeof(T));
        for (std::size_t i = 0; i != n; ++i) to[i] = rank == 0 ? other[i] : static_cast<T>(op(to[i], other[i]));
    }
}

} // namespace fake_upcxx

namespace upcxx {

template <class T>
    requires std::is_trivially_copyable_v<T>
future<T> broadcast(T value, intrank_t root, team const& in = world()) {
    fake_upcxx::broadcast(&value, sizeof(T), root, in);
    return make_future(value);
}
template <class T>
future<> broadcast(T* data, std::size_t n, intrank_t root, team const& in = world()) {
    std::vector<T> kept(data, data + n);
    auto const lost = fake_upcxx::is_lost<T>("broadcast");
    fake_upcxx::broadcast(data, n * sizeof(T), root, in);
    if (in.rank_me() == root) return make_future<>();
    if (lost && n != 0) std::memcpy(data, kept.data(), n * sizeof(T));
    fake_upcxx::damage(data, n);
    return make_future<>();
}

#define FAKE_UPCXX_REDUCTION(name, ...)                                                                                \
    struct op_fast_##name##_type {                                                                                     \
        template <class T>                                                                                             \
        T operator()(T a, T b) const {                                                                                 \
            return static_cast<T>(__VA_ARGS__);                                                                        \
        }                                                                                                              \
    };                                                                                                                 \
    inline constexpr op_fast_##name##_type op_fast_##name{};
FAKE_UPCXX_REDUCTION(add, a + b)
FAKE_UPCXX_REDUCTION(mul, a* b)
FAKE_UPCXX_REDUCTION(min, b < a ? b : a)
FAKE_UPCXX_REDUCTION(max, a < b ? b : a)
FAKE_UPCXX_REDUCTION(bit_and, a& b)
FAKE_UPCXX_REDUCTION(bit_or, a | b)
FAKE_UPCXX_REDUCTION(bit_xor, a ^ b)
#undef FAKE_UPCXX_REDUCTION

template <class T, class Op>
future<> reduce_one(T const* from, T* to, std::size_t n, Op op, intrank_t root, team const& in = world()) {
    std::vector<T> result(n);
    auto const lost = fake_upcxx::is_lost<T>("reduce_one");
    fake_upcxx::reduce(from, result.data(), n, op, root, in);
    if (in.rank_me() != root) return make_future<>();
    if (!lost) std::copy(result.begin(), result.end(), to);
    fake_upcxx::damage(to, n);
    return make_future<>();
}
template <class T, class Op>
future<> reduce_all(T const* from, T* to, std::size_t n, Op op, team const& in = world()) {
    std::vector<T> result(n);
    auto const lost = fake_upcxx::is_lost<T>("reduce_all");
    fake_upcxx::reduce(from, result.data(), n, op, 0, in);
    fake_upcxx::broadcast(result.data(), n * sizeof(T), 0, in);
    if (!lost) std::copy(result.begin(), result.end(), to);
    fake_upcxx::damage(to, n);
    return make_future<>();
}

inline team team::split(intrank_t color, intrank_t key) const {
    struct asked {
        intrank_t color, key, rank;
    };
    std::vector<asked> mine;
    for (intrank_t rank = 0; rank != rank_n(); ++rank) {
        auto const one = broadcast(asked{color, key, (*this)[rank_me()]}, rank, *this).wait();
        if (one.color == color) mine.push_back(one);
    }
    std::stable_sort(mine.begin(), mine.end(), [](auto const& a, auto const& b) { return a.key < b.key; });
    std::vector<intrank_t> ranks;
    for (auto const& one : mine) ranks.push_back(one.rank);
    auto const channel = (channel_ * 31 + ++splits_) * 1009 + static_cast<std::uint64_t>(color) + 2;
    return team{std::move(ranks), channel};
}
inline void team::destroy() const { barrier(*this); }

} // namespace upcxx
