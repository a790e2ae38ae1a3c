// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/memory/buffer.hpp>
#include <sonde/pattern.hpp>
#include <sonde/shmem/session.hpp>
#include <sonde/shmem/transfers.hpp>

#include <shmem.h>

#include <algorithm>
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

/// The functions of the library for elements of type T: `f(context, arguments...)`.
template <class T>
struct atomic_functions {
    static constexpr bool integer = false, extended = false;
};

// Two overloads of `op`, for the two context policies.
#define SONDE_SHMEM_ATOMIC(type, op)                                                                                   \
    static auto op(default_context, auto... a) { return shmem_##type##_atomic_##op(a...); }                            \
    static auto op(context_ref c, auto... a) { return shmem_ctx_##type##_atomic_##op(c.handle(), a...); }
#define SONDE_SHMEM_EXTENDED_ATOMICS(type)                                                                             \
    static constexpr bool extended = true;                                                                             \
    SONDE_SHMEM_ATOMIC(type, set)                                                                                      \
    SONDE_SHMEM_ATOMIC(type, fetch)                                                                                    \
    SONDE_SHMEM_ATOMIC(type, swap)
#define SONDE_SHMEM_STANDARD_ATOMICS(type)                                                                             \
    static constexpr bool integer = true;                                                                              \
    SONDE_SHMEM_EXTENDED_ATOMICS(type)                                                                                 \
    SONDE_SHMEM_ATOMIC(type, compare_swap)                                                                             \
    SONDE_SHMEM_ATOMIC(type, fetch_inc)                                                                                \
    SONDE_SHMEM_ATOMIC(type, inc)                                                                                      \
    SONDE_SHMEM_ATOMIC(type, fetch_add)                                                                                \
    SONDE_SHMEM_ATOMIC(type, add)

// The other standard types (int32_t, int64_t, uint32_t, uint64_t, size_t, ptrdiff_t) are other names of these.
// clang-format off
template <> struct atomic_functions<int> { SONDE_SHMEM_STANDARD_ATOMICS(int) };
template <> struct atomic_functions<long> { SONDE_SHMEM_STANDARD_ATOMICS(long) };
template <> struct atomic_functions<long long> { SONDE_SHMEM_STANDARD_ATOMICS(longlong) };
template <> struct atomic_functions<unsigned> { SONDE_SHMEM_STANDARD_ATOMICS(uint) };
template <> struct atomic_functions<unsigned long> { SONDE_SHMEM_STANDARD_ATOMICS(ulong) };
template <> struct atomic_functions<unsigned long long> { SONDE_SHMEM_STANDARD_ATOMICS(ulonglong) };
template <> struct atomic_functions<float> { static constexpr bool integer = false; SONDE_SHMEM_EXTENDED_ATOMICS(float) };
template <> struct atomic_functions<double> { static constexpr bool integer = false; SONDE_SHMEM_EXTENDED_ATOMICS(double) };
// clang-format on

#undef SONDE_SHMEM_STANDARD_ATOMICS
#undef SONDE_SHMEM_EXTENDED_ATOMICS
#undef SONDE_SHMEM_ATOMIC

/// The context policy of a call: context_ref if one of the arguments has that type.
template <class... Arguments>
using context_among = std::conditional_t<(std::same_as<Arguments, context_ref> || ...), context_ref, default_context>;

/// Base class of the atomic operations.
template <class T, Context C>
class atomic {
public:
    using context_type = C;

    std::size_t capacity() const { return capacity_; }
    sonde::traffic traffic() const { return {sizeof(T), 1, 1}; }

protected:
    using functions = atomic_functions<T>;

    atomic(int pe, std::span<T> target, std::size_t capacity, C context)
        : pe_{require_pe(pe)}, target_{require_symmetric(target.data(), target.size_bytes(), pe)},
          capacity_{pe < 0 ? 0 : std::min(target.size(), capacity)}, context_{context} {}
    atomic(int pe, std::span<T> target, C context) : atomic{pe, target, target.size(), context} {}

    int pe_;
    T* target_;
    std::size_t capacity_;
    [[no_unique_address]] C context_;
};

/// Base class of the operations that return the previous value.
template <class T, Context C>
class fetching_atomic : public atomic<T, C> {
protected:
    fetching_atomic(int pe, std::span<T> target, std::span<T> results, C context)
        : atomic<T, C>{pe, target, results.size(), context}, results_{results.data()} {}

    T* results_;
};

} // namespace detail

/// Element type of all atomic operations: int, long, long long, their unsigned types, and other names of these types.
template <class T>
concept AtomicInteger = detail::atomic_functions<T>::integer;

/// Element type of set, fetch and swap: an AtomicInteger, float or double.
template <class T>
concept AtomicElement = detail::atomic_functions<T>::extended;

/// False for elements whose shmem_atomic_compare_swap is broken: Open MPI before 4.1.5 writes 8 bytes over a variable
/// of 4 bytes on its stack (open-mpi/ompi, issue 11257), which crashes the process or corrupts its data.
template <AtomicInteger T>
#ifdef OSHMEM_MAJOR_VERSION
inline constexpr bool has_compare_swap =
    sizeof(T) != 4 || OSHMEM_MAJOR_VERSION * 10000 + OSHMEM_MINOR_VERSION * 100 + OSHMEM_RELEASE_VERSION >= 40105;
#else
inline constexpr bool has_compare_swap = true;
#endif

/// shmem_atomic_add: adds `value`.
template <AtomicInteger T, Context C = default_context>
class add : public detail::atomic<T, C> {
public:
    add(int pe, std::span<T> target, std::type_identity_t<T> value, C context = {})
        : add::atomic{pe, target, context}, value_{value} {}
    void operator()(std::size_t i) const { add::functions::add(this->context_, this->target_ + i, value_, this->pe_); }

private:
    T value_;
};

/// shmem_atomic_inc: adds 1.
template <AtomicInteger T, Context C = default_context>
class inc : public detail::atomic<T, C> {
public:
    inc(int pe, std::span<T> target, C context = {}) : inc::atomic{pe, target, context} {}
    void operator()(std::size_t i) const { inc::functions::inc(this->context_, this->target_ + i, this->pe_); }
};

/// shmem_atomic_set: replaces the element by `value`.
template <AtomicElement T, Context C = default_context>
class set : public detail::atomic<T, C> {
public:
    set(int pe, std::span<T> target, std::type_identity_t<T> value, C context = {})
        : set::atomic{pe, target, context}, value_{value} {}
    void operator()(std::size_t i) const { set::functions::set(this->context_, this->target_ + i, value_, this->pe_); }

private:
    T value_;
};

/// shmem_atomic_fetch: returns the element.
template <AtomicElement T, Context C = default_context>
class fetch : public detail::fetching_atomic<T, C> {
public:
    fetch(int pe, std::span<T> target, std::type_identity_t<std::span<T>> results, C context = {})
        : fetch::fetching_atomic{pe, target, results, context} {}
    void operator()(std::size_t i) const {
        this->results_[i] = fetch::functions::fetch(this->context_, this->target_ + i, this->pe_);
    }
};

/// shmem_atomic_fetch_add: adds `value`, returns the previous value.
template <AtomicInteger T, Context C = default_context>
class fetch_add : public detail::fetching_atomic<T, C> {
public:
    fetch_add(int pe, std::span<T> target, std::type_identity_t<T> value, std::type_identity_t<std::span<T>> results,
              C context = {})
        : fetch_add::fetching_atomic{pe, target, results, context}, value_{value} {}
    void operator()(std::size_t i) const {
        this->results_[i] = fetch_add::functions::fetch_add(this->context_, this->target_ + i, value_, this->pe_);
    }

private:
    T value_;
};

/// shmem_atomic_fetch_inc: adds 1, returns the previous value.
template <AtomicInteger T, Context C = default_context>
class fetch_inc : public detail::fetching_atomic<T, C> {
public:
    fetch_inc(int pe, std::span<T> target, std::type_identity_t<std::span<T>> results, C context = {})
        : fetch_inc::fetching_atomic{pe, target, results, context} {}
    void operator()(std::size_t i) const {
        this->results_[i] = fetch_inc::functions::fetch_inc(this->context_, this->target_ + i, this->pe_);
    }
};

/// shmem_atomic_swap: replaces the element by `value`, returns the previous value.
template <AtomicElement T, Context C = default_context>
class swap : public detail::fetching_atomic<T, C> {
public:
    swap(int pe, std::span<T> target, std::type_identity_t<T> value, std::type_identity_t<std::span<T>> results,
         C context = {})
        : swap::fetching_atomic{pe, target, results, context}, value_{value} {}
    void operator()(std::size_t i) const {
        this->results_[i] = swap::functions::swap(this->context_, this->target_ + i, value_, this->pe_);
    }

private:
    T value_;
};

/// shmem_atomic_compare_swap: replaces the element by `value` if it equals `compare`, returns the previous value. The
/// order of the arguments is MPI_Compare_and_swap's, for all libraries; OpenSHMEM's call has `compare` first.
/// Throws std::runtime_error for elements whose compare_swap is broken in the library (`has_compare_swap`).
template <AtomicInteger T, Context C = default_context>
class compare_swap : public detail::fetching_atomic<T, C> {
public:
    compare_swap(int pe, std::span<T> target, std::type_identity_t<T> value, std::type_identity_t<T> compare,
                 std::type_identity_t<std::span<T>> results, C context = {})
        : compare_swap::fetching_atomic{pe, target, results, context}, value_{value}, compare_{compare} {
        if (!has_compare_swap<T>)
            throw std::runtime_error{
                "sonde::shmem: compare_swap of 4 bytes damages the stack in Open MPI before 4.1.5"};
    }
    void operator()(std::size_t i) const {
        this->results_[i] =
            compare_swap::functions::compare_swap(this->context_, this->target_ + i, compare_, value_, this->pe_);
    }

private:
    T value_;
    T compare_;
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
