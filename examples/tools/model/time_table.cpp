// SPDX-License-Identifier: BSL-1.0
#include "time_table.hpp"

#include "aligned.hpp"
#include "quantity.hpp"

#include <sonde/report/text.hpp>

namespace tools::model {

namespace {

/// What tells an occasion from others of this model.
cells titles(kind k) {
    cells line{"bytes"};
    if (k == kind::max_rate) line.push_back("pairs");
    if (k == kind::multi) line.push_back("repetitions");
    if (k == kind::log_gp) line.push_back("messages");
    return line;
}

cells settings(kind k, occasion const& at) {
    cells line{sonde::detail::fixed(at.bytes, 0)};
    if (k == kind::max_rate) line.push_back(sonde::detail::fixed(at.pairs, 0));
    if (k == kind::multi) line.push_back(sonde::detail::fixed(at.repetitions, 0));
    if (k == kind::log_gp) line.push_back(sonde::detail::fixed(at.messages, 0));
    return line;
}

std::string time_text(sonde::seconds t) { return quantity(t.count(), "s"); }
std::string rate_text(occasion const& at, sonde::seconds t, kind k) { return quantity(bandwidth(at, t, k), "B/s"); }

std::string signed_percent(double part) {
    auto const text = sonde::detail::fixed(100 * part, 2).append(" %");
    return part < 0 ? text : '+' + text;
}

} // namespace

std::vector<std::string> time_table(fit_result const& f) {
    std::vector<cells> table{titles(f.which)};
    table[0].insert(table[0].end(), {"measured", "model", "difference", "bandwidth", "of model"});
    for (auto const& o : f.data) {
        auto const t = f.time(o.at);
        auto line = settings(f.which, o.at);
        line.insert(line.end(),
                    {time_text(o.measured), t ? time_text(*t) : "-", t ? signed_percent(*t / o.measured - 1) : "-",
                     rate_text(o.at, o.measured, f.which), t ? rate_text(o.at, *t, f.which) : "-"});
        table.push_back(line);
    }
    return aligned(table);
}

std::vector<std::string> prediction_table(kind which, std::vector<observation> const& times) {
    std::vector<cells> table{titles(which)};
    table[0].insert(table[0].end(), {"time", "bandwidth"});
    for (auto const& o : times) {
        auto line = settings(which, o.at);
        line.insert(line.end(), {time_text(o.measured), rate_text(o.at, o.measured, which)});
        table.push_back(line);
    }
    return aligned(table);
}

} // namespace tools::model
