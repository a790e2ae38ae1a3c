// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/pattern.hpp>
#include <sonde/time.hpp>

#include <cstddef>

namespace sonde {

/// Two readings of a clock, around something; as seconds, how long that took.
template <class Reading>
struct stretch {
    Reading begin;
    Reading end;
    operator seconds() const { return end - begin; }
};
template <class Reading>
stretch(Reading, Reading) -> stretch<Reading>;

/// The only timed code in the library. Not inlined: a pattern runs the same machine code wherever it is measured, with
/// registers of its own; copies of a short loop at other addresses can differ twofold.
template <Clock C, Pattern P>
[[gnu::noinline]] auto time_batch(C& clock, P& pattern, std::size_t n) {
    auto const begin = clock.now();
    sonde::in_role(pattern, [n](auto&& iteration) {
        for (std::size_t i = 0; i != n; ++i) iteration();
    });
    sonde::complete(pattern);
    auto const end = clock.now();
    return stretch{begin, end};
}

} // namespace sonde
