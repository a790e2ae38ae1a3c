// SPDX-License-Identifier: BSL-1.0
#include "tools/replay/trace/kept_passes.hpp"

#include <algorithm>
#include <utility>

namespace tools::replay {

void kept_passes::add(std::uint64_t number, std::vector<pass_times> times) {
    if (passes_.size() == 2 * chosen) { // every second block makes room for later ones
        stride_ *= 2;
        passes_.erase(std::remove_if(passes_.begin(), passes_.end(), [&](kept_pass const& p) { return !wants(p.number); }),
                      passes_.end());
        if (!wants(number)) return;
    }
    passes_.push_back({number, std::move(times)});
}

std::vector<std::vector<pass_times> const*> kept_passes::choice() const {
    std::vector<std::vector<pass_times> const*> found;
    if (passes_.empty()) return found;
    auto const blocks = passes_.size() / block; // complete ones
    for (std::size_t i = 0; i != chosen; ++i) {
        auto const from = i / block * blocks / (chosen / block) * block; // of the block
        found.push_back(&passes_[passes_.size() < chosen ? i % passes_.size() : from + i % block].times);
    }
    return found;
}

} // namespace tools::replay
