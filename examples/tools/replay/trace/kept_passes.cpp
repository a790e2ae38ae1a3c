// SPDX-License-Identifier: BSL-1.0
#include "tools/replay/trace/kept_passes.hpp"

#include <algorithm>

namespace tools::replay {

void kept_passes::add(std::uint64_t pass, std::span<pass_times const> times) {
    if (numbers_.size() == 2 * chosen) { // every second block makes room for later ones
        stride_ *= 2;
        std::size_t kept = 0;
        for (std::size_t i = 0; i != numbers_.size(); ++i) {
            if (!wants(numbers_[i])) continue;
            auto const from = row_at(i);
            std::copy(from.begin(), from.end(), times_.begin() + static_cast<std::ptrdiff_t>(kept * width_));
            numbers_[kept++] = numbers_[i];
        }
        numbers_.resize(kept);
        times_.resize(kept * width_);
        if (!wants(pass)) return;
    }
    width_ = times.size();
    numbers_.push_back(pass);
    times_.insert(times_.end(), times.begin(), times.end());
}

std::size_t kept_passes::chosen_place(std::size_t i, std::size_t kept) {
    if (kept < chosen) return i % kept;
    auto const blocks = kept / block; // complete ones
    return i / block * blocks / (chosen / block) * block + i % block;
}

std::vector<kept_passes::row> kept_passes::choice() const {
    std::vector<row> found;
    for (std::size_t i = 0; i != chosen && !numbers_.empty(); ++i)
        found.push_back(row_at(chosen_place(i, numbers_.size())));
    return found;
}

std::vector<std::uint64_t> kept_passes::chosen_numbers(std::uint64_t passes) {
    std::uint64_t stride = block;
    auto const kept = [&] { return passes / stride * block + std::min<std::uint64_t>(passes % stride, block); };
    while (kept() > 2 * chosen) stride *= 2;
    std::vector<std::uint64_t> found;
    for (std::size_t i = 0; i != std::min<std::uint64_t>(passes, chosen); ++i) {
        auto const place = chosen_place(i, static_cast<std::size_t>(kept()));
        found.push_back(place / block * stride + place % block);
    }
    return found;
}

std::vector<kept_passes::row> kept_passes::choice_inside(std::uint64_t passes) const {
    std::vector<row> found;
    auto const n = passes_inside(passes);
    for (std::size_t i = 0; i != n; ++i) found.push_back(row_at(i * numbers_.size() / n));
    return found;
}

} // namespace tools::replay
