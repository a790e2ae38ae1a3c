// SPDX-License-Identifier: BSL-1.0
#pragma once

// OpenSHMEM 1.5 of one PE, for the code that differs from OpenSHMEM 1.4: teams, and put with signal. Everything is done
// in the call itself. There are the functions that Sonde and its tests use, and no others.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>

#define SHMEM_MAJOR_VERSION 1
#define SHMEM_MINOR_VERSION 5
#define SHMEM_MAX_NAME_LEN 64
#define SHMEM_THREAD_SINGLE 0
#define SHMEM_THREAD_SERIALIZED 2
#define SHMEM_CTX_PRIVATE 1
#define SHMEM_CTX_SERIALIZED 2
#define SHMEM_CMP_GE 5
#define SHMEM_SIGNAL_SET 0
#define SHMEM_SIGNAL_ADD 1
#define SHMEM_REDUCE_MIN_WRKDATA_SIZE 1

typedef struct fake_context* shmem_ctx_t;
typedef struct fake_team* shmem_team_t;
#define SHMEM_TEAM_INVALID (static_cast<shmem_team_t>(nullptr))
#define SHMEM_TEAM_WORLD (reinterpret_cast<shmem_team_t>(&fake_shmem::world))

extern "C" char __data_start, _end; // static data of the program, from the linker

namespace fake_shmem {

inline int world, contexts, teams;                     // numbers of open contexts and teams
inline std::map<std::byte const*, std::size_t> blocks; // of the symmetric heap
constexpr std::size_t heap = std::size_t{1} << 28;

inline std::size_t allocated() {
    std::size_t sum = 0;
    for (auto const& block : blocks) sum += block.second;
    return sum;
}
inline bool is_symmetric(std::byte const* p) {
    auto const* const first = reinterpret_cast<std::byte const*>(&__data_start);
    auto const* const last = reinterpret_cast<std::byte const*>(&_end);
    auto const after = blocks.upper_bound(p);
    auto const in_heap = after != blocks.begin() && p < std::prev(after)->first + std::prev(after)->second;
    return in_heap || (p >= first && p < last);
}
/// Exits with a status of its own for a call that no correct program makes.
inline void require(bool correct) {
    if (!correct) std::_Exit(42);
}
inline void copy(void* to, void const* from, std::size_t n, bool remote) {
    require(remote || n == 0 || is_symmetric(static_cast<std::byte const*>(from)));
    require(!remote || n == 0 || is_symmetric(static_cast<std::byte const*>(to)));
    if (n != 0) std::memmove(to, from, n);
}
template <class T>
T replace(T* target, int pe, T value) {
    require(pe == 0 && is_symmetric(reinterpret_cast<std::byte const*>(target)));
    auto const before = *target;
    *target = value;
    return before;
}

} // namespace fake_shmem

extern "C" {

inline int shmem_init_thread(int requested, int* provided) { return *provided = requested, 0; }
inline void shmem_finalize() {
    fake_shmem::require(fake_shmem::blocks.empty() && fake_shmem::contexts == 0 && fake_shmem::teams == 0);
}
[[noreturn]] inline void shmem_global_exit(int status) { std::_Exit(status); }
inline int shmem_my_pe() { return 0; }
inline int shmem_n_pes() { return 1; }
inline void shmem_info_get_version(int* major, int* minor) {
    *major = SHMEM_MAJOR_VERSION;
    *minor = SHMEM_MINOR_VERSION;
}
inline void shmem_info_get_name(char* name) { std::strcpy(name, "one PE"); }
inline void shmem_query_thread(int* level) { *level = SHMEM_THREAD_SINGLE; }
inline int shmem_addr_accessible(void const* p, int pe) {
    return pe == 0 && fake_shmem::is_symmetric(static_cast<std::byte const*>(p)) ? 1 : 0;
}
inline void* shmem_align(std::size_t alignment, std::size_t n) {
    if (n > fake_shmem::heap || fake_shmem::allocated() + n > fake_shmem::heap) return nullptr;
    auto* const p = std::aligned_alloc(alignment, (n + alignment - 1) / alignment * alignment);
    fake_shmem::blocks[static_cast<std::byte*>(p)] = n;
    return p;
}
inline void shmem_free(void* p) {
    fake_shmem::require(fake_shmem::blocks.erase(static_cast<std::byte*>(p)) == 1);
    std::free(p);
}

inline void shmem_quiet() {}
inline void shmem_fence() {}
inline void shmem_barrier_all() {}
inline void shmem_sync_all() {}
inline int shmem_ctx_create(long, shmem_ctx_t* c) {
    ++fake_shmem::contexts;
    return *c = reinterpret_cast<shmem_ctx_t>(&fake_shmem::contexts), 0;
}
inline void shmem_ctx_destroy(shmem_ctx_t) { --fake_shmem::contexts; }
inline void shmem_ctx_quiet(shmem_ctx_t) {}
inline void shmem_ctx_fence(shmem_ctx_t) {}

#define FAKE_TRANSFER(name, remote)                                                                                    \
    inline void shmem_##name(void* to, void const* from, std::size_t n, int) {                                         \
        fake_shmem::copy(to, from, n, remote);                                                                         \
    }                                                                                                                  \
    inline void shmem_ctx_##name(shmem_ctx_t, void* to, void const* from, std::size_t n, int) {                        \
        fake_shmem::copy(to, from, n, remote);                                                                         \
    }
