// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/pattern.hpp>

namespace imb::mt {

/// How far partners, or neighbours in a ring, are apart: `-stride`, where 0 is half of the ranks.
inline int distance(int stride, int ranks) { return stride == 0 ? ranks / 2 : stride; }

/// Blocks of so many ranks: each even one initiates, the next responds; the ranks of a last one without a whole partner
/// are idle, and all are where the stride is more than half of the ranks.
inline sonde::pairing pair_by_stride(int rank, int ranks, int stride) {
    auto const apart = distance(stride, ranks);
    if (apart <= 0 || apart > ranks / 2) return {};
    auto const block = rank / apart;
    if (block / 2 == ranks / (2 * apart)) return {};
    if (block % 2 == 0) return {sonde::role::initiator, rank + apart};
    return {sonde::role::responder, rank - apart};
}

} // namespace imb::mt
