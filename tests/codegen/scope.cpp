// SPDX-License-Identifier: BSL-1.0

// Passes of a scope of a probe, called in the order that scope.py expects.

#include <sonde/probe.hpp>
#include <sonde/timeline.hpp>

#include <chrono>

namespace {

long long volatile now_ns = 0;

/// A clock of one load.
struct loaded_clock {
    std::chrono::nanoseconds now() const { return std::chrono::nanoseconds{now_ns}; }
};

sonde::basic_scope<loaded_clock>::pass split;

} // namespace

extern "C" {

[[gnu::noinline]] void count_pass(sonde::basic_scope<loaded_clock>& scope, int n) {
    for (int i = 0; i < n; ++i) auto const pass = scope.enter();
}

[[gnu::noinline]] void count_recorded_pass(sonde::basic_scope<loaded_clock>& scope, int n) {
    for (int i = 0; i < n; ++i) auto const pass = scope.enter();
}

[[gnu::noinline]] void count_kept_pass(sonde::basic_scope<loaded_clock>& scope, int n) {
    for (int i = 0; i < n; ++i) auto const pass = scope.enter();
}

[[gnu::noinline]] void count_shown_pass(sonde::basic_scope<loaded_clock>& scope, int n) {
    for (int i = 0; i < n; ++i) auto const pass = scope.enter();
}

/// The pass is begun and ended by calls that the compiler does not see together.
[[gnu::noinline]] void begin_pass(sonde::basic_scope<loaded_clock>& scope) { split = scope.enter(); }
[[gnu::noinline]] void end_pass() { split.end(); }
[[gnu::noinline]] void count_split_pass(sonde::basic_scope<loaded_clock>& scope, int n) {
    for (int i = 0; i < n; ++i) begin_pass(scope), end_pass();
}

} // extern "C"

int main() {
    sonde::timeline timeline{{.events = 512}};
    sonde::basic_probe<loaded_clock> plain, recorded, shown;
    sonde::scope_table table; // as that of the recorder of sonde-replay, or of a monitor
    shown.publish_in(table);
    recorded.record_in(timeline.add_track("main"));
    for (int const n : {1, 10000, 20000}) count_pass(plain.scope("work"), n);
    for (int const n : {1, 10000, 20000}) count_recorded_pass(recorded.scope("work"), n);
    for (int const n : {1, 10000, 20000}) count_kept_pass(plain.exchange("exchange"), n);
    for (int const n : {1, 10000, 20000}) count_shown_pass(shown.scope("work"), n);
    for (int const n : {1, 10000, 20000}) count_split_pass(plain.scope("work"), n);
}
