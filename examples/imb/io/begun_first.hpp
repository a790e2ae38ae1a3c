// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/overlap.hpp>

#include <cstddef>
#include <exception>

namespace imb::io {

/// An iteration begins an access; when all of a batch have begun comes the work, once for each, and then the wait for
/// all: IMB's overlap of non-blocking accesses.
template <sonde::NonblockingOperation S, sonde::Work W>
class begun_first {
public:
    begun_first(S& split, W& work) : split_{&split}, work_{&work} {}
    void operator()() {
        ++begun_;
        split_->start();
    }
    void complete() {
        for (; begun_ != 0; --begun_) (*work_)();
        std::exception_ptr wrong;
        auto const goes_on = [&wrong](auto step) { // whatever a step says: the other ranks are in the next
            try {
                step();
            } catch (...) {
                if (!wrong) wrong = std::current_exception();
            }
        };
        goes_on([this] { split_->wait(); });
        goes_on([this] { split_->complete(); });
        if (wrong) std::rethrow_exception(wrong);
    }
    sonde::traffic moves() const { return split_->moves(); }

private:
    S* split_;
    W* work_;
    std::size_t begun_ = 0;
};

} // namespace imb::io