FAKE_TRANSFER(putmem, true)
FAKE_TRANSFER(putmem_nbi, true)
FAKE_TRANSFER(getmem, false)
FAKE_TRANSFER(getmem_nbi, false)
#undef FAKE_TRANSFER

inline void shmem_putmem_signal(void* to, void const* from, std::size_t n, std::uint64_t* signal, std::uint64_t value,
                                int how, int) {
    fake_shmem::copy(to, from, n, true);
    *signal = how == SHMEM_SIGNAL_SET ? value : *signal + value;
}
inline void shmem_ctx_putmem_signal(shmem_ctx_t, void* to, void const* from, std::size_t n, std::uint64_t* signal,
                                    std::uint64_t value, int how, int pe) {
    shmem_putmem_signal(to, from, n, signal, value, how, pe);
}
inline std::uint64_t shmem_signal_wait_until(std::uint64_t* signal, int, std::uint64_t value) {
    fake_shmem::require(*signal >= value);
    return *signal;
}

// A function and its form on a context: RESULT shmem_NAME(PARAMETERS) { return VALUE; }
#define FAKE_FUNCTION(result, name, parameters, ...)                                                                   \
    inline result shmem_##name(FAKE_LIST parameters) { return __VA_ARGS__; }                                           \
    inline result shmem_ctx_##name(shmem_ctx_t, FAKE_LIST parameters) { return __VA_ARGS__; }
