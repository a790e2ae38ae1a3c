// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/detail/misuse.hpp>
#include <sonde/version.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <sonde/detail/hooks.inc>

namespace sonde::inline v0_1 {

/// Part of a collective function, in which a rank may wait: its begin, the comparison of calls and plans, or of clocks,
/// the synchronization before a sample, the pattern's iterations, or the combination of the ranks' results.
enum class call_phase : unsigned char { begin, comparison, clocks, synchronization, iterations, combination };

/// Operation of a reduction over ranks.
enum class reduction : unsigned char { sum, min, max };

/// Base class of `watchdog`, which tells the user if other ranks do not arrive, or if this rank does not go on. The
/// library calls it in collective functions, outside of samples.
class watchdog_base {
public:
    watchdog_base() = default;
    watchdog_base& operator=(watchdog_base const&) = delete;

    /// The call of a collective function begins, maybe within another call.
    virtual void enter(char const* function, char const* name) = 0;
    /// This number of iterations follows, and then a wait for the other ranks.
    virtual void expect(std::size_t iterations) = 0;
    /// This number of iterations follows, in which this rank does not wait for all others.
    virtual void work(std::size_t iterations) = 0;
    /// This rank works with this one alone; by default a `work` of one iteration.
    virtual void work_with([[maybe_unused]] int peer) { work(1); }
    /// The latest iterations end here, and later ones of this call may be as slow.
    virtual void keep_pace() = 0;
    /// From now on a wait is one in this phase.
    virtual void wait_in(call_phase phase) = 0;
    /// The latest call ends.
    virtual void leave() = 0;

protected:
    watchdog_base(watchdog_base const&) = default;
    ~watchdog_base() = default;
};

/// The group of ranks that measure together: the control plane, never timed.
///
///     g.rank()                 int, 0 to size - 1
///     g.size()                 int
///     g.barrier()              collective over the group
///     g.all_reduce(v, op)      collective: reduces v (span<double>, of equal length on all ranks) element by element
///     g.broadcast(b, root)     optional, with gather; collective: b of the root (span<byte>, of equal length) on all
///     g.gather(b, all)         optional, with broadcast; collective: b of every rank (span<byte const>, of equal
///                              length) into `all` on rank 0 (span<byte>, rank by rank), which is empty on other ranks
///     g.control_channel()      optional: returns a new ControlChannel, for messages between two ranks
///     g.exchange(to, from)     optional: sends an empty message to a rank and receives one from another rank, for
///                              `dissemination_barrier`
///     g.library()              optional: name and version of the communication library, as a text
///     g.host_name()            optional: name of this rank's host, as a text; by default the system's
///     g.allows_threads()       optional: may several threads of this process call it, one at a time? true by default
///     g.hold()                 optional: returns an object by which this thread holds the group while it exists; waits
///                              for another thread, or throws, on this rank alone. If the object has begin_exchange()
///                              and end_exchange(), they are called around the iterations that are measured
///     g.oversubscribed()       optional, equal on all ranks: do more ranks than processors share a binding somewhere?
///     g.watchdog()             optional: a pointer to a `watchdog_base`, or null if this rank has no watchdog
template <class G>
concept Group = requires(G& g, std::span<double> v) {
    { g.rank() } -> std::convertible_to<int>;
    { g.size() } -> std::convertible_to<int>;
    g.barrier();
    g.all_reduce(v, reduction::sum);
};

/// A group of one rank, for code without communication.
struct single_rank {
    /// The control channel, which has no peer and moves nothing.
    struct no_messages {
        void send(int, std::span<std::byte const>) const {}
        void receive(int, std::span<std::byte>) const {}
    };

