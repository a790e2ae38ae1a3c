// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/version.hpp>

namespace sonde {

/// Who learns the time of whom (HCA3: Hunold, Carpen-Amarie, Hierarchical clock synchronization in MPI, 2018):
/// `learn(from)` and `serve(to)` are called on one member of `members`, in the order of rounds. Member 0 never learns,
/// any other once, before it serves; log2 of the members rounds, and one for what is beyond a power of two.
template <class Learn, class Serve>
void along_tree(int me, int members, Learn learn, Serve serve) {
    int whole = 1;
    while (2 * whole <= members) whole *= 2;
    for (int distance = whole / 2; distance >= 1; distance /= 2) {
        if (me >= whole) break;
        if (me % (2 * distance) == 0) serve(me + distance);
        else if (me % (2 * distance) == distance) learn(me - distance);
    }
    if (me >= whole) learn(me - whole);
    else if (me + whole < members) serve(me + whole);
}

} // namespace sonde
