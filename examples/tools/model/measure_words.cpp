// SPDX-License-Identifier: BSL-1.0
#include "measure_words.hpp"

#include <sonde/environment.hpp>

#include <cstddef>

namespace tools::model {

namespace {

std::string what_is(measured what) {
    constexpr char const* all[] = {"Ping-pong of one pair", "Ping-pong of two pairs at once",
                                   "Ping-pong of several pairs at once", "Parametrised round trips of one pair"};
    return all[static_cast<std::size_t>(what)];
}

std::string on_one_node(measured what) {
    if (what == measured::multi)
        return "# Both pairs are on one node: the model is of two nodes' link, and does not apply to what is "
               "measured.\n";
    if (what == measured::max_rate)
        return "# All pairs are on one node: what they share is its memory, and no network interface.\n";
    return "";
}

std::string start_of(measure_request const& asked) {
    if (asked.model != measured::multi) return "";
    if (asked.start == starting::common) return "# Both pairs begin every sample together.\n";
    return "# Pairs begin together only before the warm-up of a sample; its time is that of the sum of bandwidths.\n";
}

std::string idle_of(places const& where, int ranks) {
    auto const idle = ranks - 2 * static_cast<int>(where.pairs.size());
    if (idle == 0) return "";
    return "# " + std::to_string(idle) +
           (idle == 1 ? " rank is in no pair and sleeps.\n" : " ranks are in no pair and sleep.\n");
}

} // namespace

std::string heading(measure_request const& asked, places const& where, int ranks) {
    auto const note = where.across ? "" : on_one_node(asked.model);
    return "# " + what_is(asked.model) + ": " + text_of(where) + "\n" + note + start_of(asked) + idle_of(where, ranks);
}

std::string closing(measure_request const& asked) {
    if (asked.out.empty()) return "then: again with --out FILE, for sonde-model fit FILE\n";
    return "then: sonde-model fit " + sonde::detail::shell_word(asked.out) + "\n";
}

} // namespace tools::model
