// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/cuda/event.hpp>
#include <sonde/group.hpp>
#include <sonde/pattern.hpp>
#include <sonde/time.hpp>

#include <cuda_runtime_api.h>

#include <cstddef>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

namespace sonde::cuda {

/// An event after every iteration, so that iterations of a batch have times of their own: the largest over ranks
/// of each (`slowest`) is what nccl-tests report with `-I 1`.
///
/// In a batch an iteration lasts from the end of the one before, the first from an event before it; called by itself,
/// each has an event before it. All events are there before the first. Iterations of the warm-up are left out. Throws
/// std::invalid_argument for none to keep.
template <Pattern P>
class iteration_events : public pattern_adaptor<P> {
public:
    /// Keeps the times of the latest `most` iterations; `on`: the stream into which the pattern puts its work.
    iteration_events(std::size_t most, cudaStream_t on, P pattern)
        : pattern_adaptor<P>{std::move(pattern)}, stream_{on}, begins_(most + 1), ends_(most + 1), first_(most + 1) {
        if (most == 0) throw std::invalid_argument{"sonde::cuda::iteration_events: needs an iteration to keep"};
    }

    void operator()() {
        begin();
        this->pattern_();
        end();
    }
    template <class F>
    void in_role(F f) {
        sonde::in_role(this->pattern_, [this, &f](auto&& iteration) {
            begin();
            f([this, &iteration] {
                iteration();
                end();
            });
        });
    }
    void warmed_up() {
        done_ = 0;
        sonde::warmed_up(this->pattern_);
    }

    /// Of the iterations since the warm-up, the latest `most` of them, in order; waits for the last.
    std::vector<seconds> times() const {
        auto const most = ends_.size() - 1;
        std::vector<seconds> all;
        for (auto i = done_ > most ? done_ - most : 0; i != done_; ++i) all.push_back(time(i));
        return all;
    }
    /// Of each the time of the rank that was slowest. Collective over the group, whose ranks made as many iterations,
    /// or none at all: an idle rank.
    template <Group G>
    std::vector<seconds> slowest(G& group) const {
        std::vector<double> counts;
        for (auto const t : times()) counts.push_back(t.count());
        auto most = static_cast<double>(counts.size());
        group.all_reduce(std::span<double>{&most, 1}, reduction::max);
        counts.resize(static_cast<std::size_t>(most)); // by times of 0, which are nobody's largest
        group.all_reduce(std::span<double>{counts.data(), counts.size()}, reduction::max);
        return {counts.begin(), counts.end()};
    }

private:
    std::size_t slot(std::size_t i) const { return i % ends_.size(); }
    void begin() {
        begins_[slot(done_)].record(stream_);
        first_[slot(done_)] = true;
    }
    void end() {
        ends_[slot(done_)].record(stream_);
        first_[slot(++done_)] = false;
    }
    seconds time(std::size_t i) const {
        auto const& begin = first_[slot(i)] ? begins_[slot(i)] : ends_[slot(i - 1)];
        return between(begin, ends_[slot(i)]);
    }

    cudaStream_t stream_;
    std::vector<event> begins_;
    std::vector<event> ends_;
    std::vector<bool> first_; // of a batch, so that the one before does not end where this begins
    std::size_t done_ = 0;
};

} // namespace sonde::cuda
