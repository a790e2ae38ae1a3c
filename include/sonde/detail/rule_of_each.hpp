// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/comparison.hpp>
#include <sonde/detail/view.hpp>
#include <sonde/stop.hpp>
#include <sonde/time.hpp>

#include <cstddef>
#include <vector>

namespace sonde::detail {

/// A plan's rule, asked about each alternative beside the base; content once it was content with each. What it sees of
/// one is the ratios of the base's times to its own, and of a base alone the base's times: as many as the records hold.
template <StoppingRule R>
class rule_of_each {
public:
    bool uniform;

    /// Of each alternative the times that the next look is at; they must outlive this.
    rule_of_each(R const& rule, std::vector<std::vector<seconds>> const& block, std::size_t most)
        : uniform{sonde::is_uniform(rule)}, block_{&block}, most_{most},
          asked_(block.size() == 1 ? 1 : block.size() - 1, {own_looks{rule}, {}, false}) {}

    std::size_t next(std::size_t n) const {
        std::size_t least = 0;
        for (auto const& one : asked_) {
            auto const wanted = one.content ? 0 : one.rule.next(n);
            if (wanted != 0 && (least == 0 || wanted < least)) least = wanted;
        }
        return least;
    }
    verdict operator()(look const& seen) {
        verdict all{true, stop_reason::none};
        for (std::size_t i = 0; i != asked_.size(); ++i) {
            auto& one = asked_[i];
            if (one.content) continue;
            auto const block = ratios_of(i + 1);
            hold(block, one.held);
            auto const said = one.rule(part(seen, block, one.held));
            one.content = said.stop;
            all = {all.stop && said.stop, said.why};
        }
        return all;
    }

private:
    struct asked {
        own_looks<R> rule;
        std::vector<seconds> held;
        bool content;
    };

    std::vector<seconds> ratios_of(std::size_t alternative) const {
        auto const& base = block_->front();
        if (block_->size() == 1) return base;
        std::vector<seconds> found;
        for (std::size_t i = 0; i != base.size(); ++i) found.emplace_back(ratio(base[i], (*block_)[alternative][i]));
        return found;
    }
    void hold(std::vector<seconds> const& block, std::vector<seconds>& held) const {
        for (std::size_t i = 0; i != block.size() && held.size() < most_; ++i) held.push_back(block[i]);
    }
    /// A clock's step in times is none of the same size in their ratios: those have no resolution of their own.
    look part(look of, std::vector<seconds> const& block, std::vector<seconds> const& held) const {
        of.block = from(block);
        of.series = from(held);
        if (block_->size() != 1) of.resolution = {};
        return of;
    }

    std::vector<std::vector<seconds>> const* block_;
    std::size_t most_;
    std::vector<asked> asked_;
};

} // namespace sonde::detail
