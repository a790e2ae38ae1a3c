// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "tools/replay/trace/trace_reader.hpp"

#include <cstddef>
#include <vector>

namespace tools::replay {

/// A call of a rank in a pass of a loop. Its number in the pass is that of its row in the kept passes.
struct pass_call {
    step const* what = nullptr;
    bool follows_gap = false;             // passes of an inner loop before it are not kept
    std::vector<step const*> starts{};    // messages and collectives
    std::vector<std::size_t> completes{}; // calls of the pass that started what it completes
    bool waits = false;                   // it ends when other ranks have made their calls
};

/// The calls of a pass of a loop, as many passes of inner loops as are kept.
std::vector<pass_call> calls_of_pass(program const& run, step const& loop);

} // namespace tools::replay
