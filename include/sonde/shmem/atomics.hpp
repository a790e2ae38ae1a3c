// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/detail/atomics.hpp>
#include <sonde/memory/buffer.hpp>
#include <sonde/shmem/session.hpp>
#include <sonde/shmem/transfers.hpp>

#include <shmem.h>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>

// Atomic operations of OpenSHMEM (1.4, 9.7) as transfers. Transfer i operates on element i of the symmetric array
// `target` of PE `pe`, given by its address on this PE. A fetching operation stores the returned value as element i of
// `results`. Each transfer is one call. All constructors throw std::invalid_argument for a PE outside the job and for
// an array that is not symmetric; they are not collective.

namespace sonde::inline v0_1::shmem {

namespace detail {

// The functions of the library, `call(operation, context, element, arguments...)`: two overloads for the two context
// policies.
#define SONDE_SHMEM_ATOMIC(T, type, op)                                                                                \
    inline auto call(atomic_call<atomics::op>, default_context, T* at, auto... a) {                                    \
        return shmem_##type##_atomic_##op(at, a...);                                                                   \
    }                                                                                                                  \
    inline auto call(atomic_call<atomics::op>, context_ref c, T* at, auto... a) {                                      \
        return shmem_ctx_##type##_atomic_##op(c.handle(), at, a...);                                                   \
    }
#define SONDE_SHMEM_EXTENDED_ATOMICS(T, type)                                                                          \
    SONDE_SHMEM_ATOMIC(T, type, set)                                                                                   \
    SONDE_SHMEM_ATOMIC(T, type, fetch)                                                                                 \
    SONDE_SHMEM_ATOMIC(T, type, swap)
#define SONDE_SHMEM_STANDARD_ATOMICS(T, type)                                                                          \
    SONDE_SHMEM_EXTENDED_ATOMICS(T, type)                                                                              \
    SONDE_SHMEM_ATOMIC(T, type, compare_swap)                                                                          \
    SONDE_SHMEM_ATOMIC(T, type, fetch_inc)                                                                             \
    SONDE_SHMEM_ATOMIC(T, type, inc)                                                                                   \
    SONDE_SHMEM_ATOMIC(T, type, fetch_add)                                                                             \
    SONDE_SHMEM_ATOMIC(T, type, add)

using atomics = sonde::detail::atomic_operation;
using sonde::detail::atomic_call;

// The other standard types (int32_t, int64_t, uint32_t, uint64_t, size_t, ptrdiff_t) are other names of these.
SONDE_SHMEM_STANDARD_ATOMICS(int, int)
SONDE_SHMEM_STANDARD_ATOMICS(long, long)
SONDE_SHMEM_STANDARD_ATOMICS(long long, longlong)
SONDE_SHMEM_STANDARD_ATOMICS(unsigned, uint)
SONDE_SHMEM_STANDARD_ATOMICS(unsigned long, ulong)
SONDE_SHMEM_STANDARD_ATOMICS(unsigned long long, ulonglong)
SONDE_SHMEM_EXTENDED_ATOMICS(float, float)
SONDE_SHMEM_EXTENDED_ATOMICS(double, double)

#undef SONDE_SHMEM_STANDARD_ATOMICS
#undef SONDE_SHMEM_EXTENDED_ATOMICS
#undef SONDE_SHMEM_ATOMIC

/// The context policy of a call: context_ref if one of the arguments has that type.
template <class... Arguments>
using context_among = std::conditional_t<(std::same_as<Arguments, context_ref> || ...), context_ref, default_context>;

/// Elements of PE `pe`.
template <class T, Context C>
struct symmetric_elements {
    using element = T;
    using context_type = C;

    symmetric_elements(int target_pe, std::span<T> target, C policy)
        : pe{require_pe(target_pe)}, first{require_symmetric(target.data(), target.size_bytes(), pe)},
          count{pe < 0 ? 0 : target.size()}, context{policy} {}
    auto call(auto op, std::size_t i, auto... operands) const {
        return detail::call(op, context, first + i, operands..., pe);
    }

