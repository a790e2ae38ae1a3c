// SPDX-License-Identifier: BSL-1.0
#include "collective.hpp"

#include <string>

namespace osu {

namespace {

std::string name_of(collective const& what, family form) {
    auto const i = form == family::nonblocking ? "i" : "", persistent = form == family::persistent ? "_persistent" : "";
    return std::string{"osu_"} + i + what.name + persistent;
}

std::string title_of(collective const& what, family form) {
    std::string words = what.title;
    if (form == family::persistent) words += " Persistent";
    if (form == family::nonblocking)
        words = what.nonblocking_title == nullptr ? "Non-blocking " + words : what.nonblocking_title;
    return "OSU MPI " + words + " Latency Test";
}

/// Persistent requests are made once a size, so their root is fixed. Neighbours' buffers are on the host, as in OMB.
std::string letters_of(collective const& what, family form) {
    std::string all = std::string{"hvfmixMaGPIz"} + what.letters;
    auto const among_neighbours = what.has('N');
    if (!among_neighbours) all += 'd';
    if (form == family::nonblocking) all += among_neighbours ? "t" : "tr";
    std::string const lacks = form == family::persistent    ? "k"
                              : form == family::nonblocking ? what.nonblocking_lacks
                                                            : "";
    std::erase_if(all, [&](char c) { return lacks.find(c) != lacks.npos; });
    return all;
}

} // namespace

program program_of(collective const& what, family form) {
    auto const overlaps = form == family::nonblocking;
    return {.name = name_of(what, form),
            .title = title_of(what, form),
            .letters = letters_of(what, form),
            .shows = overlaps ? figure::overlap : figure::collective,
            .counted = overlaps ? what.nonblocking_counted : collective_counts,
            .largest = std::size_t{1} << 20,
            .sized = what.sized,
            .needs = ranks::at_least_two,
            .t_means = overlaps ? probes::tests : probes::ignored};
}

} // namespace osu
