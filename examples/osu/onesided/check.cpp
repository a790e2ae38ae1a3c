// SPDX-License-Identifier: BSL-1.0
#include "check.hpp"

#include "../collectives/contribution.hpp"

#include <sonde/mpi/rma/epochs.hpp>

#include <vector>

namespace osu {

namespace {

/// What elements hold: those that a rank sends, holds in its window, and compares with.
template <class T>
class values {
public:
    values(effect leaves, std::size_t round)
        : leaves_{leaves}, equal_{round % 2 == 0}, all_{round, leaves == effect::adds ? 2 : 1} {}

    T sent(int rank, std::size_t i) const { return all_.element<T>(rank, 0, i); }
    T held(int rank, std::size_t i) const { return all_.element<T>(rank, 1, i); }
    /// In every other round what the peer holds.
    T compared(int rank, int peer, std::size_t i) const { return equal_ ? held(peer, i) : all_.element<T>(rank, 2, i); }
    /// What a rank holds after the peer's access.
    T left(int rank, int peer, std::size_t i) const {
        if (leaves_ == effect::adds) return static_cast<T>(held(rank, i) + sent(peer, i));
        if (leaves_ == effect::replaces || (leaves_ == effect::swaps && equal_)) return sent(peer, i);
        return held(rank, i);
    }

private:
    effect leaves_;
    bool equal_;
    contribution all_;
};

/// In MPI's model of separate copies, what a passive target got is there for loads under a lock only, and others see
/// what it stored so.
using own_part = sonde::mpi::scoped_locks;

/// Host bytes of the first n elements; of none where the operation does not use them.
template <class T>
std::vector<std::byte> elements(sonde::opaque_region of, std::size_t n) {
    return std::vector<std::byte>(of.empty() ? 0 : n * sizeof(T));
}

/// value(i) into the first n elements.
template <class T, class F>
void write_first(sonde::allocation<memory>& to, std::size_t n, F value) {
    auto bytes = elements<T>(to.bytes(), n);
    write_each<T>(bytes, value);
    to.write(0, bytes);
}

} // namespace

void round_contents::write(std::size_t round) {
    auto const rank = on_.world().rank(), peer = on_.pairing().peer;
    if (!here_.in.bytes().empty()) here_.in.fill(std::byte{0xff}); // no element's value
    own_part const own{here_.window, sonde::mpi::peer{rank}, sonde::mpi::lock_type::exclusive};
    with_type(at_.type.kind, [&](auto type) {
        using T = decltype(type);
        values<T> const v{on_.what().leaves, round};
        write_first<T>(here_.out, n_, [&](std::size_t i) { return v.sent(rank, i); });
        write_first<T>(here_.compared, n_, [&](std::size_t i) { return v.compared(rank, peer, i); });
        auto held = elements<T>(here_.window.region(), n_);
        write_each<T>(held, [&](std::size_t i) { return v.held(rank, i); });
        here_.window.write(held);
    });
}

template <class T>
std::vector<wrong_element> round_contents::find_wrong(std::size_t round) const {
    auto const rank = on_.world().rank(), peer = on_.pairing().peer;
    values<T> const v{on_.what().leaves, round};
    std::vector<wrong_element> wrong;
    if (is_fetched()) {
        auto came = elements<T>(here_.in.bytes(), n_);
        here_.in.read(0, came);
        compare_each<T>(
            came, [&](std::size_t i) { return v.held(peer, i); }, wrong);
    }
    if (on_.is_accessed()) {
        auto left = elements<T>(here_.window.region(), n_);
        here_.window.read(left);
        compare_each<T>(
            left, [&](std::size_t i) { return v.left(rank, peer, i); }, wrong);
    }
    return wrong;
}

std::size_t round_contents::count_wrong(std::size_t round) {
    own_part const own{here_.window, sonde::mpi::peer{on_.world().rank()}, sonde::mpi::lock_type::exclusive};
    auto const wrong = with_type(at_.type.kind, [&](auto type) { return find_wrong<decltype(type)>(round); });
    if (on_.is_accessed() || is_fetched()) on_.summary().add(!wrong.empty());
    if (on_.log()) (*on_.log())({at_.type.kind, at_.size, round}, wrong);
    return wrong.size();
}

} // namespace osu
