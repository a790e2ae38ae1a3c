// SPDX-License-Identifier: BSL-1.0
#include "imb_columns.hpp"

#include <algorithm>

namespace tools::model {

namespace {

std::optional<std::size_t> place(std::vector<std::string> const& titles, std::string const& title) {
    auto const found = std::find(titles.begin(), titles.end(), title);
    if (found == titles.end()) return std::nullopt;
    return static_cast<std::size_t>(found - titles.begin());
}

std::size_t required(text_lines const& in, std::size_t line, std::vector<std::string> const& titles,
                     std::string const& title) {
    auto const found = place(titles, title);
    if (!found) in.fail(line, "no column '" + title + "': missing, or in another unit");
    return *found;
}

/// Bytes per microsecond as printed, to be those of the time, or up to `slowest` times less: that of the slowest pair,
/// where the time is the mean over pairs.
void check_bandwidth(text_lines const& in, std::size_t line, double printed, double expected, double slowest) {
    auto const says = [&](char const* what) { in.fail(line, std::string{"Mbytes/sec: "} + what); };
    if (printed == 0 && expected >= 0.02 * slowest) says("zero, where the time says otherwise");
    if (expected >= 1 && (printed > 1.1 * expected || printed < 0.9 * expected / slowest))
        says("contradicts the time: is one in another unit?");
}

} // namespace

bool is_imb_columns(std::vector<std::string> const& words) {
    return !words.empty() &&
           (words[0] == "#bytes" || (words[0] == "Group" && words.size() > 1 && words[1] == "#bytes"));
}

imb_columns columns_of(text_lines const& in, std::size_t line, std::vector<std::string> const& titles, timed what) {
    imb_columns c;
    c.count = titles.size();
    c.group = place(titles, "Group");
    c.repetitions = required(in, line, titles, "#repetitions");
    c.bandwidth = required(in, line, titles, "Mbytes/sec");
    c.of_all_pairs = place(titles, "Msg/sec").has_value();
    if (what == timed::window) c.rate = required(in, line, titles, "Msg/sec");
    else c.time = place(titles, "t_max[usec]") ? place(titles, "t_max[usec]") : required(in, line, titles, "t[usec]");
    return c;
}

sonde::seconds time_of(imb_columns const& columns, text_lines const& in, std::size_t line, double size,
                       std::vector<std::string> const& words, double messages) {
    auto const t = columns.time ? positive(in, line, words[*columns.time], "t[usec]") * 1e-6
                                : messages / positive(in, line, words[*columns.rate], "Msg/sec");
    auto const slowest = columns.time ? messages : 1; // a mean over n pairs is at least an n-th of the slowest
    check_bandwidth(in, line, at_least_zero(in, line, words[columns.bandwidth], "Mbytes/sec"),
                    messages * size / t * 1e-6, slowest);
    return sonde::seconds{t};
}

sonde::seconds resolution_of(imb_columns const& columns, std::vector<std::string> const& words) {
    return columns.time ? sonde::seconds{half_a_digit(words[*columns.time]) * 1e-6} : sonde::seconds{};
}

} // namespace tools::model
