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
/// one is the ratios of the base's times to its own, and of a base alone the base's times.
template <StoppingRule R>
class rule_of_each {
public:
    bool uniform;

    /// Of each alternative the times that the next look is at; they must outlive this.
    rule_of_each(R const& rule, std::vector<std::vector<seconds>> const& block)
        : uniform{is_uniform(rule)}, block_{&block},
          asked_(block.size() == 1 ? 1 : block.size() - 1, {rule, {}, false}) {}

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
            append_ratios(i + 1, one.ratios);
            if (one.content) continue;
            auto const said = one.rule(part(seen, one.ratios));
            one.content = said.stop;
            all = {all.stop && said.stop, said.why};
        }
        return all;
    }

private:
    struct asked {
        R rule;
        std::vector<seconds> ratios;
        bool content;
    };

    void append_ratios(std::size_t alternative, std::vector<seconds>& to) const {
        auto const& base = block_->front();
        for (std::size_t i = 0; i != base.size(); ++i)
            to.push_back(block_->size() == 1 ? base[i] : seconds{ratio(base[i], (*block_)[alternative][i])});
    }
    /// A clock's step in times is none of the same size in their ratios: those have no resolution of their own.
    look part(look of, std::vector<seconds> const& ratios) const {
        of.block = from(ratios, ratios.size() - block_->front().size());
        of.series = from(ratios);
        if (block_->size() != 1) of.resolution = {};
        return of;
    }

    std::vector<std::vector<seconds>> const* block_;
    std::vector<asked> asked_;
};

} // namespace sonde::detail
