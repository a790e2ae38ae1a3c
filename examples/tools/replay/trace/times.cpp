// SPDX-License-Identifier: BSL-1.0
#include "tools/replay/trace/times.hpp"

#include <algorithm>

namespace tools::replay {

void times::add(std::chrono::nanoseconds time) {
    if (count_ == 1 && !all_) {
        all_ = std::make_unique<histogram>();
        all_->add(sum_);
    }
    if (all_) all_->add(time);
    sum_ += time;
    ++count_;
}

times& times::operator+=(times const& more) {
    if (more.count_ == 0) return *this;
    if (!all_) {
        all_ = std::make_unique<histogram>();
        if (count_ == 1) all_->add(sum_);
    }
    if (more.all_) *all_ += *more.all_;
    else all_->add(more.sum_);
    sum_ += more.sum_;
    count_ += more.count_;
    return *this;
}

times::slices times::means() const {
    slices found{};
    if (count_ == 0) return found;
    if (!all_) {
        found.fill(sum_.count());
        return found;
    }
    auto const size = static_cast<double>(count_) / slice_count;
    std::size_t slice = 0;
    double room = size, total = 0;
    all_->for_each([&](sonde::seconds time, std::uint64_t n) {
        for (auto left = static_cast<double>(n); left > 0;) {
            auto const part = slice + 1 == slice_count ? left : std::min(left, room);
            found[slice] += part * time.count();
            total += part * time.count();
            left -= part;
            room -= part;
            if (room <= 0 && slice + 1 != slice_count) {
                ++slice;
                room += size;
            }
        }
    });
    auto const exact = total > 0 ? sum_.count() / total : 1; // midpoints of buckets, scaled to the sum
    for (auto& mean : found) mean *= exact / size;
    return found;
}

} // namespace tools::replay
