// SPDX-License-Identifier: BSL-1.0
#include "launch_text.hpp"

#include "collect.hpp"
#include "differences.hpp"
#include "side.hpp"

#include <sonde/environment.hpp>
#include <sonde/report/text.hpp>

namespace tools {

namespace {

constexpr std::size_t for_an_interval = 6; // 2 / 2^6 is at most 5 %

std::string numbered(launch_count const& so_far, std::size_t number) {
    return "launch " + std::to_string(number) + " of " + std::to_string(so_far.asked);
}

std::string in_seconds(sonde::seconds t) {
    return sonde::detail::fixed(t.count(), t < sonde::seconds{10} ? 1 : 0) + " s";
}

std::string left(launch_count const& so_far) {
    if (so_far.done == so_far.asked) return {};
    auto const each = so_far.total / static_cast<double>(so_far.done);
    return "; about " + in_seconds(each * static_cast<double>(so_far.asked - so_far.done)) + " left";
}

} // namespace

std::string title_of(launch_count const& so_far) { return numbered(so_far, so_far.done + 1); }

std::string line_of(launch_count const& so_far, ending const& e, std::size_t records) {
    auto const title = numbered(so_far, so_far.done);
    auto const took = in_seconds(e.wall), kept = counted(records, "record");
    if (!e.well()) return title + " failed with " + outcome(e) + " after " + took + "; " + kept + " kept";
    if (records == 0)
        return title + " left no record: does the program take --report json=FILE? Where it takes the file in another "
                       "way, write {json} in its place";
    return title + ": " + took + ", " + kept + left(so_far);
}

std::string too_few(std::size_t launches) {
    if (launches >= for_an_interval) return {};
    return counted(launches, "launch") + ": too few for a 95 % interval over launches, which takes " +
           std::to_string(for_an_interval);
}

std::string floating_in(std::string const& json_file) {
    for (auto const& run : read_runs(json_file))
        if (auto const rank = floating_rank(run))
            return "ranks may move between processors (" + *rank + "), which alone spreads launches: bind them";
    return {};
}

std::string text_of(std::vector<std::string> const& words) {
    std::vector<char const*> pointers;
    for (auto const& word : words) pointers.push_back(word.c_str());
    return sonde::command_line(static_cast<int>(pointers.size()), pointers.data());
}

} // namespace tools
