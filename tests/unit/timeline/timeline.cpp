// SPDX-License-Identifier: BSL-1.0
#include "../../timeline_file.hpp"
#include "../clock/support.hpp"

#include <sonde/measure/compare.hpp>
#include <sonde/pattern/point_to_point.hpp>
#include <sonde/probe/collect.hpp>
#include <sonde/timeline/recorded.hpp>
#include <sonde/timeline/write.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

using namespace unit;

namespace {

constexpr network_parameters network{1us, 5us, 0us, 0ns};
constexpr sonde::clock_sync_options little{12, 3, 6};
char const* const path = "timeline.json";

/// Skews of seconds, and drifts up to 1e-4.
skew skew_of(int rank) {
    return {picoseconds{std::chrono::seconds{3}} * ((rank * 7) % 5 - 2), 1e-4 * ((rank * 3) % 5 - 2) / 2};
}

/// A rank with a skewed clock, a timeline and its global clock.
struct rank_under_test {
    process& self;
    sonde::sim::group group = self.group();
    skew by = skew_of(self.rank());
    sonde::sim::manual_clock clock = self.clock(by);
    sonde::global_clock<sonde::sim::manual_clock, sonde::sim::control_channel> global{
        group, clock, sonde::sim::control_channel{self}, std::to_string(self.rank()), little};

    int right() const { return (self.rank() + 1) % self.size(); }
    int left() const { return (self.rank() + self.size() - 1) % self.size(); }
};

/// Each rank sends to the right one and receives from the left one, with compute time that differs between ranks.
void ring(rank_under_test& r, sonde::timeline_track& track, int steps) {
    sonde::host_allocation out{8}, in{8};
    sonde::recorded_link to{track, r.self.link(r.right()), r.right(), 0, r.clock};
    sonde::recorded_link from{track, r.self.link(r.left()), r.left(), 0, r.clock};
    for (int i = 0; i != steps; ++i) {
        r.self.work(std::chrono::microseconds{(r.self.rank() * 13 + i * 7) % 40});
        to.send(out.first(8).next());
        from.recv(in.first(8).next());
    }
}

} // namespace

TEST_CASE("timeline: by skewed clocks no receive ends before its send began, beyond the bound") {
    for (int const ranks : {2, 3, 4, 7}) {
        CAPTURE(ranks);
        auto const summaries = on_ranks(ranks, network, [&](process& self) {
            rank_under_test r{self};
            sonde::timeline timeline;
            ring(r, timeline.add_track("main"), 50);
            return sonde::write_timeline(r.group, timeline, r.global, path);
        });
        auto const file = timeline_file::read(path);
        auto const bound = file.about("clock_error_bound_us").get<double>();
        CHECK(bound > 0);
        CHECK(bound < 1000);
        CHECK(timeline_file::check_arrows(file, 2 * bound) == 50u * static_cast<unsigned>(ranks));
        CHECK(file.sends.size() == file.receives.size());
        CHECK(file.ranks.size() == static_cast<unsigned>(ranks));
        CHECK(file.ranks.at(ranks - 1) == "rank " + std::to_string(ranks - 1));
        for (auto const& s : summaries) {
            CHECK(s.events == 100u * static_cast<unsigned>(ranks));
            CHECK(s.dropped == 0);
            CHECK(s.error_bound.count() * 1e6 == bound);
        }
    }
}

TEST_CASE("timeline: scopes are slices in global time, nested, with their bytes; samples are those of the record") {
    on_ranks(1, network, [](process& self) {
        rank_under_test r{self, self.group(), {}};
        sonde::timeline timeline;
        auto& track = timeline.add_track("main");
        sonde::basic_probe probe{r.clock};
        auto& before = probe.scope("step");
        probe.record_in(track);
        auto& halo = before.scope("halo \"east\"\n", {.bytes = 80});
        {
            auto const step = before.enter();
            self.work(2us);
            {
                auto const pass = halo.enter();
                self.work(1us);
            }
            auto const pass = halo.enter();
            self.work(4500ns);
        }
        auto const plan = sonde::plan<>{}.warmup(3).until(sonde::samples{4}).synchronized(sonde::no_sync{});
        working pattern{&self, role::initiator, {1us, 2us, 3us, 4us, 5us, 6us, 7us}};
        auto const measured = sonde::run(r.group, plan.timed_by(r.clock), sonde::recorded{track, "work", pattern});
        CHECK(ns(measured.series) == std::vector<long long>{4000, 5000, 6000, 7000});
        (void)sonde::write_timeline(r.group, timeline, r.global, path);
        return 0;
    });
    auto const file = timeline_file::read(path);
    auto const& slices = file.tracks.at({0, 0});
    REQUIRE(slices.size() == 7);
    auto const is = [&](std::size_t i, char const* name, long long begin, long long end) {
        return slices[i].name == name && slices[i].begin == begin && slices[i].end == end;
    };
    CHECK(is(0, "step", 0, 7500));
    CHECK(is(1, "halo \"east\"\n", 2000, 3000));
    CHECK(is(2, "halo \"east\"\n", 3000, 7500));
    CHECK(slices[2].arguments.at("bytes") == 80);
    CHECK(is(3, "work", 13500, 17500));
    CHECK(is(6, "work", 28500, 35500));
    CHECK(slices[6].arguments.at("sample") == 3);
    CHECK(file.track_names.at({0, 0}) == "main");
    CHECK(file.about("clock_error_bound_us") == 0);
}

