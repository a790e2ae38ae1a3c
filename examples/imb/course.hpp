// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "component.hpp"
#include "counts.hpp"
#include "reports.hpp"
#include "table.hpp"
#include "teams.hpp"
#include "trial.hpp"
#include "types.hpp"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace imb {

/// What all benchmarks of a launch share.
struct stage {
    component const& about;
    options const& asked;
    sonde::mpi::group const& world;
    element_type const& data;
    element_type const& reduced;
    reports& report;      // of world rank 0
    bool defects = false; // have contents been wrong anywhere? As world rank 0 knows

    /// A text of whole lines, there when the call returns: a job that is killed leaves what it measured.
    void say(std::string const& text) const;
};

/// A benchmark with so many processes in one mode: sizes one after the other, each a line of a table as it comes.
class course {
public:
    course(stage& on, benchmark const& test, mode in, teams& ranks);

    /// Collective over the world. False: a size could not be measured, and the benchmark ends for good.
    bool run();

private:
    bool one_size(std::size_t bytes);
    failure begin(std::size_t bytes, space const& needed, std::size_t most, std::optional<trial>& into);
    failure agree(failure mine) const;
    void pause(std::optional<trial> const& one) const;
    std::vector<finding> gather(finding const& mine) const;
    void head(bool defects);
    void show(std::size_t bytes, std::vector<finding> const& groups);
    void row(std::string const& group, std::size_t bytes, std::size_t n, std::vector<finding> const& found) const;
    void show_failure(failure why, std::size_t bytes, std::size_t needed);
    bool by_group() const { return on_.asked.multi.value_or(-1) > 0; }

    stage& on_;
    benchmark const& test_;
    mode mode_;
    teams& ranks_;
    counts counts_;
    columns shows_;
    std::shared_ptr<void> kept_;
    sonde::seconds begun_;
    bool headed_ = false;
};

} // namespace imb
