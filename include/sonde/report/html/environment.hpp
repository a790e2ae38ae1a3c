// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/environment.hpp>
#include <sonde/report/html/definition.hpp>
#include <sonde/report/html/escape.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace sonde::detail {

inline std::string counted(std::size_t count, std::string const& thing) {
    return std::to_string(count) + ' ' + thing + (count == 1 ? "" : "s");
}

inline std::string html_hosts(environment const& e) {
    std::string list;
    for (std::size_t i = 0; i != e.hosts.size(); ++i) {
        list += (i == 0 ? "" : ", ") + html_escaped(e.hosts[i]);
        if (i < e.ranks_per_host.size())
            list += " (" + counted(static_cast<std::size_t>(e.ranks_per_host[i]), "rank") + ')';
    }
    return list;
}

/// What every rank has, ranks that follow each other and have the same together.
inline std::string html_of_ranks(std::vector<std::string> const& all) {
    std::string list;
    for (std::size_t first = 0; first < all.size();) {
        auto last = first;
        while (last + 1 < all.size() && all[last + 1] == all[first]) ++last;
        list += "<li>" + (first == last ? "rank " : "ranks " + std::to_string(first) + "\u2013") +
                std::to_string(last) + ": " + html_escaped(all[first]) + "</li>";
        first = last + 1;
    }
    return list.empty() ? list : "<ul>" + list + "</ul>";
}

/// Where and with what the records were made, as terms and definitions.
inline std::string html_environment(environment const& e) {
    auto const command = html_escaped(e.command_line);
    auto const all =
        html_definition("Command", command.empty() ? command : "<code>" + command + "</code>") +
        html_definition("Hosts", html_hosts(e)) + html_definition("Processors", html_of_ranks(e.bindings)) +
        html_definition("Devices", html_of_ranks(e.devices)) +
        html_definition("Communication library", html_escaped(e.communication_library)) +
        html_definition("Compiler", html_escaped(e.compiler)) + html_definition("Build", html_escaped(e.build)) +
        html_definition("Sonde", html_escaped(e.sonde_version));
    return html_definitions("Environment", all);
}

} // namespace sonde::detail
