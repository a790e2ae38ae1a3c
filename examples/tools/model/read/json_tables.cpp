// SPDX-License-Identifier: BSL-1.0
#include "tools/model/read/readers.hpp"

#include <sonde/json/read.hpp>
#include <sonde/model/points.hpp>

#include <algorithm>
#include <sstream>
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
    for (auto const& p : r.point.parameters)
        if (p.name == name && p.number) return *p.number;
    return otherwise;
}

/// Count one initiator for each pair; in records of the Intel MPI Benchmarks every rank is an initiator.
sonde::record with_pair_initiators(sonde::record r) {
    if (r.initiators == r.ranks) r.initiators /= 2;
    return r;
}

/// Number of concurrent pairs, of all groups.
std::size_t pairs_of(sonde::record const& r) {
    return static_cast<std::size_t>(setting(r, "pairs", with_pair_initiators(r).initiators * setting(r, "groups", 1)));
}

std::string remark_of(sonde::record const& r) {
    for (auto const& p : r.point.parameters)
        if (p.name == "start" && p.text == "apart") return "pairs did not start together";
    return {};
}

/// Interval of the time of one message, from that of a round trip of `hops` messages.
std::optional<sonde::confidence_interval> of_message(std::optional<sonde::confidence_interval> const& trip,
                                                     double hops) {
    return trip ? std::optional{sonde::confidence_interval{trip->low / hops, trip->high / hops}} : std::nullopt;
}

table_row row_of(sonde::record const& r, std::string const& path) {
    if (r.errors.value_or(0) != 0)
        throw std::runtime_error{path + ": a record of " + r.point.name + ": its data were wrong"};
    try {
        auto const p = sonde::model::points_of<sonde::model::max_rate>({with_pair_initiators(r)}).front();
        auto const repetitions = static_cast<double>(r.batch), messages = repetitions * r.total.hops;
        return {p.size.count(),
                setting(r, "repetitions", repetitions),
                {p.time},
                r.clock_properties.resolution / messages,
                of_message(sonde::median_interval(r), r.total.hops)};
    } catch (sonde::model::fit_error const& e) {
        throw std::runtime_error{path + ": " + e.what()};
    }
}

/// The table with the same name, pairs, remark and nodes as `like`; appends `like` if there is none.
table& table_like(table const& like, std::vector<table>& all) {
    auto const same = [&](table const& t) {
        return t.name == like.name && t.pairs == like.pairs && t.remark == like.remark &&
               t.on_one_node == like.on_one_node;
    };
    auto const known = std::find_if(all.begin(), all.end(), same);
    return known == all.end() ? all.emplace_back(like) : *known;
}

/// Numbers of records with each flag.
class flag_counts {
public:
    void add(sonde::flags const& f) {
        ++records_;
        timer_ += f.timer_limited ? 1 : 0;
        skew_ += f.skew_dominated ? 1 : 0;
        drift_ += f.clock_drift ? 1 : 0;
        correlated_ += f.correlated ? 1 : 0;
        oversubscribed_ += f.oversubscribed ? 1 : 0;
        fault_ += f.clock_fault ? 1 : 0;
    }
    void add_remark(std::string const& path, std::vector<std::string>& to) const {
        std::string counts;
        auto const add_flag = [&](std::size_t n, char const* flag) {
            auto const of = counts.empty() ? " of " + std::to_string(records_) + " records are flagged " : " ";
            if (n != 0) counts += (counts.empty() ? "" : ", ") + std::to_string(n) + of + flag;
        };
        add_flag(timer_, "timer_limited");
        add_flag(skew_, "skew_dominated");
        add_flag(drift_, "clock_drift");
        add_flag(correlated_, "correlated");
        add_flag(oversubscribed_, "oversubscribed");
        add_flag(fault_, "clock_fault");
        if (!counts.empty()) to.push_back(path + ": " + counts);
    }

private:
    std::size_t records_ = 0, timer_ = 0, skew_ = 0, drift_ = 0, correlated_ = 0, oversubscribed_ = 0, fault_ = 0;
};

bool is_used(std::string const& name) {
    return name == "round_trips" || is_one_of(ping_pongs, name) || is_one_of(windows, name);
}

void add(sonde::record const& r, std::string const& path, bool on_one_node, tables_read& to) {
    if (r.point.name == "round_trips") return to.round_trips.push_back(r);
    if (is_used(r.point.name)) {
        auto const operation = is_one_of(windows, r.point.name) ? timed_operation::window : timed_operation::ping_pong;
        table_like({path, r.point.name, operation, pairs_of(r), {}, remark_of(r), on_one_node}, to.tables)
            .rows.push_back(row_of(r, path));
    } else if (std::find(to.unused.begin(), to.unused.end(), r.point.name) == to.unused.end()) {
        to.unused.push_back(r.point.name);
    }
}

} // namespace

tables_read read_json_tables(std::string const& path, std::string const& text) {
    tables_read read;
    flag_counts flags;
    std::size_t records = 0;
    std::istringstream in{text};
    for (auto const& run : sonde::read_launches(in, path))
        for (auto const& r : run.records) {
            ++records;
            add(r, path, run.environment && run.environment->hosts.size() == 1, read);
            if (is_used(r.point.name)) flags.add(r.flags);
        }
    if (records == 0) throw std::runtime_error{path + ": holds no record"};
    flags.add_remark(path, read.remarks);
    return read;
}

} // namespace tools::model
