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
    /// Without sizes the first column begins the line, as wide as its title.
    table(int rank, std::vector<column> columns, bool sized = true, std::string suffix = {})
        : speaks_{rank == 0}, sized_{sized}, columns_{std::move(columns)}, suffix_{std::move(suffix)} {}

    void line(std::string text) {
        if (speaks_) out_.line(std::move(text));
    }
    void title(program const& about) {
        if (about.blank_line) line("");
        line(title_of(about, suffix_));
    }
    void datatype(std::string const& name) { line("# Datatype: " + name + "."); }
    void titles() {
        auto text = sized_ ? left("# Size") : first_title();
        for (auto c = others(); c != columns_.end(); ++c) text += c->title;
        line(std::move(text));
    }
    void row(std::size_t size, finding const& found) {
        auto text = sized_ ? left(std::to_string(size)) : first_value(found);
        for (auto c = others(); c != columns_.end(); ++c) text += c->text(found);
        line(std::move(text));
    }

    /// In ten characters, or more where it does not fit.
    static std::string left(std::string text, std::size_t width = 10) {
        if (text.size() < width) text.resize(width, ' ');
        return text;
    }
    /// The suffix, which says where buffers are, stands behind the second word: "OSU MPI-CUDA Latency Test".
    static std::string title_of(program const& about, std::string const& suffix = {}) {
        auto text = about.title;
        auto const second = text.find(' ') + 1;
        return "# " + text.insert(text.find(' ', second), suffix) + " v7.4";
    }

private:
    static std::string trimmed(std::string const& cell) { return cell.substr(cell.find_first_not_of(' ')); }
    std::vector<column>::const_iterator others() const { return columns_.begin() + (sized_ ? 0 : 1); }
    std::string first_title() const { return "# " + trimmed(columns_.front().title); }
    std::string first_value(finding const& found) const {
        return right(trimmed(columns_.front().text(found)), static_cast<int>(first_title().size()));
    }

    bool speaks_;
    bool sized_;
    std::vector<column> columns_;
    std::string suffix_;
    sonde::output_file out_{stdout};
};

} // namespace osu
