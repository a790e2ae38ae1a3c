// SPDX-License-Identifier: BSL-1.0
#include "tools/replay/hang/state_lines.hpp"

#include <nlohmann/json.hpp>

#include <stdexcept>

namespace tools::replay {

using nlohmann::json;

namespace {

constexpr auto line_type = "rank_state";
constexpr int schema = 2;

json call_json(shown_call const& c) {
    json found{{"name", c.name}, {"object", c.object}, {"site", c.site}, {"operation", c.operation}};
    found["flags"] = {c.is_window, c.is_collective, c.waits_for_any};
    found["ranks"] = {c.to, c.tag, c.from, c.recv_tag, c.root};
    found["size"] = {c.count, c.bytes};
    found["number"] = c.number;
    found["request"] = c.request;
    return found;
}

shown_call call_in(json const& j) {
    shown_call c{.name = j.at("name"), .object = j.at("object"), .operation = j.at("operation"), .site = j.at("site")};
    auto const &flags = j.at("flags"), &ranks = j.at("ranks"), &size = j.at("size");
    c.is_window = flags.at(0);
    c.is_collective = flags.at(1);
    c.waits_for_any = flags.at(2);
    c.to = ranks.at(0);
    c.tag = ranks.at(1);
    c.from = ranks.at(2);
    c.recv_tag = ranks.at(3);
    c.root = ranks.at(4);
    c.count = size.at(0);
    c.bytes = size.at(1);
    c.number = j.at("number");
    c.request = j.at("request");
    return c;
}

json calls_json(std::vector<shown_call> const& calls) {
    auto found = json::array();
    for (auto const& c : calls) found.push_back(call_json(c));
    return found;
}

std::vector<shown_call> calls_in(json const& list) {
    std::vector<shown_call> found;
    for (auto const& one : list) found.push_back(call_in(one));
    return found;
}

json scopes_json(std::vector<shown_scope> const& scopes) {
    auto found = json::array();
    for (auto const& s : scopes)
        found.push_back({{"name", s.name}, {"kind", to_string(s.kind)}, {"pass", s.pass}, {"seconds", s.seconds}});
    return found;
}

std::vector<shown_scope> scopes_in(json const& list) {
    using enum sonde::scope_kind;
    std::vector<shown_scope> found;
    for (auto const& j : list) {
        shown_scope s{.name = j.at("name"), .pass = j.at("pass"), .seconds = j.at("seconds")};
        for (auto const kind : {part, work, exchange})
            if (j.at("kind") == to_string(kind)) s.kind = kind;
        found.push_back(std::move(s));
    }
    return found;
}

rank_state state_in(json const& j) {
    rank_state s{.rank = j.at("rank"), .size = j.at("size"), .job = j.at("job"), .host = j.at("host")};
    auto const activity = j.at("activity").get<int>();
    auto const is_valid = j.at("schema") == schema && s.rank >= 0 && s.rank < s.size && s.size <= 1 << 24 &&
                          activity >= 0 && activity <= static_cast<int>(rank_activity::has_ended);
    if (!is_valid) throw std::runtime_error{"a number is beyond its range"};
    s.activity = static_cast<rank_activity>(activity);
    s.process = j.at("process");
    s.calls = j.at("calls");
    s.seconds = j.at("seconds");
    s.processor = j.at("processor");
    s.scopes = scopes_in(j.at("scopes"));
    s.call = call_in(j.at("call"));
    s.requests = calls_in(j.at("requests"));
    s.other_requests = j.at("other_requests");
    s.collectives = calls_in(j.at("collectives"));
    s.messages = calls_in(j.at("messages"));
    s.collectives_on = j.at("collectives_on").get<std::map<std::string, std::uint64_t>>();
    return s;
}

} // namespace

std::string state_line(rank_state const& s) {
    return json{{"type", line_type},
                {"schema", schema},
                {"rank", s.rank},
                {"size", s.size},
                {"job", s.job},
                {"host", s.host},
                {"process", s.process},
                {"activity", static_cast<int>(s.activity)},
                {"calls", s.calls},
                {"seconds", s.seconds},
                {"processor", s.processor},
                {"scopes", scopes_json(s.scopes)},
                {"call", call_json(s.call)},
                {"requests", calls_json(s.requests)},
                {"other_requests", s.other_requests},
                {"collectives", calls_json(s.collectives)},
                {"messages", calls_json(s.messages)},
                {"collectives_on", s.collectives_on}}
               .dump(-1, ' ', true, json::error_handler_t::replace) +
           '\n';
}

std::vector<rank_state> read_states(std::istream& in, std::string const& name) {
    std::vector<rank_state> found;
    std::size_t number = 0;
    for (std::string line; std::getline(in, line);) {
        ++number;
        auto const brace = line.find('{');
        if (brace == line.npos) continue;
        try {
            found.push_back(state_in(json::parse(line.substr(brace))));
        } catch (std::exception const&) {
            throw std::runtime_error{name + ':' + std::to_string(number) +
                                     ": no state of a rank, as sonde-replay hang --states prints it"};
        }
    }
    return found;
}

} // namespace tools::replay
