// SPDX-License-Identifier: BSL-1.0
// Parameters of a machine from a file of sonde-model.
#include "tools/replay/assess/machine_file.hpp"

#include "tools/replay/assess/lower_bounds.hpp"

#include <sonde/json.hpp>

#include <cerrno>
#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <system_error>

namespace tools::replay {

namespace {

using sonde::json;
using sonde::model::bytes;
using sonde::model::hockney;
using sonde::model::rate;

/// The determined parameters of each range of sizes, by their names.
using parameter_ranges = std::map<std::size_t, std::map<std::string, double>>;

parameter_ranges determined_parameters(json const& fit) {
    parameter_ranges found;
    for (auto const& p : fit.at("parameters"))
        if (p.at("status") == "determined")
            found[p.at("segment").get<std::size_t>()][p.at("name").get<std::string>()] = p.at("value").get<double>();
    return found;
}

bool has_all(std::map<std::string, double> const& range, std::vector<std::string> const& names) {
    for (auto const& name : names)
        if (range.count(name) == 0) return false;
    return true;
}

/// Hockney's parameters of a range; of LogGP alpha = L + o_s + o_r - G and beta = G. Empty if they are not determined.
std::optional<hockney> message_of(std::string const& model, std::map<std::string, double> const& range) {
    if (model == "loggp") {
        if (!has_all(range, {"L", "o_s", "o_r", "G"}) || range.at("G") <= 0) return std::nullopt;
        auto const per_byte = range.at("G");
        auto const alpha = range.at("L") + range.at("o_s") + range.at("o_r") - per_byte;
        return hockney{sonde::seconds{alpha}, rate{1 / per_byte}};
    }
    std::string const bandwidth = model == "hockney" ? "r_inf" : "R_C";
    if (!has_all(range, {"alpha", bandwidth}) || range.at(bandwidth) <= 0) return std::nullopt;
    return hockney{sonde::seconds{range.at("alpha")}, rate{range.at(bandwidth)}};
}

machine machine_of_fit(json const& fit, std::string const& path) {
    auto const model = fit.at("model").get<std::string>();
    if (model != "hockney" && model != "max-rate" && model != "loggp")
        throw std::invalid_argument{"is a fit of the model " + model + "; hockney, max-rate and loggp give bounds"};
    machine found;
    for (auto const& [number, range] : determined_parameters(fit)) {
        auto const message = message_of(model, range);
        if (!message || (number != 0 && range.count("breakpoint") == 0)) continue;
        found.message.segments.push_back({bytes{number == 0 ? 0 : range.at("breakpoint")}, *message});
        if (range.count("R_N") != 0) found.node_rate = rate{range.at("R_N")};
    }
    if (found.message.segments.empty())
        throw std::invalid_argument{"its parameters are not determined in any range of sizes"};
    found.source = model + ", of " + path;
    return found;
}

} // namespace

machine machine_of_file(std::string const& path) {
    std::ifstream file{path};
    if (!file) throw std::system_error{errno, std::generic_category(), "cannot read '" + path + "'"};
    std::ostringstream text;
    text << file.rdbuf();
    auto const fit = json::parse(text.str(), nullptr, false);
    try {
        if (fit.is_discarded() || fit.at("type") != "fit") throw std::runtime_error{""};
        return machine_of_fit(fit, path);
    } catch (std::invalid_argument const& e) {
        throw std::runtime_error{path + ": " + e.what()};
    } catch (std::exception const&) { // the JSON library's message would not help the user
        throw std::runtime_error{path + ": is not one fit of sonde-model, as fit --json writes it"};
    }
}

} // namespace tools::replay
