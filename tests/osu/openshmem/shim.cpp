// SPDX-License-Identifier: BSL-1.0
// Preloaded: counts calls of OpenSHMEM, and writes them, at shmem_finalize, to $SONDE_COUNTS-PE. With $SONDE_FAULT, one
// bit of every operation's data is flipped: of the data "sent", or of the data "received"; or the operation is "lost".
#include "../counted_calls.hpp"

#include <shmem.h>

#include <dlfcn.h>

#include <cstddef>
#include <deque>
#include <type_traits>
#include <vector>

namespace {

/// The library's function of a name.
template <class F>
F* real(F* /*type*/, char const* name) {
    return reinterpret_cast<F*>(dlsym(RTLD_NEXT, name));
}

constexpr char bit = 0x20;

std::deque<std::vector<char>> kept; // the library reads them until shmem_quiet
std::vector<char*> received;        // last bytes of results until then

/// The sent data with a flipped bit in the last byte.
void const* sent(void const* data, std::size_t n) {
    if (!fault("sent") || n == 0) return data;
    auto const* const first = static_cast<char const*>(data);
    auto& copy = kept.emplace_back(first, first + n);
    copy.back() ^= bit;
    return copy.data();
}

/// Flip a bit of the last byte of results that are complete.
void flip(void* result, std::size_t n) {
    if (fault("received") && n != 0) static_cast<char*>(result)[n - 1] ^= bit;
}

void completed() {
    for (auto* const byte : received) *byte ^= bit;
    received.clear();
    kept.clear();
}

/// An operand with a flipped bit.
template <class T>
T sent_value(T value) {
    return fault("sent") ? static_cast<T>(value ^ bit) : value;
}

} // namespace

// Counts a call, and makes it unless it is to be lost.
#define CALL(name, ...)                                                                                                \
    static auto* const f = real(&name, #name);                                                                         \
    ++calls()[#name];                                                                                                  \
    if (!fault("lost")) f(__VA_ARGS__)

#define ATOMICS(type, T)                                                                                               \
    T shmem_##type##_atomic_fetch_add(T* p, T v, int pe) {                                                             \
        RETURN(shmem_##type##_atomic_fetch_add, p, sent_value(v), pe);                                                 \
    }                                                                                                                  \
    T shmem_##type##_atomic_fetch_inc(T* p, int pe) { RETURN(shmem_##type##_atomic_fetch_inc, p, pe); }                \
    T shmem_##type##_atomic_swap(T* p, T v, int pe) { RETURN(shmem_##type##_atomic_swap, p, sent_value(v), pe); }      \
    T shmem_##type##_atomic_fetch(T const* p, int pe) { RETURN(shmem_##type##_atomic_fetch, p, pe); }                  \
    T shmem_##type##_atomic_compare_swap(T* p, T c, T v, int pe) {                                                     \
        RETURN(shmem_##type##_atomic_compare_swap, p, c, sent_value(v), pe);                                           \
    }                                                                                                                  \
    void shmem_##type##_atomic_add(T* p, T v, int pe) { CALL(shmem_##type##_atomic_add, p, sent_value(v), pe); }       \
    void shmem_##type##_atomic_inc(T* p, int pe) { CALL(shmem_##type##_atomic_inc, p, pe); }                           \
    void shmem_##type##_atomic_set(T* p, T v, int pe) { CALL(shmem_##type##_atomic_set, p, sent_value(v), pe); }

#define RETURN(name, ...)                                                                                              \
    static auto* const f = real(&name, #name);                                                                         \
    ++calls()[#name];                                                                                                  \
    std::remove_const_t<decltype(f(__VA_ARGS__))> result{};                                                            \
    if (!fault("lost")) result = f(__VA_ARGS__);                                                                       \
    flip(&result, sizeof result);                                                                                      \
    return result

extern "C" {

void shmem_putmem(void* to, void const* from, std::size_t n, int pe) { CALL(shmem_putmem, to, sent(from, n), n, pe); }
void shmem_putmem_nbi(void* to, void const* from, std::size_t n, int pe) {
    CALL(shmem_putmem_nbi, to, sent(from, n), n, pe);
}
void shmem_getmem(void* to, void const* from, std::size_t n, int pe) {
    CALL(shmem_getmem, to, from, n, pe);
    flip(to, n);
}
void shmem_getmem_nbi(void* to, void const* from, std::size_t n, int pe) {
    CALL(shmem_getmem_nbi, to, from, n, pe);
    if (fault("received") && n != 0) received.push_back(static_cast<char*>(to) + n - 1);
}
void shmem_quiet() {
    static auto* const f = real(&shmem_quiet, "shmem_quiet");
    ++calls()["shmem_quiet"];
    f();
    completed();
}
void shmem_fence() { CALL(shmem_fence); }
void shmem_barrier_all() {
    static auto* const f = real(&shmem_barrier_all, "shmem_barrier_all");
    ++calls()["shmem_barrier_all"];
    f();
}
void shmem_barrier(int start, int log_stride, int size, long* sync) {
    static auto* const f = real(&shmem_barrier, "shmem_barrier");
    ++calls()["shmem_barrier"];
    f(start, log_stride, size, sync);
}

ATOMICS(int, int)
ATOMICS(longlong, long long)

void shmem_broadcast32(void* to, void const* from, std::size_t n, int root, int start, int stride, int size,
                       long* sync) {
    CALL(shmem_broadcast32, to, from, n, root, start, stride, size, sync);
    if (shmem_my_pe() != root) flip(to, 4 * n);
}
void shmem_collect32(void* to, void const* from, std::size_t n, int start, int stride, int size, long* sync) {
    CALL(shmem_collect32, to, from, n, start, stride, size, sync);
    flip(to, 4 * n);
}
void shmem_fcollect32(void* to, void const* from, std::size_t n, int start, int stride, int size, long* sync) {
    CALL(shmem_fcollect32, to, from, n, start, stride, size, sync);
    flip(to, 4 * n);
}
void shmem_float_sum_to_all(float* to, float const* from, int n, int start, int stride, int size, float* work,
                            long* sync) {
    CALL(shmem_float_sum_to_all, to, from, n, start, stride, size, work, sync);
    flip(to, 4 * static_cast<std::size_t>(n));
}

void shmem_finalize() {
    write_counts(shmem_my_pe());
    real(&shmem_finalize, "shmem_finalize")();
}

} // extern "C"
