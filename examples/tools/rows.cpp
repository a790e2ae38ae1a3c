// SPDX-License-Identifier: BSL-1.0
#include "rows.hpp"

#include <sonde/metrics.hpp>

#include <algorithm>
#include <map>

namespace tools {

namespace {

void add(sonde::record const& r, observed& to) {
    if (to.medians.empty()) to.within = sonde::median_interval(r);
    to.medians.push_back(sonde::median(r));
    to.spreads.push_back((sonde::quantile(r, 0.75) - sonde::quantile(r, 0.25)) / 1.349);
    to.quantum = std::max(to.quantum, r.clock_properties.resolution / static_cast<double>(r.batch));
}

/// The point without its number of repetitions. The IMB programs report that among the parameters, but it follows from
/// the time and differs between launches.
sonde::point without_repetitions(sonde::point at) {
    std::erase_if(at.parameters, [](auto const& p) { return p.name == "repetitions"; });
    return at;
}

/// Equal for equal points: parameters in order of their names.
std::string key_of(sonde::point const& at) {
    std::vector<std::string> settings;
    for (auto const& p : at.parameters) settings.push_back(p.name + '\0' + p.text);
    std::sort(settings.begin(), settings.end());
    auto key = at.name;
    for (auto const& s : settings) key += '\n' + s;
    return key;
}

class table_of_rows {
public:
    void add_side(std::vector<sonde::run_file> const& runs, observed row::*side) {
        for (auto const& run : runs) {
            std::map<std::string, std::size_t> seen;
            for (auto const& r : run.records) {
                auto const at = without_repetitions(r.point);
                auto const key = key_of(at);
                add(r, of(key, ++seen[key], at).*side);
            }
        }
    }
    std::vector<row> rows;

private:
    row& of(std::string const& key, std::size_t occurrence, sonde::point const& at) {
        auto const [found, is_new] = places_.try_emplace(key + '\n' + std::to_string(occurrence), rows.size());
        if (is_new) rows.push_back({at, occurrence, {}, {}});
        return rows[found->second];
    }

    std::map<std::string, std::size_t> places_;
};

} // namespace

std::string name_of(row const& r) {
    auto name = r.at.name;
    for (auto const& p : r.at.parameters) name += ' ' + p.name + '=' + p.text;
    return r.occurrence == 1 ? name : name + " #" + std::to_string(r.occurrence);
}

std::vector<row> match(std::vector<sonde::run_file> const& before, std::vector<sonde::run_file> const& after) {
    table_of_rows all;
    all.add_side(before, &row::before);
    all.add_side(after, &row::after);
    return std::move(all.rows);
}

} // namespace tools
