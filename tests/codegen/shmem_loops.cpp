// SPDX-License-Identifier: BSL-1.0

// One-sided communication by OpenSHMEM, by hand and by Sonde, called in the order that shmem_count.py expects. Buffers,
// target and sizes are those of a program that reads them from its command line: no loop has them as constants.

#include <sonde/measure/run.hpp>
#include <sonde/pattern.hpp>
#include <sonde/pattern/one_sided.hpp>
#include <sonde/shmem/atomics.hpp>
#include <sonde/shmem/transfers.hpp>

#include <shmem.h>

#include <chrono>
#include <cstddef>
#include <span>

namespace {

constexpr std::size_t many = 100;
std::byte from[8 * many], into[8 * many];
long counters[many], results[many];

struct arguments {
    std::byte* into;
    std::byte const* from;
    long* counters;
    std::size_t bytes;
    std::size_t window;
    int pe;
};

/// A clock of constant cost, which cancels in the difference of two numbers of iterations.
struct stopped_clock {
    std::chrono::nanoseconds now() const { return {}; }
    sonde::clock_properties properties() const { return {}; }
};

template <class Pattern>
[[gnu::always_inline]] inline void measure(int n, Pattern pattern) {
    sonde::single_rank alone;
    auto const plan = sonde::plan<>{}.warmup(0).batch(static_cast<std::size_t>(n)).until(sonde::samples{1});
    (void)sonde::run(alone, plan.synchronized(sonde::no_sync{}).timed_by(stopped_clock{}), pattern);
}

} // namespace

extern "C" {

/// A put and a quiet.
[[gnu::noinline]] void count_plain_put(arguments a, int n) {
    for (int i = 0; i < n; ++i) {
        shmem_putmem(a.into, a.from, a.bytes, a.pe);
        shmem_quiet();
    }
}

/// A window of puts and a quiet, as OMB has them.
[[gnu::noinline]] void count_plain_put_window(arguments a, int n) {
    for (int i = 0; i < n; ++i) {
        for (std::size_t k = 0; k < a.window; ++k)
            shmem_putmem(a.into + k * a.bytes, a.from + k * a.bytes, a.bytes, a.pe);
        shmem_quiet();
    }
}

[[gnu::noinline]] void count_sonde_put(arguments a, int n) {
    measure(n, sonde::rma{sonde::shmem::quiet{}, sonde::role::initiator, a.window,
                          sonde::shmem::put{a.pe, into, from, a.bytes}});
}

/// An atomic operation, without a quiet.
[[gnu::noinline]] void count_plain_fetch(arguments a, int n) {
    for (int i = 0; i < n; ++i) results[0] = shmem_long_atomic_fetch_add(a.counters, 1, a.pe);
}

/// Atomic operations on consecutive elements.
[[gnu::noinline]] void count_plain_fetch_window(arguments a, int n) {
    for (int i = 0; i < n; ++i)
        for (std::size_t k = 0; k < a.window; ++k) results[k] = shmem_long_atomic_fetch_add(a.counters + k, 1, a.pe);
}

[[gnu::noinline]] void count_sonde_fetch(arguments a, int n) {
    measure(n, sonde::rma{sonde::shmem::no_completion{}, sonde::role::initiator, a.window,
                          sonde::shmem::fetch_add{a.pe, std::span{counters}, 1, std::span{results}}});
}

} // extern "C"

int main(int argc, char**) {
    for (std::size_t const window : {std::size_t{1}, many}) {
        arguments const a{into, from, counters, static_cast<std::size_t>(8 * argc), window, argc};
        for (auto* const loop : {count_plain_put, count_plain_put_window, count_sonde_put, count_plain_fetch,
                                 count_plain_fetch_window, count_sonde_fetch})
            for (int const n : {1, 1000, 2000}) loop(a, n);
    }
}