TEST_CASE("timeline: a pass that overlaps with another one without being nested is a pair of asynchronous events") {
    on_ranks(1, network, [](process& self) {
        rank_under_test r{self, self.group(), {}};
        sonde::timeline timeline;
        sonde::basic_probe probe{r.clock};
        probe.record_in(timeline.add_track("main"));
        auto& exchange = probe.scope("exchange", {.bytes = 80});
        auto& compute = probe.scope("compute");
        auto east = exchange.enter();
        self.work(1us);
        auto west = exchange.enter(); // ends after the first one
        {
            auto const pass = compute.enter();
            self.work(2us);
        }
        east.end();
        self.work(4us);
        {
            auto const pass = compute.enter();
            self.work(8us);
        }
        west.end();
        (void)sonde::write_timeline(r.group, timeline, r.global, path);
        return 0;
    });
    auto const file = timeline_file::read(path);
    auto const& slices = file.tracks.at({0, 0});
    REQUIRE(slices.size() == 3);
    CHECK(slices[0].name == "exchange");
    CHECK(slices[0].end == 3000);
    CHECK(slices[1].name == "compute");
    CHECK(slices[1].begin == 1000);
    CHECK(slices[2].name == "compute");
    CHECK(slices[2].begin == 7000);
    REQUIRE(file.pairs.size() == 1);
    auto const& [id, pair] = *file.pairs.begin();
    CHECK(id == "0.0.0");
    CHECK(pair.name == "exchange");
    CHECK(pair.begin == 1000);
    CHECK(pair.end == 15'000);
    CHECK(pair.arguments.at("bytes") == 80);
}

TEST_CASE("timeline: a full ring drops its oldest events, and the file counts them") {
    on_ranks(2, network, [](process& self) {
        rank_under_test r{self};
        sonde::timeline timeline{{.events = 6}}; // rounded up to 8
        auto& track = timeline.add_track("main");
        sonde::basic_probe probe{r.clock};
        probe.record_in(track);
        auto& scope = probe.scope("step");
        for (int i = 0; i != (self.rank() == 0 ? 20 : 8); ++i) {
            auto const pass = scope.enter();
            self.work(std::chrono::microseconds{i + 1});
        }
        CHECK(track.size() == 8);
        auto const s = sonde::write_timeline(r.group, timeline, r.global, path);
        CHECK(s.events == 16);
        CHECK(s.dropped == 12);
        return 0;
    });
    auto const file = timeline_file::read(path);
    CHECK(file.about("dropped_events") == 12);
    REQUIRE(file.tracks.at({0, 0}).size() == 8);
    CHECK(std::abs(file.tracks.at({0, 0})[0].end - file.tracks.at({0, 0})[0].begin - 13'000) <= 2); // the 13th
    std::vector<std::string> instants;
    for (auto const& e : file.whole.at("traceEvents"))
        if (e.at("ph") == "i") instants.push_back(e.at("pid").dump() + ' ' + e.at("name").get<std::string>());
    CHECK(instants == std::vector<std::string>{"0 12 earlier events were dropped"});
}

TEST_CASE("timeline: a message that one side dropped has one end; numbers match the messages that are left") {
    on_ranks(2, network, [](process& self) {
        rank_under_test r{self};
        sonde::timeline timeline{{.events = self.rank() == 0 ? 16u : 1024u}};
        ring(r, timeline.add_track("main"), 50); // two events a step
        (void)sonde::write_timeline(r.group, timeline, r.global, path);
        return 0;
    });
    auto const file = timeline_file::read(path);
    CHECK(timeline_file::check_arrows(file, 2 * file.about("clock_error_bound_us").get<double>()) == 16);
    CHECK(file.sends.size() == 8 + 50);
    for (auto const& [key, ends] : file.sends)
        if (ends[0].rank == 0) CHECK(ends[0].within.arguments.at("message") >= 42);
}

TEST_CASE(
    "timeline: patterns over recorded links: windows in flight, exchanges in one call, scopes of an application") {
    struct swap_link { // with the other rank
        sonde::sim::link link;
        void sendrecv(sonde::region out, sonde::region in) { link.send(out), link.recv(in); }
    };
    on_ranks(2, network, [](process& self) {
        rank_under_test r{self};
        auto const peer = 1 - self.rank();
        auto const who = self.rank() == 0 ? role::initiator : role::responder;
        sonde::timeline timeline;
        auto& track = timeline.add_track("main");
        sonde::host_allocation memory{1 << 14};
        auto const plan = sonde::plan<>{}.warmup(1).until(sonde::samples{3}).timed_by(r.clock);
        sonde::recorded_link link{track, self.link(peer, 1), peer, 1, r.clock};
        auto const in = memory.distinct_regions(64, 4);
        sonde::stream window{link, who, 4, memory.first(64), in, self.link(peer, 9), memory.first(1)};
        (void)sonde::run(r.group, plan, sonde::recorded{track, "stream", window});
        sonde::recorded_link both{track, swap_link{self.link(peer, 2)}, peer, 2, r.clock};
        sonde::exchange swap{both, memory.first(8), memory.first(8)};
        (void)sonde::run(r.group, plan, swap);

        sonde::recorded_messages halo{track, peer, 3, r.clock};
        sonde::basic_probe probe{r.clock};
        probe.record_in(track);
        auto& scope = probe.scope("halo");
        {
            auto const pass = scope.enter();
            halo.sent();
            self.link(peer, 3).send(memory.first(8).next());
            self.link(peer, 3).recv(memory.first(8).next());
            halo.received();
            self.work(1us);
        }
        (void)sonde::write_timeline(r.group, timeline, r.global, path);
        return 0;
    });
    auto const file = timeline_file::read(path);
    // Warm-up and 3 samples; a window of 4 one way, an exchange both ways; one message of the scope both ways.
    CHECK(timeline_file::check_arrows(file, 2 * file.about("clock_error_bound_us").get<double>()) == 16 + 8 + 2);
    CHECK(file.sends.size() == file.receives.size());
    std::map<std::string, int> left, arrived;
    for (auto const& [key, ends] : file.sends) ++left[ends[0].within.name];
    for (auto const& [key, ends] : file.receives) ++arrived[ends[0].within.name];
    CHECK(left == std::map<std::string, int>{{"isend", 16}, {"sendrecv", 8}, {"halo", 2}});
    CHECK(arrived == std::map<std::string, int>{{"wait_all", 16}, {"sendrecv", 8}, {"halo", 2}});
}

TEST_CASE("timeline: threads add tracks and events at the same time") {
    sonde::timeline timeline{{.events = 1024}};
    constexpr int threads = 4, passes = 3000;
    std::vector<std::thread> all;
    for (int t = 0; t != threads; ++t)
        all.emplace_back([&timeline, t] {
            sonde::probe probe;
            auto& track = timeline.add_track("thread " + std::to_string(t));
            probe.record_in(track);
            auto& scope = probe.scope("work");
            sonde::recorded_messages messages{track, 0};
            for (int i = 0; i != passes; ++i) {
                auto const pass = scope.enter();
                messages.sent();
            }
        });
    for (auto& t : all) t.join();
    CHECK(timeline.tracks().size() == threads);
    std::set<std::string> names;
    for (auto const& track : timeline.tracks()) {
        names.insert(track.name());
        CHECK(track.size() == 1024);
        CHECK(track.dropped() == 2 * passes - 1024);
    }
    CHECK(names.size() == threads);
    CHECK(timeline.numbers_of(0).next_sent() == threads * passes); // of all threads, each once
    on_ranks(1, network, [&timeline](process& self) {
        rank_under_test r{self};
        return sonde::write_timeline(r.group, timeline, r.global, path);
    });
    CHECK(timeline_file::read(path).tracks.size() == threads);
}

TEST_CASE("timeline: a track of no event, and one of a negative number of events, are refused") {
    for (auto const events : {std::size_t{0}, static_cast<std::size_t>(-1), static_cast<std::size_t>(-1) / 2}) {
        sonde::timeline timeline{{.events = events}};
        CHECK_THROWS_AS(timeline.add_track("main"), std::invalid_argument);
    }
}

TEST_CASE("timeline: a file that cannot be written throws on all ranks, before and after it was opened") {
    for (std::string const wrong : {"/no such folder/timeline.json", "/dev/full"}) {
        CAPTURE(wrong);
        auto const messages = on_ranks(3, network, [&](process& self) {
            rank_under_test r{self};
            sonde::timeline timeline;
            ring(r, timeline.add_track("main"), 5);
            try {
                (void)sonde::write_timeline(r.group, timeline, r.global, wrong);
            } catch (std::system_error const& e) {
                return "error " + std::string{e.what()};
            } catch (std::runtime_error const& e) {
                return std::string{e.what()};
            }
            return std::string{};
        });
        CHECK(messages[0].find("error cannot write '" + wrong + "'") == 0);
        CHECK(messages[1] == "sonde::write_timeline: rank 0 cannot write '" + wrong + "'");
        CHECK(messages[2] == messages[1]);
    }
}

TEST_CASE("timeline: many events are written in pieces of all ranks; a long name fits into a line") {
    auto const long_name = std::string(100'000, '"');
    on_ranks(3, network, [&](process& self) {
        rank_under_test r{self};
        sonde::timeline timeline;
        auto& track = timeline.add_track("main");
        if (self.rank() == 1) track.add(track.type_index({sonde::event_kind::scope, long_name}), {}, {});
        for (int i = 0; self.rank() == 2 && i != 5000; ++i)
            track.add(track.type_index({sonde::event_kind::scope, "step"}), sonde::seconds{1e-6 * i},
                      sonde::seconds{1e-6 * i});
        CHECK(sonde::write_timeline(r.group, timeline, r.global, path).events == 5001);
        return 0;
    });
    auto const file = timeline_file::read(path);
    CHECK(file.tracks.at({1, 0})[0].name == long_name);
    CHECK(file.tracks.at({2, 0}).size() == 5000);
    CHECK(file.ranks.size() == 3);
}

TEST_CASE("timeline: text that is not UTF-8, options without events") {
    using sonde::detail::json_string;
    CHECK(json_string("a\"b\\\t") == R"("a\"b\\\u0009")");
    CHECK(json_string("\u00fc\u20ac\U0001f600") == "\"\u00fc\u20ac\U0001f600\"");
    for (std::string const wrong : {"\xff", "\xc3", "\xc0\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xe2\x82"}) {
        CAPTURE(wrong);
        auto const parsed = nlohmann::json::parse(json_string(wrong + "x")).get<std::string>();
        CHECK(parsed.find("\ufffd") == 0);
        CHECK(parsed.back() == 'x');
    }
    sonde::timeline none{{.events = 0}};
    CHECK_THROWS_AS((void)none.add_track("main"), std::invalid_argument);
}

TEST_CASE("timeline: an arrow leaves at the beginning of its send, and arrives a nanosecond before its receive ends") {
    sonde::timeline timeline;
    auto& track = timeline.add_track("main");
    using sonde::event_kind;
    auto const add = [&](event_kind kind, std::string name, int peer) {
        track.add(track.type_index({kind, std::move(name), 0, peer, 7}), 3us, 5us, 4);
    };
    add(event_kind::send, "send", 2);
    add(event_kind::receive, "recv", 0);
    std::string text;
    sonde::detail::trace_text{1, {}, 1us}.write_track(track, 0, [&](std::string const& line) { text += line; });
    auto const arrow = [&](char phase, std::string const& name) {
        auto const begin = text.find(std::string{"{\"ph\":\""} + phase);
        REQUIRE(begin != text.npos);
        auto const line = text.substr(begin, text.find('}', begin) - begin);
        CHECK(line.find("\"name\":\"" + name + "\"") != line.npos);
        return line.substr(line.find("\"ts\":"));
    };
    CHECK(arrow('s', "1 to 2, tag 7") == "\"ts\":2.000");
    CHECK(arrow('f', "0 to 1, tag 7") == "\"ts\":3.999");
}
