// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/shmem/collectives.hpp>

#include <shmem.h>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <stdexcept>
#include <type_traits>

namespace sonde::inline v0_1::shmem {

// Operations of reductions.
using reductions::bit_and, reductions::bit_or, reductions::bit_xor;
using reductions::sum, reductions::prod, reductions::min, reductions::max;

namespace detail {

// One overload of `reduce` for each function of the library: shmem_TYPE_OP_to_all, on a team shmem_TYPE_OP_reduce. The
// bitwise operations on teams have unsigned types only.
#if SONDE_SHMEM_TEAMS
#define SONDE_SHMEM_REDUCTION(T, op, function)                                                                         \
    inline void reduce(op, T* dest, T const* source, std::size_t n, shmem_team_t team) {                               \
        shmem_##function##_reduce(team, dest, source, n);                                                              \
    }
#define SONDE_SHMEM_BITWISE_REDUCTION(T, op, function)                                                                 \
    inline void reduce(op, T* dest, T const* source, std::size_t n, shmem_team_t team) {                               \
        using bits = std::make_unsigned_t<T>;                                                                          \
        shmem_u##function##_reduce(team, reinterpret_cast<bits*>(dest), reinterpret_cast<bits const*>(source), n);     \
    }
#else
#define SONDE_SHMEM_REDUCTION(T, op, function)                                                                         \
    inline void reduce(op, T* dest, T const* source, std::size_t n, active_set s, T* work, long* sync) {               \
        shmem_##function##_to_all(dest, source, static_cast<int>(n), s.start, s.log_stride, s.size, work, sync);       \
    }
#define SONDE_SHMEM_BITWISE_REDUCTION(T, op, function) SONDE_SHMEM_REDUCTION(T, op, function)
#endif
#define SONDE_SHMEM_REDUCTIONS(T, type)                                                                                \
    SONDE_SHMEM_REDUCTION(T, sum, type##_sum)                                                                          \
    SONDE_SHMEM_REDUCTION(T, prod, type##_prod)                                                                        \
    SONDE_SHMEM_REDUCTION(T, min, type##_min)                                                                          \
    SONDE_SHMEM_REDUCTION(T, max, type##_max)
#define SONDE_SHMEM_INTEGER_REDUCTIONS(T, type)                                                                        \
    SONDE_SHMEM_REDUCTIONS(T, type)                                                                                    \
    SONDE_SHMEM_BITWISE_REDUCTION(T, bit_and, type##_and)                                                              \
    SONDE_SHMEM_BITWISE_REDUCTION(T, bit_or, type##_or)                                                                \
    SONDE_SHMEM_BITWISE_REDUCTION(T, bit_xor, type##_xor)

SONDE_SHMEM_INTEGER_REDUCTIONS(short, short)
SONDE_SHMEM_INTEGER_REDUCTIONS(int, int)
SONDE_SHMEM_INTEGER_REDUCTIONS(long, long)
SONDE_SHMEM_INTEGER_REDUCTIONS(long long, longlong)
SONDE_SHMEM_REDUCTIONS(float, float)
SONDE_SHMEM_REDUCTIONS(double, double)
SONDE_SHMEM_REDUCTIONS(long double, longdouble)

#undef SONDE_SHMEM_INTEGER_REDUCTIONS
#undef SONDE_SHMEM_REDUCTIONS
#undef SONDE_SHMEM_BITWISE_REDUCTION
#undef SONDE_SHMEM_REDUCTION

/// Returns n. Throws std::length_error if n does not fit the functions' int.
inline std::size_t require_int(std::size_t n) {
    if (n > static_cast<std::size_t>(std::numeric_limits<int>::max()))
        throw std::length_error{"sonde::shmem: a reduction of more than INT_MAX elements"};
    return n;
}

} // namespace detail

/// A reduction that the library has: sum, prod, min and max of short, int, long, long long, float, double and long
/// double; bit_and, bit_or and bit_xor of the integers.
template <class T, class Op>
concept Reduction =
#if SONDE_SHMEM_TEAMS
    requires(T* p, shmem_team_t team) { detail::reduce(Op{}, p, p, std::size_t{0}, team); };
#else
    requires(T* p, active_set set, long* sync) { detail::reduce(Op{}, p, p, std::size_t{0}, set, p, sync); };
#endif

/// shmem_TYPE_OP_to_all (shmem_TYPE_OP_reduce on a team): every PE receives the reduction over all PEs of `n` elements:
/// `reduce<float, sum>{world, n}`. Throws std::length_error for more than INT_MAX elements.
template <class T, class Op>
    requires Reduction<T, Op>
struct reduce : detail::operation<reduction_base<detail::member, no_root, detail::blocks>> {
    static constexpr auto name = "shmem reduction";

    reduce(group_ref ranks, std::size_t n)
        : operation{
              detail::member{ranks}, detail::elements_of<T>(detail::require_int(n)), 1, {}, placement::out_of_place} {}

    /// Size of pWrk (OpenSHMEM 1.4, 9.8.6).
    std::size_t work_bytes() const {
        return std::max<std::size_t>(all_.each().n / 2 + 1, SHMEM_REDUCE_MIN_WRKDATA_SIZE) * sizeof(T);
    }
    sonde::traffic traffic() const { return share_with_all(); }
    void invoke(call_arguments a, [[maybe_unused]] work_area area) const {
        auto* const dest = reinterpret_cast<T*>(a.recvbuf);
        auto const* const source = reinterpret_cast<T const*>(a.sendbuf);
#if SONDE_SHMEM_TEAMS
        detail::reduce(Op{}, dest, source, all_.each().n, member_.team);
#else
        detail::reduce(Op{}, dest, source, all_.each().n, pes(), static_cast<T*>(area.work), area.sync);
#endif
    }
};

} // namespace sonde::shmem
