// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

/// A file of `write_timeline`, read and checked against the rules of the Trace Event Format.
namespace timeline_file {

using nlohmann::json;

/// Whole nanoseconds of a time in microseconds.
inline long long ns(json const& us) { return std::llround(us.get<double>() * 1000); }

struct slice {
    long long begin, end;
    std::string name;
    json arguments;
};

/// One end of an arrow, and the slice of its track in which it is.
struct arrow_end {
    int rank;
    long long at;
    slice within;
};

struct contents {
    json whole;
    std::map<std::pair<int, int>, std::vector<slice>> tracks; // by rank and track, in the order of the file
    std::map<std::pair<std::string, std::string>, std::vector<arrow_end>> sends, receives; // by name and id
    std::map<std::string, slice> pairs;                                                    // asynchronous, by id
    std::map<int, std::string> ranks;
    std::map<std::pair<int, int>, std::string> track_names;

    json const& about(char const* key) const { return whole.at("otherData").at(key); }
};

/// True if no slice of a track ends within another one that began earlier.
inline bool nests(std::vector<slice> const& slices) {
    std::vector<long long> open;
    for (auto const& s : slices) {
        while (!open.empty() && open.back() <= s.begin) open.pop_back();
        if (!open.empty() && s.end > open.back()) return false;
        open.push_back(s.end);
    }
    return true;
}

/// The innermost slice at a time; the file has enclosing slices first. A slice does not contain its end.
inline slice const& innermost(std::vector<slice> const& slices, long long at) {
    slice const* found = nullptr;
    for (auto const& s : slices)
        if (s.begin <= at && (at < s.end || at == s.begin) && !(found != nullptr && s.end > found->end)) found = &s;
    REQUIRE(found != nullptr);
    return *found;
}

inline contents read(std::string const& path) {
    contents c;
    std::ifstream file{path};
    c.whole = json::parse(file);
    std::vector<json const*> ends;
    for (auto const& e : c.whole.at("traceEvents")) {
        auto const phase = e.at("ph").get<std::string>();
        std::pair const track{e.at("pid").get<int>(), e.at("tid").get<int>()};
        if (phase == "M") {
            if (e.at("name") == "process_name") c.ranks[track.first] = e.at("args").at("name");
            if (e.at("name") == "thread_name") c.track_names[track] = e.at("args").at("name");
            continue;
        }
        REQUIRE(e.at("ts").is_number());
        REQUIRE(e.at("cat").is_string());
        if (phase == "X") {
            auto const begin = ns(e.at("ts"));
            c.tracks[track].push_back({begin, begin + ns(e.at("dur")), e.at("name"), e.value("args", json::object())});
        } else if (phase == "b" || phase == "e") {
            auto& pair = c.pairs[e.at("id")];
            if (phase == "b") pair = {ns(e.at("ts")), -1, e.at("name"), e.value("args", json::object())};
            REQUIRE(pair.name == e.at("name"));
            if (phase == "e") pair.end = ns(e.at("ts"));
        } else if (phase != "i") {
            REQUIRE((phase == "s" || phase == "f"));
            ends.push_back(&e);
        }
    }
    for (auto const& [track, slices] : c.tracks) {
        CHECK(nests(slices));
        CHECK(std::is_sorted(slices.begin(), slices.end(), [](auto& a, auto& b) { return a.begin < b.begin; }));
    }
    for (auto const* e : ends) {
        std::pair const track{e->at("pid").get<int>(), e->at("tid").get<int>()};
        auto const at = ns(e->at("ts"));
        auto& side = e->at("ph") == "s" ? c.sends : c.receives;
        side[{e->at("name"), e->at("id")}].push_back({track.first, at, innermost(c.tracks[track], at)});
    }
    return c;
}

/// Number of arrows with both ends. Checks that each name and id belongs to one arrow, and that no receive ends more
/// than `allowance` before its send began.
inline std::size_t check_arrows(contents const& c, double allowance_us) {
    std::size_t both = 0, wrong = 0;
    std::set<std::string> ids;
    for (auto const& [key, ends] : c.sends) {
        wrong += ends.size() != 1;
        ids.insert(key.second);
        auto const to = c.receives.find(key);
        if (to == c.receives.end()) continue;
        ++both;
        wrong += to->second.size() != 1;
        wrong += static_cast<double>(ends[0].within.begin - to->second[0].within.end) > allowance_us * 1000 + 1;
    }
    CHECK(ids.size() == c.sends.size());
    CHECK(wrong == 0);
    return both;
}

} // namespace timeline_file
