// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "library_faults.hpp"

#include <sonde/mpi/collective.hpp>
#include <sonde/sonde.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

/// Every collective in every call mode, on numbers that change from round to round.
namespace sweep {

using number = std::uint32_t; // its sums wrap, in C++ and in MPI_SUM alike

/// Element i of a rank's contribution to another rank in a round, unique to its arguments.
inline number value(std::size_t round, int rank, int to, std::size_t i) {
    std::uint64_t const who = (round * 64 + static_cast<unsigned>(rank + 1)) * 64 + static_cast<unsigned>(to + 2);
    auto const mixed = who * 0x9E3779B97F4A7C15u + (i + 1) * 0xBF58476D1CE4E5B9u;
    return static_cast<number>(((mixed ^ (mixed >> 31)) * 0x94D049BB133111EBu) >> 32);
}

inline number sum(number a, number b) { return a + b; }

/// A region with guard bytes before and after it.
class memory {
public:
    explicit memory(std::size_t n) : bytes_(n + 2 * margin, guard), n_{n} {}
    sonde::region all() { return sonde::region{bytes_}.subspan(margin, n_); }
    void clear(std::byte with) {
        for (auto& b : all()) b = with;
    }
    bool is_intact() const {
        bool intact = true;
        for (std::size_t i = 0; i != margin; ++i)
            intact = intact && bytes_[i] == guard && bytes_[bytes_.size() - 1 - i] == guard;
        return intact;
    }
    friend bool operator==(memory const&, memory const&) = default;

private:
    static constexpr std::size_t margin = 64;
    static constexpr auto guard = std::byte{0xA5};
    std::vector<std::byte> bytes_;
    std::size_t n_;
};

/// Memory of exactly the bytes that a collective needs.
struct memories {
    memory out, in;
    template <sonde::CollectiveOperation Op>
    explicit memories(Op const& operation) : out{operation.send_bytes()}, in{operation.recv_bytes()} {}
};

template <sonde::CollectiveOperation Op>
int root_in(Op const& operation, std::size_t round) {
    if constexpr (sonde::RootedOperation<Op>)
        return operation.root().rotates ? static_cast<int>(round) % operation.group_size() : operation.root().rank;
    else return 0;
}

/// Number of wrong elements on this rank, and of changed guard bytes.
template <sonde::CollectiveOperation Op>
std::size_t wrong_here(Op const& operation, int root, std::size_t round, memories& m) {
    std::size_t errors = (m.out.is_intact() ? 0u : 1u) + (m.in.is_intact() ? 0u : 1u);
    sonde::for_each_received<number>(
        operation, root, m.in.all(), [&](int rank, int to, std::size_t i) { return value(round, rank, to, i); }, sum,
        [&](std::size_t, number expected, number found) { errors += expected != found; });
    return errors;
}

template <sonde::CollectiveOperation Op>
void prepare(Op const& operation, int root, int rank, std::size_t round, memories& m) {
    m.out.clear(std::byte{0x11});
    m.in.clear(std::byte{0xEE});
    sonde::write_contributions<number>(operation, root, rank, m.out.all(), m.in.all(),
                                       [&](int from, int to, std::size_t i) { return value(round, from, to, i); });
}

/// Enough rounds for each rank to be the root of a rotating root, and for contents to change otherwise.
template <sonde::CollectiveOperation Op>
std::size_t rounds(Op const& operation) {
    if constexpr (sonde::RootedOperation<Op>)
        if (operation.root().rotates) return static_cast<std::size_t>(operation.group_size()) + 1;
    return 2;
}

/// Errors on this rank in all rounds, without synchronization between rounds: a rank may be rounds ahead of another.
template <class P>
std::size_t errors(int rank, P& pattern, memories& m) {
    auto const& operation = pattern.operation();
    std::size_t found = 0;
    for (std::size_t round = 0; round != rounds(operation); ++round) {
        auto const root = root_in(operation, round);
        prepare(operation, root, rank, round, m);
        pattern();
        found += wrong_here(operation, root, round, m);
    }
    return found;
}

} // namespace sweep

/// The three call modes of a collective.
namespace call_modes {

/// f(pattern, name) for each call mode that this library supports correctly.
template <sonde::CollectiveOperation Op, sonde::Buffer Out, sonde::Buffer In, class F>
void each(Op const& operation, Out out, In in, F f, library::situation s = {}) {
    auto const& functions = Op::functions;
    if (library::works(Op::name, s)) f(sonde::mpi::blocking{operation, out, in}, Op::name);
    if (library::works(functions.nonblocking_name, s))
        f(sonde::mpi::nonblocking{operation, out, in}, functions.nonblocking_name);
#if SONDE_MPI_PERSISTENT_COLLECTIVES
    if (library::works(functions.init_name, s)) f(sonde::mpi::persistent{operation, out, in}, functions.init_name);
#endif
}

} // namespace call_modes
