// SPDX-License-Identifier: BSL-1.0
#include "table.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdio>

namespace imb {

namespace {

std::string padded(std::string const& title) { return std::string(13 - title.size(), ' ') + title; }

std::vector<std::string> figure_titles(columns shows) {
    switch (shows) {
    case columns::time_bandwidth:
        return {"t[usec]", "Mbytes/sec"};
    case columns::rate:
        return {"Mbytes/sec", "Msg/sec"};
    case columns::range_bandwidth:
        return {"t_min[usec]", "t_max[usec]", "t_avg[usec]", "Mbytes/sec"};
    case columns::range:
    case columns::sync:
        return {"t_min[usec]", "t_max[usec]", "t_avg[usec]"};
    case columns::sync_overlap:
    case columns::overlap:
        return {"t_ovrl[usec]", "t_pure[usec]", "t_CPU[usec]", "overlap[%]"};
    case columns::passive_overlap:
        break;
    }
    return {"t_pure[usec]", "t_ovrl[usec]"};
}

std::vector<std::string> titles_of(heading const& about, columns shows) {
    std::vector<std::string> titles;
    if (about.by_group) titles.emplace_back("Group");
    if (is_sized(shows)) titles.emplace_back("#bytes");
    titles.emplace_back("#repetitions");
    for (auto const& t : figure_titles(shows)) titles.push_back(t);
    if (about.defects) titles.emplace_back("defects");
    return titles;
}

std::string rank_text(int rank) {
    char text[16]{};
    std::snprintf(text, sizeof text, " %4d", rank);
    return text;
}

/// Sixteen ranks a line.
std::string listed(std::string const& first, std::vector<int> const& ranks) {
    std::string text;
    for (std::size_t i = 0; i != ranks.size(); ++i) {
        if (i % 16 == 0) text += i == 0 ? first : "\n#" + std::string(first.size() - 1, ' ');
        text += rank_text(ranks[i]);
    }
    return text + "\n";
}

/// The ranks in rows of so many.
std::string rows_of(std::vector<int> const& ranks, std::size_t row) {
    std::string text;
    for (auto from = ranks.begin(); from != ranks.end();) {
        auto const to = from + std::min(static_cast<std::ptrdiff_t>(row), ranks.end() - from);
        text += listed("# ", {from, to}) + "# \n";
        from = to;
    }
    return text;
}

std::string processes_of(heading const& about) {
    auto const processes = std::to_string(about.groups.front().size());
    if (about.groups.size() > 1) {
        auto text = "# ( " + std::to_string(about.groups.size()) + " groups of " + processes +
                    " processes each running simultaneous ) \n";
        for (std::size_t g = 0; g != about.groups.size(); ++g)
            text += listed("# Group  " + std::to_string(g) + ": ", about.groups[g]) + "# \n";
        return text;
    }
    if (about.row == 0) return "# #processes = " + processes + " \n";
    return "# #processes = " + processes + "; rank order (rowwise): \n" + rows_of(about.groups.front(), about.row);
}

std::string waiting(heading const& about) {
    auto const busy = about.groups.size() * about.groups.front().size();
    auto const others = static_cast<std::size_t>(about.world) - busy;
    if (others == 0) return {};
    return "# ( " + std::to_string(others) + " additional process" + (others == 1 ? "" : "es") +
           " waiting in MPI_Barrier)\n";
}

std::string mode_of(heading const& about) {
    auto const shown = about.mode == mode::only ? about.test.shown_as : about.mode;
    if (shown == mode::only) return {};
    return std::string{"#\n#    MODE: "} + (shown == mode::aggregate ? "AGGREGATE" : "NON-AGGREGATE") + " \n#\n";
}

} // namespace

columns layout_of(benchmark const& test, options const& asked) {
    auto const over_groups = asked.multi && *asked.multi == 0;
    return test.shows == columns::time_bandwidth && test.kind != family::passive && over_groups
               ? columns::range_bandwidth
               : test.shows;
}

bool is_sized(columns shows) { return shows != columns::sync && shows != columns::sync_overlap; }

std::string head_of(heading const& about, columns shows) {
    auto const titles = titles_of(about, shows);
    auto const dashes = '#' + std::string(13 * titles.size() - 1, '-') + '\n';
    auto text = '\n' + dashes + "# Benchmarking " + (about.groups.size() > 1 ? "Multi-" : "") + about.test.name +
                " \n" + processes_of(about) + waiting(about) + dashes + mode_of(about);
    for (auto const& t : titles) text += padded(t);
    return text + '\n';
}

std::string cell_of(std::size_t n) { return padded(std::to_string(n)); }

std::string cell_of(double value) {
    char text[64]{};
    std::snprintf(text, sizeof text, "%13.2f", value);
    return text;
}

std::string invalid_line(benchmark const& test, int processes) {
    return "\n# !! Benchmark " + test.name + " invalid for " + std::to_string(processes) + " processes !! \n\n";
}

std::string failure_text(failure why, std::size_t bytes_needed, std::string const& advice) {
    if (why == failure::overflow) return " int-overflow; The production rank*size caused int overflow;" + advice;
    if (why == failure::time_out)
        return " time-out.; Time limit (secs_per_sample * msg_sizes_list_len) is over; use \"-time X\" or "
               "SECS_PER_SAMPLE=X (IMB_settings.h) to increase time limit.";
    char text[160]{};
    std::snprintf(text, sizeof text,
                  " out-of-mem.; needed X=%8.3f GB; use flag \"-mem X\" or MAX_MEM_USAGE>=X (IMB_mem_info.h)",
                  static_cast<double>(bytes_needed) / 0x1p30 + 0.001);
    return text;
}

} // namespace imb
