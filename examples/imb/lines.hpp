// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "parcel.hpp"
#include "space.hpp"
#include "stage.hpp"
#include "table.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace imb {

/// The table of a benchmark with so many processes in one mode, printed and reported as lines come. World rank 0
/// speaks.
class lines {
public:
    lines(stage& on, benchmark const& test, mode in, std::vector<std::vector<int>> const& groups);

    /// What the groups found of a size: a line, or one for each group.
    void show(std::size_t bytes, std::vector<finding> const& groups);
    /// Why there is no more.
    void show(failure why, std::size_t bytes, std::size_t bytes_needed);

private:
    void head(bool defects);
    void line(std::string const& group, std::size_t bytes, std::vector<finding> const& found) const;
    bool by_group() const { return on_.asked.multi.value_or(-1) > 0; }

    stage& on_;
    benchmark const& test_;
    mode mode_;
    std::vector<std::vector<int>> const& groups_;
    columns shows_;
    bool headed_ = false;
};

} // namespace imb