#define FAKE_LIST(...) __VA_ARGS__
#define FAKE_EXTENDED(T, t)                                                                                            \
    FAKE_FUNCTION(void, t##_atomic_set, (T * p, T v, int pe), static_cast<void>(fake_shmem::replace(p, pe, v)))        \
    FAKE_FUNCTION(T, t##_atomic_fetch, (T const* p, int), *p)                                                          \
    FAKE_FUNCTION(T, t##_atomic_swap, (T * p, T v, int pe), fake_shmem::replace(p, pe, v))
#define FAKE_STANDARD(T, t)                                                                                            \
    FAKE_EXTENDED(T, t)                                                                                                \
    FAKE_FUNCTION(T, t##_atomic_compare_swap, (T * p, T c, T v, int pe), fake_shmem::replace(p, pe, *p == c ? v : *p)) \
    FAKE_FUNCTION(T, t##_atomic_fetch_add, (T * p, T v, int pe), fake_shmem::replace(p, pe, static_cast<T>(*p + v)))   \
    FAKE_FUNCTION(T, t##_atomic_fetch_inc, (T * p, int pe), fake_shmem::replace(p, pe, static_cast<T>(*p + 1)))        \
    FAKE_FUNCTION(void, t##_atomic_add, (T * p, T v, int pe),                                                          \
                  static_cast<void>(shmem_##t##_atomic_fetch_add(p, v, pe)))                                           \
    FAKE_FUNCTION(void, t##_atomic_inc, (T * p, int pe), static_cast<void>(shmem_##t##_atomic_fetch_inc(p, pe)))
FAKE_STANDARD(int, int)
FAKE_STANDARD(long, long)
FAKE_STANDARD(long long, longlong)
FAKE_STANDARD(unsigned, uint)
FAKE_STANDARD(unsigned long, ulong)
FAKE_STANDARD(unsigned long long, ulonglong)
FAKE_EXTENDED(float, float)
FAKE_EXTENDED(double, double)
#undef FAKE_STANDARD
#undef FAKE_EXTENDED
#undef FAKE_FUNCTION
#undef FAKE_LIST
inline void shmem_long_p(long* p, long value, int) { *p = value; }
inline void shmem_long_wait_until(long* p, int, long value) { fake_shmem::require(*p >= value); }

inline int shmem_team_split_strided(shmem_team_t, int start, int, int size, void const*, long, shmem_team_t* made) {
    fake_shmem::require(start == 0 && size == 1);
    ++fake_shmem::teams;
    return *made = reinterpret_cast<shmem_team_t>(&fake_shmem::teams), 0;
}
inline void shmem_team_destroy(shmem_team_t) { --fake_shmem::teams; }
inline int shmem_team_sync(shmem_team_t team) { return fake_shmem::require(team != SHMEM_TEAM_INVALID), 0; }
inline int shmem_broadcastmem(shmem_team_t, void* to, void const* from, std::size_t n, int) {
    return fake_shmem::copy(to, from, n, true), 0;
}
inline int shmem_collectmem(shmem_team_t, void* to, void const* from, std::size_t n) {
    return fake_shmem::copy(to, from, n, true), 0;
}
inline int shmem_fcollectmem(shmem_team_t, void* to, void const* from, std::size_t n) {
    return fake_shmem::copy(to, from, n, true), 0;
}
inline int shmem_alltoallmem(shmem_team_t, void* to, void const* from, std::size_t n) {
    return fake_shmem::copy(to, from, n, true), 0;
}
#define FAKE_STRIDED(T)                                                                                                \
    inline int shmem_##T##_alltoalls(shmem_team_t, T* to, T const* from, std::ptrdiff_t to_stride,                     \
                                     std::ptrdiff_t from_stride, std::size_t n) {                                      \
        for (std::ptrdiff_t i = 0; i != static_cast<std::ptrdiff_t>(n); ++i)                                           \
            std::memcpy(to + i * to_stride, from + i * from_stride, sizeof(T));                                        \
        return 0;                                                                                                      \
    }
FAKE_STRIDED(float)
FAKE_STRIDED(double)
#undef FAKE_STRIDED

#define FAKE_REDUCTION(T, name)                                                                                        \
    inline int shmem_##name##_reduce(shmem_team_t, T* to, T const* from, std::size_t n) {                              \
        return fake_shmem::copy(to, from, n * sizeof(T), true), 0;                                                     \
    }
#define FAKE_REDUCTIONS(T, t)                                                                                          \
    FAKE_REDUCTION(T, t##_sum) FAKE_REDUCTION(T, t##_prod) FAKE_REDUCTION(T, t##_min) FAKE_REDUCTION(T, t##_max)
#define FAKE_BITWISE(T, t) FAKE_REDUCTION(T, t##_and) FAKE_REDUCTION(T, t##_or) FAKE_REDUCTION(T, t##_xor)
FAKE_REDUCTIONS(short, short)
FAKE_REDUCTIONS(int, int)
FAKE_REDUCTIONS(long, long)
FAKE_REDUCTIONS(long long, longlong)
FAKE_REDUCTIONS(float, float)
FAKE_REDUCTIONS(double, double)
FAKE_REDUCTIONS(long double, longdouble)
FAKE_BITWISE(unsigned short, ushort)
FAKE_BITWISE(unsigned, uint)
FAKE_BITWISE(unsigned long, ulong)
FAKE_BITWISE(unsigned long long, ulonglong)
#undef FAKE_BITWISE
#undef FAKE_REDUCTIONS
#undef FAKE_REDUCTION

} // extern "C"
