// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/patterns/overlapped.hpp>

#include <cstddef>

namespace imb::io {

/// An iteration begins an access; when all of a batch have begun comes the work, once for each, and then the wait for
/// all: IMB's overlap of non-blocking accesses.
template <sonde::Split S, sonde::Work W>
class begun_first {
public:
    begun_first(S& split, W& work) : split_{&split}, work_{&work} {}
    void operator()() {
        ++begun_;
        split_->start();
    }
    void complete() {
        for (; begun_ != 0; --begun_) (*work_)();
        split_->finish();
        split_->complete();
    }
    sonde::traffic moves() const { return split_->moves(); }

private:
    S* split_;
    W* work_;
    std::size_t begun_ = 0;
};

} // namespace imb::io
