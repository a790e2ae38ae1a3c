// SPDX-License-Identifier: BSL-1.0

// Patterns that compute, called in the order that kept_work.py expects.

#include <sonde/group.hpp>
#include <sonde/measure/run.hpp>
#include <sonde/pattern/do_not_optimize.hpp>

#include <array>
#include <chrono>
#include <cstddef>

namespace {

constexpr std::size_t length = 1000, stride = 8;
std::array<int, length> values{};
std::array<double, length * stride> field{};
int last = 0;
int volatile sink = 0;

/// A clock of constant cost, which cancels in the difference of two numbers of iterations.
struct constant_clock {
    std::chrono::nanoseconds now() const { return {}; }
    sonde::clock_properties properties() const { return {}; }
};

template <class F>
[[gnu::always_inline]] inline void measure(int n, F pattern) {
    sonde::single_rank group;
    auto const plan = sonde::plan<>{}.warmup(0).batch(static_cast<std::size_t>(n)).until(sonde::samples{1});
    (void)sonde::run(group, plan.synchronized(sonde::no_sync{}).timed_by(constant_clock{}), pattern);
}

[[gnu::always_inline]] inline int sum() {
    int all = 0;
    for (auto const v : values) all += v;
    return all;
}

[[gnu::always_inline]] inline std::array<double, length> pack() {
    std::array<double, length> packed; // NOLINT: every element is set
    for (std::size_t i = 0; i != length; ++i) packed[i] = field[i * stride];
    return packed;
}

// Not in the functions that are counted: callgrind would take them for such functions by their names.
constexpr auto unused = [] { (void)sum(); };
constexpr auto stored = [] { sink = sum(); };
constexpr auto kept = [] {
    auto all = sum();
    sonde::do_not_optimize(all);
};
constexpr auto kept_constant = [] { sonde::do_not_optimize(sum()); };
constexpr auto kept_pack = [] { sonde::do_not_optimize(pack()); };
constexpr auto kept_stores = [] {
    for (std::size_t i = 0; i != length; ++i) {
        last = static_cast<int>(i);
        sonde::clobber_memory();
    }
};

} // namespace

extern "C" {

[[gnu::noinline]] void count_unused_sum(int n) { measure(n, unused); }
[[gnu::noinline]] void count_stored_sum(int n) { measure(n, stored); }
[[gnu::noinline]] void count_sum(int n) { measure(n, kept); }
[[gnu::noinline]] void count_constant_sum(int n) { measure(n, kept_constant); }
[[gnu::noinline]] void count_pack(int n) { measure(n, kept_pack); }
[[gnu::noinline]] void count_stores(int n) { measure(n, kept_stores); }

} // extern "C"

int main() {
    sonde::do_not_optimize(values); // contents that the compiler does not know
    sonde::do_not_optimize(field);
    for (auto* const count :
         {count_unused_sum, count_stored_sum, count_sum, count_constant_sum, count_pack, count_stores})
        for (int const n : {1, 100, 200}) count(n);
    return last == 0 ? 1 : 0;
}
