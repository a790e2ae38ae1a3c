// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "options.hpp"

namespace osu {

/// How many threads or processes there are on each side.
struct crew_sizes {
    int senders;
    int receivers;
};

/// What osu_latency_mt has without `-t`.
constexpr crew_sizes thread_crew{1, 2};

/// What `-t` says; with `-t N` that are N receivers, and as many senders as the program has then.
inline crew_sizes crew_of(options const& asked, crew_sizes by_default, int senders_then) {
    if (!asked.several) return by_default;
    return {asked.several->senders.value_or(senders_then), asked.several->receivers};
}

} // namespace osu
