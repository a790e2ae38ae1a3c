// SPDX-License-Identifier: BSL-1.0
#include "json_tables.hpp"

#include <sonde/json/read.hpp>
#include <sonde/model/points.hpp>

#include <algorithm>
#include <stdexcept>
#include <string_view>

namespace tools::model {

namespace {

constexpr std::string_view ping_pongs[] = {"ping_pong",        "multi_ping_pong", "max_rate",
                                           "osu_latency",      "osu_multi_lat",   "osu_latency_persistent",
                                           "osu_latency_mp",   "PingPong",        "PingPongSpecificSource",
                                           "PingPongAnySource"};
constexpr std::string_view windows[] = {"osu_bw", "osu_bw_persistent", "osu_mbw_mr", "Uniband"};

bool is_one_of(auto const& names, std::string const& name) {
    return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

double setting(sonde::record const& r, std::string_view name, double otherwise) {
    for (auto const& p : r.at.parameters)
        if (p.name == name && p.number) return *p.number;
    return otherwise;
}

/// Where all ranks count (the benchmarks of Intel do that), two of them are a pair.
sonde::record by_pairs(sonde::record r) {
    if (r.initiators == r.ranks) r.initiators /= 2;
    return r;
}

/// All that are measured at the same time.
std::size_t pairs_of(sonde::record const& r) {
    return static_cast<std::size_t>(setting(r, "pairs", by_pairs(r).initiators * setting(r, "groups", 1)));
}

std::string remark_of(sonde::record const& r) {
    for (auto const& p : r.at.parameters)
        if (p.name == "start" && p.text == "apart") return "pairs did not start together";
    return {};
}

table_row row_of(sonde::record const& r, std::string const& path) {
    if (r.errors.value_or(0) != 0)
        throw std::runtime_error{path + ": a record of " + r.at.name + ": its data were wrong"};
    try {
        auto const p = sonde::model::points_of<sonde::model::max_rate>({by_pairs(r)}).front();
        return {p.size.count(), setting(r, "repetitions", static_cast<double>(r.batch)), {p.time}};
    } catch (sonde::model::cannot_fit const& e) {
        throw std::runtime_error{path + ": " + e.what()};
    }
}

table& of(std::vector<table>& all, table const& like) {
    auto const same = [&](table const& t) {
        return t.name == like.name && t.pairs == like.pairs && t.remark == like.remark;
    };
    auto const found = std::find_if(all.begin(), all.end(), same);
    return found == all.end() ? all.emplace_back(like) : *found;
}

void add(sonde::record const& r, std::string const& path, tables_read& to) {
    if (r.at.name == "round_trips") return to.round_trips.push_back(r);
    if (is_one_of(ping_pongs, r.at.name) || is_one_of(windows, r.at.name)) {
        auto const what = is_one_of(windows, r.at.name) ? timed::window : timed::ping_pong;
        of(to.tables, {path, r.at.name, what, pairs_of(r), {}, remark_of(r)}).rows.push_back(row_of(r, path));
    } else if (std::find(to.unused.begin(), to.unused.end(), r.at.name) == to.unused.end()) {
        to.unused.push_back(r.at.name);
    }
}

} // namespace

tables_read read_json_tables(std::string const& path) {
    tables_read found;
    std::size_t records = 0;
    for (auto const& run : sonde::read_launches(path))
        for (auto const& r : run.records) {
            ++records;
            add(r, path, found);
        }
    if (records == 0) throw std::runtime_error{path + ": holds no record"};
    return found;
}

} // namespace tools::model
