// SPDX-License-Identifier: BSL-1.0
#include "tools/tune/control_variables.hpp"

#include <sonde/json.hpp>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <stdexcept>
#include <system_error>

namespace tools::tune {

mpi_library library_settings::library() const {
    if (version.find("Open MPI") != version.npos) return mpi_library::open_mpi;
    if (version.find("Intel") != version.npos) return mpi_library::intel_mpi;
    return version.find("MPICH") != version.npos ? mpi_library::mpich : mpi_library::other;
}

control_variable const* library_settings::find(std::string_view name) const {
    auto const found = std::find_if(variables.begin(), variables.end(), [&](auto const& v) { return v.name == name; });
    return found == variables.end() ? nullptr : &*found;
}

std::string json_of(library_settings const& settings) {
    auto variables = sonde::json::array();
    for (auto const& v : settings.variables) {
        auto words = sonde::json::array();
        for (auto const& w : v.words) words.push_back({w.word, w.number});
        variables.push_back({{"name", v.name}, {"value", v.value}, {"words", words}, {"description", v.description}});
    }
    return sonde::detail::json_line({{"type", "settings"},
                                     {"version", settings.version},
                                     {"device", settings.device},
                                     {"ranks", settings.ranks},
                                     {"hosts", settings.hosts},
                                     {"variables", variables}});
}

library_settings read_settings(std::string const& path) {
    std::ifstream file{path};
    if (!file) throw std::system_error{errno, std::generic_category(), "cannot read '" + path + "'"};
    try {
        auto const line = sonde::json::parse(file);
        if (line.at("type") != "settings") throw std::runtime_error{"another type of line"};
        library_settings all{line.at("version"), line.at("device"), line.at("ranks").get<std::size_t>(),
                             line.at("hosts").get<std::size_t>()};
        for (auto const& v : line.at("variables")) {
            control_variable read{v.at("name"), v.at("value"), {}, v.at("description")};
            for (auto const& w : v.at("words")) read.words.push_back({w.at(0), w.at(1).get<int>()});
            all.variables.push_back(std::move(read));
        }
        return all;
    } catch (std::exception const&) {
        throw std::runtime_error{path + ": is no list of control variables, which 'sonde-tune settings' writes"};
    }
}

} // namespace tools::tune
