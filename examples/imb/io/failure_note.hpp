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
class going_on : public sonde::pattern_adaptor<going_on<P>, P&> {
public:
    going_on(P& pattern, failure_note& failed) : going_on::pattern_adaptor{pattern}, failed_{&failed} {}
    void iterate(auto& pattern) { failed_->in(pattern); }
    void complete() {
        failed_->in([this] { sonde::complete(this->pattern_); });
    }

private:
    failure_note* failed_;
};

} // namespace imb::io