    int rank() const { return 0; }
    int size() const { return 1; }
    void barrier() const {}
    void all_reduce(std::span<double>, reduction) const {}
    void broadcast(std::span<std::byte>, int) const {}
    void gather(std::span<std::byte const> mine, std::span<std::byte> all) const {
        for (std::size_t i = 0; i != mine.size(); ++i) all[i] = mine[i];
    }
    no_messages control_channel() const { return {}; }
    void exchange(int, int) const {}
};

namespace detail::group_hook {
SONDE_HOOKS(SONDE_GROUP_HOOKS);
} // namespace detail::group_hook

namespace detail {

/// True if the group has a broadcast and a gather of its own.
template <class G>
constexpr bool moves_bytes() {
    constexpr bool broadcasts = group_hook::calls_broadcast<G, std::span<std::byte>&, int&>();
    constexpr bool gathers = group_hook::calls_gather<G, std::span<std::byte const>&, std::span<std::byte>>();
    static_assert(broadcasts == gathers,
                  "a sonde::Group has both broadcast(bytes, root) and gather(mine, all), or none "
                  "of them");
    return broadcasts && gathers;
}

/// Broadcast and gather of bytes by reductions of at most 8 KiB, for any group. `mine` has the bytes from offset `at`
/// of `size` bytes on; no other rank has them. `all` gets all bytes unless it is empty. The sums of doubles are exact,
/// because each double holds 48 bits and at most one rank has each bit set. Collective over the group.
void reduce_bytes(Group auto& group, std::span<std::byte const> mine, std::size_t at, std::size_t size,
                  std::span<std::byte> all) {
    constexpr std::size_t per_double = 6, at_a_time = 1024 * per_double;
    std::vector<double> numbers;
    for (std::size_t from = 0, end = 0; from != size; from = end) {
        end = size - from < at_a_time ? size : from + at_a_time;
        numbers.assign((end - from + per_double - 1) / per_double, 0);
        for (auto i = at > from ? at : from; i < end && i - at < mine.size(); ++i)
            numbers[(i - from) / per_double] +=
                static_cast<double>(std::to_integer<std::uint64_t>(mine[i - at]) << 8 * ((i - from) % per_double));
        group.all_reduce(std::span<double>{numbers.data(), numbers.size()}, reduction::sum);
        for (auto i = from; i != end && !all.empty(); ++i)
            all[i] = static_cast<std::byte>(static_cast<std::uint64_t>(numbers[(i - from) / per_double]) >>
                                            8 * ((i - from) % per_double));
    }
}

/// Copy the root's bytes to all ranks. Collective over the group.
template <Group G>
void broadcast_bytes(G& group, std::span<std::byte> bytes, int root) {
    if constexpr (moves_bytes<G>()) group.broadcast(bytes, root);
    else detail::reduce_bytes(group, bytes.first(group.rank() == root ? bytes.size() : 0), 0, bytes.size(), bytes);
}

/// Gather the bytes of all ranks, rank by rank, into `all` on rank 0 or, with `on_all_ranks`, on all ranks. The number
/// of bytes is equal on all ranks. `all` is empty on ranks that get nothing. Collective over the group.
template <Group G>
void gather_bytes(G& group, std::span<std::byte const> mine, std::span<std::byte> all, bool on_all_ranks) {
    auto const rank = static_cast<std::size_t>(group.rank()), ranks = static_cast<std::size_t>(group.size());
    if constexpr (moves_bytes<G>()) {
        group.gather(mine, rank == 0 ? all : std::span<std::byte>{});
        if (on_all_ranks) group.broadcast(all, 0);
    } else {
        detail::reduce_bytes(group, mine, rank * mine.size(), ranks * mine.size(), all);
    }
}

/// The elements of a contiguous container or array, or a value as the only element.
template <class T>
auto elements_of(T& values) {
    if constexpr (requires { values.data() + values.size(); }) return std::span{values.data(), values.size()};
    else if constexpr (std::is_array_v<T>) return std::span{values, std::extent_v<T>};
    else return std::span{&values, 1};
}
template <class T>
using element_of = typename decltype(detail::elements_of(std::declval<T&>()))::element_type;

/// Values whose bytes other ranks understand.
template <class T>
concept has_plain_elements = std::is_trivially_copyable_v<element_of<T>> && !std::is_pointer_v<element_of<T>>;

template <class T>
std::vector<std::remove_cv_t<T>> gather_elements(Group auto& group, std::span<T> mine, bool on_all_ranks) {
    auto const ranks = static_cast<std::size_t>(on_all_ranks || group.rank() == 0 ? group.size() : 0);
    std::vector<std::remove_cv_t<T>> all(ranks * mine.size());
    detail::gather_bytes(group, std::as_bytes(mine), std::as_writable_bytes(std::span{all.data(), all.size()}),
                         on_all_ranks);
    return all;
}

/// Gather texts of any length. Each text is sent after its length, and padded to the length of the longest text.
std::vector<std::string> gather_texts(Group auto& group, std::string const& mine, bool on_all_ranks) {
    std::uint64_t length = mine.size();
    double longest[1] = {static_cast<double>(length)};
    group.all_reduce(longest, reduction::max);
    std::vector<char> row(sizeof length + static_cast<std::size_t>(longest[0]));
    std::memcpy(row.data(), &length, sizeof length);
    std::memcpy(row.data() + sizeof length, mine.data(), mine.size());
    auto const all = detail::gather_elements(group, std::span{row.data(), row.size()}, on_all_ranks);
    std::vector<std::string> texts;
    for (std::size_t at = 0; at != all.size(); at += row.size()) {
        std::memcpy(&length, &all[at], sizeof length);
        texts.emplace_back(&all[at] + sizeof length, static_cast<std::size_t>(length));
    }
    return texts;
}

/// The result on rank 0, and none on the other ranks.
template <class T>
std::optional<T> on_rank_0(Group auto& group, T result) {
    return group.rank() == 0 ? std::optional{std::move(result)} : std::nullopt;
}

} // namespace detail

/// Broadcast a value, an array, a span, a vector or a text from `root`. An array or a span has the same number of
/// elements on all ranks. A vector or a text takes the root's length on the other ranks. Elements are trivially
/// copyable. Collective over the group.
template <Group G, class T>
    requires(detail::has_plain_elements<T> && !std::is_const_v<detail::element_of<T>>)
void broadcast(G& group, T&& values, int root = 0) {
    if constexpr (requires { values.resize(values.size()); }) {
        std::uint64_t size = values.size();
        sonde::broadcast(group, size, root);
        values.resize(static_cast<std::size_t>(size));
    }
    detail::broadcast_bytes(group, std::as_writable_bytes(detail::elements_of(values)), root);
}

/// Gather a value, or the elements of a container, rank by rank on rank 0, as an optional vector, which the other ranks
/// do not have and need no memory for. The number of elements is equal on all ranks. Collective over the group.
template <Group G, class T>
    requires detail::has_plain_elements<T const>
[[nodiscard]] auto gather(G& group, T const& mine) {
    return detail::on_rank_0(group, detail::gather_elements(group, detail::elements_of(mine), false));
}
/// Gather a text of any length from each rank on rank 0. Collective over the group.
template <Group G>
[[nodiscard]] std::optional<std::vector<std::string>> gather(G& group, std::string const& mine) {
    return detail::on_rank_0(group, detail::gather_texts(group, mine, false));
}

/// Gather on all ranks. See `gather`. Collective over the group.
template <Group G, class T>
    requires detail::has_plain_elements<T const>
[[nodiscard]] auto all_gather(G& group, T const& mine) {
    return detail::gather_elements(group, detail::elements_of(mine), true);
}
/// The same for texts of any lengths.
template <Group G>
[[nodiscard]] std::vector<std::string> all_gather(G& group, std::string const& mine) {
    return detail::gather_texts(group, mine, true);
}

namespace detail {

/// Tell the group's watchdog that this rank makes n iterations before it waits for the others. Called before a block of
/// samples, never within it.
void expect(auto& group, std::size_t n) {
    if (watchdog_base* const dog = group_hook::watchdog(group)) dog->expect(n);
}

/// Tell the group's watchdog that this rank makes n iterations without waiting for all others.
void work(auto& group, std::size_t n) {
    if (watchdog_base* const dog = group_hook::watchdog(group)) dog->work(n);
}

/// Tell the group's watchdog that this rank works with this one alone.
void work_with(auto& group, int peer) {
    if (watchdog_base* const dog = group_hook::watchdog(group)) dog->work_with(peer);
}

/// Tell the group's watchdog that the latest iterations end here, and that later ones may be as slow.
void keep_pace(auto& group) {
    if (watchdog_base* const dog = group_hook::watchdog(group)) dog->keep_pace();
}

/// Tell the group's watchdog the phase of this rank. Called between samples, never within one.
void wait_in(auto& group, call_phase phase) {
    if (watchdog_base* const dog = group_hook::watchdog(group)) dog->wait_in(phase);
}

/// What a group without `hold()` returns.
struct no_hold {};
template <class G>
auto hold_of(G& group) {
    if constexpr (group_hook::calls_hold<G>()) return group.hold();
    else return no_hold{};
}

/// Holds the group for this thread, and tells its watchdog that this rank is in a collective function, as long as the
/// object exists.
template <class G>
class watched_call {
public:
    watched_call(G& group, char const* function, char const* name = "")
        : held_{detail::hold_of(group)}, dog_{group_hook::watchdog(group)} {
        if (dog_ != nullptr) dog_->enter(function, name);
    }
    watched_call(watched_call const&) = delete;
    ~watched_call() {
        if (dog_ != nullptr) dog_->leave();
    }
    /// The group's hold, which lasts as long as this object.
    auto& held() { return held_; }

private:
    decltype(detail::hold_of(std::declval<G&>())) held_;
    watchdog_base* dog_;
};

/// From its construction to its destruction the exchange of the application is measured. A group whose hold has
/// `begin_exchange()` and `end_exchange()` refuses collective functions of the library in this time, because the
/// exchange would call them in each iteration.
template <class Hold>
class measured_exchange {
public:
    explicit measured_exchange(Hold& held) : held_{held} {
        if constexpr (requires { held.begin_exchange(); }) held_.begin_exchange();
    }
    measured_exchange(measured_exchange const&) = delete;
    ~measured_exchange() {
        if constexpr (requires(Hold& held) { held.end_exchange(); }) held_.end_exchange();
    }

private:
    Hold& held_;
};

/// Contribution of a rank without a value to a max reduction. It is finite, because -ffast-math assumes that no value
/// is infinite.
inline constexpr double no_value = std::numeric_limits<double>::lowest();

} // namespace detail

/// Reference to a group of a backend. The group must outlive everything that is made from the reference, because links,
/// windows and collectives use its communicator or team. A temporary group does not compile, because it would free its
/// communicator or team at once.
template <class G>
class basic_group_ref {
public:
    basic_group_ref(G const& ranks) : ranks_{&ranks} {}
    basic_group_ref(G const&& temporary) = delete;
    /// The group.
    operator G const&() const { return *ranks_; }
    /// The group.
    G const& get() const { return *ranks_; }

private:
    G const* ranks_;
};

} // namespace sonde

#include <sonde/detail/hooks.inc>
