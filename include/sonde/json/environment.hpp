// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/environment.hpp>
#include <sonde/json/values.hpp>

namespace sonde {

inline void to_json(json& j, environment const& e) {
    j = {{"type", "environment"},
         {"sonde_version", e.sonde_version},
         {"compiler", e.compiler},
         {"build", e.build},
         {"command_line", e.command_line},
         {"communication_library", e.communication_library},
         {"hosts", e.hosts},
         {"ranks_per_host", e.ranks_per_host},
         {"host_of_rank", e.host_of_rank},
         {"bindings", e.bindings}};
    if (!e.devices.empty()) j["devices"] = e.devices;
}

inline void from_json(json const& j, environment& e) {
    j.at("sonde_version").get_to(e.sonde_version);
    j.at("compiler").get_to(e.compiler);
    j.at("build").get_to(e.build);
    j.at("command_line").get_to(e.command_line);
    j.at("communication_library").get_to(e.communication_library);
    j.at("hosts").get_to(e.hosts);
    j.at("ranks_per_host").get_to(e.ranks_per_host);
    j.at("host_of_rank").get_to(e.host_of_rank);
    j.at("bindings").get_to(e.bindings);
    if (j.contains("devices")) j.at("devices").get_to(e.devices);
}

} // namespace sonde
