// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "counts.hpp"
#include "lines.hpp"
#include "stage.hpp"
#include "teams.hpp"
#include "trial.hpp"

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace imb {

/// A benchmark with so many processes in one mode: sizes one after the other. All is collective over the world.
class course {
public:
    course(stage& on, benchmark const& test, mode in, teams& ranks);

    /// False: a size could not be measured, and the benchmark ends for good.
    bool run();

private:
    struct need {
        std::size_t bytes; // the size
        lengths of_one;
        space all;
    };

    bool one_size(need const& n);
    need need_of(std::size_t bytes) const;
    failure begin(need const& n, std::optional<trial>& into);
    failure agree(failure mine) const;
    failure watch() const;
    void show(need const& n, std::optional<trial>& one, std::size_t repetitions);
    void together(std::optional<trial>& one, std::function<void(trial&)> const& step) const;
    void pause(std::optional<trial> const& one) const;
    std::vector<finding> gather(finding const& mine) const;

    stage& on_;
    benchmark const& test_;
    mode mode_;
    teams& ranks_;
    counts counts_;
    lines table_;
    std::shared_ptr<void> kept_;
    sonde::seconds begun_;
};

} // namespace imb
