// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "columns.hpp"

#include <sonde/report/file.hpp>

#include <cstdio>
#include <string>
#include <utility>
#include <vector>

namespace osu {

/// OMB's text on stdout: a line is there, whole, when the call returns. Silent but on rank 0.
class table {
public:
    table(int rank, std::vector<column> columns) : speaks_{rank == 0}, columns_{std::move(columns)} {}

    void line(std::string text) {
        if (speaks_) out_.line(std::move(text));
    }
    void title(program const& about) {
        if (about.blank_line) line("");
        line(title_of(about));
    }
    void datatype(std::string const& name) { line("# Datatype: " + name + "."); }
    void titles() {
        auto text = left("# Size");
        for (auto const& c : columns_) text += c.title;
        line(std::move(text));
    }
    void row(std::size_t size, sonde::record const& found) {
        auto text = left(std::to_string(size));
        for (auto const& c : columns_) text += c.text(found);
        line(std::move(text));
    }

    /// In ten characters, or more where it does not fit.
    static std::string left(std::string text, std::size_t width = 10) {
        if (text.size() < width) text.resize(width, ' ');
        return text;
    }
    static std::string title_of(program const& about) { return std::string{"# "} + about.title + " v7.4"; }

private:
    bool speaks_;
    std::vector<column> columns_;
    sonde::output_file out_{stdout};
};

} // namespace osu