    int pe;
    T* first;
    std::size_t count;
    [[no_unique_address]] C context;
};

/// Base classes of the atomic operations.
template <atomics op, class T, Context C, class... Operands>
struct atomic : sonde::detail::atomic_transfer<op, symmetric_elements<T, C>, Operands...> {
    atomic(int pe, std::span<T> target, Operands... operands, C context = {})
        : atomic::atomic_transfer{{pe, target, context}, operands...} {}
};
template <atomics op, class T, Context C, class... Operands>
struct fetching_atomic : sonde::detail::fetching_transfer<op, symmetric_elements<T, C>, Operands...> {
    fetching_atomic(int pe, std::span<T> target, Operands... operands, std::span<T> results, C context = {})
        : fetching_atomic::fetching_transfer{{pe, target, context}, operands..., results} {}
};

} // namespace detail

/// Element type of all atomic operations: int, long, long long, their unsigned types, and other names of these types.
template <class T>
concept AtomicInteger =
    requires(T* at) { detail::call(detail::atomic_call<detail::atomics::inc>{}, default_context{}, at, 0); };

/// Element type of set, fetch and swap: an AtomicInteger, float or double.
template <class T>
concept AtomicElement =
    requires(T* at) { detail::call(detail::atomic_call<detail::atomics::fetch>{}, default_context{}, at, 0); };

/// False for elements whose shmem_atomic_compare_swap is broken: Open MPI before 4.1.5 writes 8 bytes over a variable
/// of 4 bytes on its stack (open-mpi/ompi, issue 11257), which crashes the process or corrupts its data.
template <AtomicInteger T>
#ifdef OSHMEM_MAJOR_VERSION
inline constexpr bool has_compare_swap =
    sizeof(T) != 4 || OSHMEM_MAJOR_VERSION * 10000 + OSHMEM_MINOR_VERSION * 100 + OSHMEM_RELEASE_VERSION >= 40105;
#else
inline constexpr bool has_compare_swap = true;
#endif

// The arguments of an operation: the PE, the target, the operands in the order of the library's call, the results of an
// operation that fetches, and a context.

/// shmem_atomic_add: adds `value`.
template <AtomicInteger T, Context C = default_context>
struct add : detail::atomic<detail::atomics::add, T, C, T> {
    using add::atomic::atomic;
};

/// shmem_atomic_inc: adds 1.
template <AtomicInteger T, Context C = default_context>
struct inc : detail::atomic<detail::atomics::inc, T, C> {
    using inc::atomic::atomic;
};

/// shmem_atomic_set: replaces the element by `value`.
template <AtomicElement T, Context C = default_context>
struct set : detail::atomic<detail::atomics::set, T, C, T> {
    using set::atomic::atomic;
};

/// shmem_atomic_fetch: returns the element.
template <AtomicElement T, Context C = default_context>
struct fetch : detail::fetching_atomic<detail::atomics::fetch, T, C> {
    using fetch::fetching_atomic::fetching_atomic;
};

/// shmem_atomic_fetch_add: adds `value`, returns the previous value.
template <AtomicInteger T, Context C = default_context>
struct fetch_add : detail::fetching_atomic<detail::atomics::fetch_add, T, C, T> {
    using fetch_add::fetching_atomic::fetching_atomic;
};

/// shmem_atomic_fetch_inc: adds 1, returns the previous value.
template <AtomicInteger T, Context C = default_context>
struct fetch_inc : detail::fetching_atomic<detail::atomics::fetch_inc, T, C> {
    using fetch_inc::fetching_atomic::fetching_atomic;
};

/// shmem_atomic_swap: replaces the element by `value`, returns the previous value.
template <AtomicElement T, Context C = default_context>
struct swap : detail::fetching_atomic<detail::atomics::swap, T, C, T> {
    using swap::fetching_atomic::fetching_atomic;
};

/// shmem_atomic_compare_swap: replaces the element by `value` if it equals `compare`, returns the previous value. The
/// operands have the order of OpenSHMEM's call: `compare_swap{pe, target, compare, value, results}`.
/// Throws std::runtime_error for elements whose compare_swap is broken in the library (`has_compare_swap`).
template <AtomicInteger T, Context C = default_context>
struct compare_swap : detail::fetching_atomic<detail::atomics::compare_swap, T, C, T, T> {
    compare_swap(int pe, std::span<T> target, T compare, T value, std::span<T> results, C context = {})
        : compare_swap::fetching_atomic{pe, target, compare, value, results, context} {
        if (!has_compare_swap<T>)
            throw std::runtime_error{
                "sonde::shmem: compare_swap of 4 bytes damages the stack in Open MPI before 4.1.5"};
    }
};

// An array has a static extent, and the last argument may be a context.
template <class T, std::size_t N, class... More>
add(int, std::span<T, N>, More...) -> add<T, detail::context_among<More...>>;
template <class T, std::size_t N, class... More>
inc(int, std::span<T, N>, More...) -> inc<T, detail::context_among<More...>>;
template <class T, std::size_t N, class... More>
set(int, std::span<T, N>, More...) -> set<T, detail::context_among<More...>>;
template <class T, std::size_t N, class... More>
fetch(int, std::span<T, N>, More...) -> fetch<T, detail::context_among<More...>>;
template <class T, std::size_t N, class... More>
fetch_add(int, std::span<T, N>, More...) -> fetch_add<T, detail::context_among<More...>>;
template <class T, std::size_t N, class... More>
fetch_inc(int, std::span<T, N>, More...) -> fetch_inc<T, detail::context_among<More...>>;
template <class T, std::size_t N, class... More>
swap(int, std::span<T, N>, More...) -> swap<T, detail::context_among<More...>>;
template <class T, std::size_t N, class... More>
compare_swap(int, std::span<T, N>, More...) -> compare_swap<T, detail::context_among<More...>>;

/// The elements of type T in bytes of a buffer, for the atomic operations. Throws std::invalid_argument for bytes that
/// are not aligned for T.
template <class T>
    requires std::is_arithmetic_v<T>
[[nodiscard]] std::span<T> elements(region bytes) {
    if (reinterpret_cast<std::uintptr_t>(bytes.data()) % alignof(T) != 0)
        throw std::invalid_argument{"sonde::shmem: the bytes are not aligned for elements of " +
                                    std::to_string(sizeof(T)) + " bytes"};
    return {reinterpret_cast<T*>(bytes.data()), bytes.size() / sizeof(T)};
}

} // namespace sonde::shmem
