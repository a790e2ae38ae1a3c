// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../../common/refusal.hpp"

#include <sonde/mpi/group.hpp>
#include <sonde/pattern.hpp>

#include <exception>
#include <string>
#include <utility>

namespace imb::io {

/// What first went wrong with a file on this rank: kept until all ranks are where they can be told, since they wait for
/// each other meanwhile. A full disk ends a program in one line, and its files go.
class failure_note {
public:
    explicit failure_note(std::string file) : file_{std::move(file)} {}

    template <class F>
    void in(F&& f) {
        try {
            f();
        } catch (std::exception const& e) {
            if (text_.empty()) text_ = file_ + ": " + e.what();
        }
    }
    /// Throws common::refusal on all ranks where something went wrong on any. Collective.
    void agree(sonde::mpi::group const& ranks) const { common::agree(ranks, text_); }

private:
    std::string file_;
    std::string text_;
};

/// A pattern that goes on when it fails, as the other ranks do.
template <sonde::Pattern P>
class going_on {
public:
    going_on(P& pattern, failure_note& failed) : pattern_{&pattern}, failed_{&failed} {}
    void operator()() {
        failed_->in([this] { (*pattern_)(); });
    }
    void complete() {
        failed_->in([this] { sonde::complete(*pattern_); });
    }
    sonde::traffic moves() const { return sonde::moves(*pattern_); }

private:
    P* pattern_;
    failure_note* failed_;
};

} // namespace imb::io
