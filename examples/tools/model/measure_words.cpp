// SPDX-License-Identifier: BSL-1.0
#include "measure_words.hpp"

#include <sonde/environment.hpp>

#include <cstddef>
#include <sstream>

namespace tools::model {

namespace {

std::string what_is(kind what) {
    constexpr char const* all[] = {"Ping-pong of one pair", "Ping-pong of two pairs at once",
                                   "Ping-pong of several pairs at once", "Parametrised round trips of one pair"};
    return all[static_cast<std::size_t>(what)];
}

std::string start_of(measure_request const& asked) {
    if (asked.model != kind::multi) return "";
    if (asked.start == starting::common) return "# Both pairs begin every sample together.\n";
    return "# Pairs begin together only before the warm-up of a sample; its time is that of the sum of bandwidths.\n";
}

std::string idle_of(places const& where, int ranks) {
    auto const idle = ranks - 2 * static_cast<int>(where.pairs.size());
    if (idle == 0) return "";
    return "# " + std::to_string(idle) +
           (idle == 1 ? " rank is in no pair and sleeps.\n" : " ranks are in no pair and sleep.\n");
}

/// Each point once, whichever of its records were late.
std::string late_of(measure_request const& asked, std::vector<task> const& late) {
    std::string points;
    for (std::size_t i = 0; i != late.size(); ++i) {
        if (i != 0 && late[i] == late[i - 1]) continue;
        points += (points.empty() ? "" : ", ") + std::to_string(late[i].bytes);
        if (asked.model == kind::max_rate) points += " by " + std::to_string(late[i].pairs);
    }
    if (points.empty()) return "";
    std::ostringstream precision;
    precision << asked.precision;
    return "# Less precise than --precision " + precision.str() + " when their time was over: " + points +
           (asked.model == kind::max_rate ? " (bytes by pairs)\n" : " bytes\n");
}

std::string next_step(measure_request const& asked) {
    if (asked.out.empty()) return "then: again with --out FILE, for sonde-model fit FILE\n";
    return "then: sonde-model fit " + sonde::detail::shell_word(asked.out) + "\n";
}

} // namespace

std::string on_one_node(kind what) {
    if (what == kind::multi)
        return "Both pairs are on one node: the model is of two nodes' link, and does not apply to what is measured.";
    if (what == kind::max_rate)
        return "All pairs are on one node: what they share is its memory, and no network interface.";
    return "";
}

std::string heading(measure_request const& asked, places const& where, int ranks) {
    auto const said = where.across ? "" : on_one_node(asked.model);
    auto const note = said.empty() ? "" : "# " + said + "\n";
    return "# " + what_is(asked.model) + ": " + text_of(where) + "\n" + note + start_of(asked) + idle_of(where, ranks);
}

std::string closing(measure_request const& asked, std::vector<task> const& late) {
    return late_of(asked, late) + next_step(asked);
}

} // namespace tools::model
