// SPDX-License-Identifier: BSL-1.0
#include "../report/support.hpp"

#include <sonde/measure/system.hpp>
#include <sonde/monitor.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <stdexcept>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace {

using sonde::seconds;

/// A folder for pages and files. Monitors write only when they are told to, unless they have another interval.
struct node {
    reports::scratch_folder folder;
    std::vector<std::string> told;

    node() {
        for (auto const& v : sonde::recorded_environment_variables) unsetenv(v.name); // or the label has its value
    }
    std::string file() const { return folder / "app.prom"; }
    sonde::monitor_options options() {
        return {.interval = seconds{3600}, .folder = folder / "", .tell = [this](std::string const& line) {
                    told.push_back(line);
                }};
    }
    std::unique_ptr<sonde::monitor> monitor(int rank) {
        return std::make_unique<sonde::monitor>(file(), rank, options());
    }
    std::string text() const { return reports::contents(file()); }
    bool has(std::string const& line) const { return reports::has(text(), line + '\n'); }
};

void pass(sonde::probe_scope& scope) { auto const entered = scope.enter(); }

struct other_clock {
    seconds now() const { return {}; }
};

sonde::scope_table* recorder_table = nullptr; // null as without a recorder

} // namespace

/// As the recorder of sonde-replay has it.
extern "C" void* sonde_recorder_scopes(std::uint64_t layout) {
    return layout == sonde::scope_table::this_layout ? recorder_table : nullptr;
}

TEST_CASE_FIXTURE(node, "monitor: one file has the passes of all ranks of a node, also of scopes that are made later") {
    sonde::probe probes[2];
    auto const first = monitor(0), second = monitor(1);
    auto& before = probes[0].scope("step", {.bytes = 8});
    first->add(probes[0]);
    second->add(probes[1]);
    pass(before);
    pass(before.scope("halo"));
    pass(probes[1].scope("step").scope("halo"));
    CHECK(first->write());
    CHECK(!second->write()); // one writer a node
    CHECK(has("sonde_ranks{job_id=\"app\",state=\"running\"} 2"));
    CHECK(has("sonde_scope_passes_total{job_id=\"app\",scope=\"step\"} 1"));
    CHECK(has("sonde_scope_passes_total{job_id=\"app\",scope=\"step/halo\"} 2"));
    CHECK(has("sonde_scope_bytes_total{job_id=\"app\",scope=\"step\"} 8"));
    CHECK(has("sonde_scope_under_way_seconds{job_id=\"app\",scope=\"step\"} 0"));
    auto const entered = before.enter();
    CHECK(first->write());
    CHECK(!has("sonde_scope_under_way_seconds{job_id=\"app\",scope=\"step\"} 0"));
    CHECK(has("sonde_scope_under_way_seconds{job_id=\"app\",scope=\"step/halo\"} 0"));
}

TEST_CASE_FIXTURE(node, "monitor: when the writer ends another rank writes, and the last one leaves nothing") {
    auto first = monitor(0), second = monitor(1);
    CHECK(first->write());
    first.reset();
    CHECK(second->write());
    CHECK(has("sonde_ranks{job_id=\"app\",state=\"running\"} 1"));
    second.reset();
    CHECK(folder.files() == 0);
    CHECK(told.empty());
}

TEST_CASE_FIXTURE(node, "monitor: the counters of a rank that was killed stay, and it counts as gone") {
    int ends[2];
    REQUIRE(pipe(ends) == 0);
    auto const child = fork();
    if (child == 0) {
        auto const mine = monitor(1);
        sonde::probe probe;
        mine->add(probe);
        pass(probe.scope("work"));
        mine->write(); // it holds the lock
        (void)!::write(ends[1], "", 1);
        for (;;) pause();
    }
    char ready;
    REQUIRE(read(ends[0], &ready, 1) == 1);
    {
        auto const here = monitor(0);
        CHECK(!here->write());
        kill(child, SIGKILL);
        waitpid(child, nullptr, 0);
        CHECK(here->write());
        CHECK(has("sonde_ranks{job_id=\"app\",state=\"running\"} 1"));
        CHECK(has("sonde_ranks{job_id=\"app\",state=\"gone\"} 1"));
        CHECK(has("sonde_scope_passes_total{job_id=\"app\",scope=\"work\"} 1"));
        CHECK(text().find("sonde_scope_idle_seconds{") == std::string::npos);
    }
    CHECK(folder.files() == 0);
    close(ends[0]);
    close(ends[1]);
}

TEST_CASE_FIXTURE(node, "monitor: pages that a killed job left are removed by the next one") {
    std::ofstream{folder / "sonde-monitor-0-3"} << std::string(sizeof(sonde::scope_table), '\0');
    std::ofstream{folder / "sonde-monitor-0-writer"};
    std::ofstream{folder / "other"};
    CHECK(folder.files() == 3);
    monitor(0).reset();
    CHECK(folder.files() == 1);
}

TEST_CASE_FIXTURE(node, "monitor: a file switches the detail while the application runs") {
    sonde::probe probe;
    auto const here = monitor(4);
    here->add(probe);
    pass(probe.scope("work"));
    auto const with = [&](char const* word) {
        std::ofstream{file() + ".detail"} << word << '\n';
        CHECK(here->write());
    };
    with("rank");
    CHECK(has("sonde_scope_passes_total{job_id=\"app\",scope=\"work\",rank=\"4\"} 1"));
    with("off");
    CHECK(text().find("scope=") == std::string::npos);
    CHECK(told.empty());
    with("all");
    with("all");
    CHECK(told == std::vector<std::string>{"sonde: " + file() + ".detail: off, node or rank, not 'all '\n"});
    CHECK(has("sonde_scope_passes_total{job_id=\"app\",scope=\"work\"} 1"));
}

TEST_CASE_FIXTURE(node, "monitor: the thread writes in each interval") {
    auto often = options();
    often.interval = seconds{0.001};
    sonde::monitor const here{file(), 0, often};
    while (text().empty()) usleep(1000);
}

TEST_CASE_FIXTURE(node, "monitor: what cannot be shared or written is told once, and the application goes on") {
    auto nowhere = options();
    nowhere.folder = folder / "absent";
    {
        sonde::monitor here{file(), 2, nowhere};
        sonde::probe probe;
        here.add(probe);
        pass(probe.scope("work"));
    }
    REQUIRE(told.size() == 1);
    CHECK(told[0] == "sonde: the monitor does not see rank 2: " + nowhere.folder + ": No such file or directory\n");
    told.clear();
    sonde::monitor here{folder / "absent/app.prom", 0, options()};
    CHECK(here.write());
    CHECK(here.write());
    REQUIRE(told.size() == 1);
    CHECK(told[0].find("sonde: the monitor goes on without its file: ") == 0);
}

TEST_CASE_FIXTURE(node, "monitor: options out of range are refused") {
    auto const refused = [&](auto change) {
        auto wrong = options();
        change(wrong);
        CHECK_THROWS_AS((sonde::monitor{file(), 0, wrong}), std::invalid_argument);
    };
    refused([](auto& o) { o.interval = seconds{}; });
    refused([](auto& o) { o.change = 0; });
    refused([](auto& o) { o.false_alarms = -1; });
    CHECK(folder.files() == 0);
}

TEST_CASE("monitor: a table cuts long names, and scopes that it has no room for are counted without it") {
    sonde::scope_table table;
    sonde::probe probe;
    probe.publish_in(table);
    pass(probe.scope(std::string(200, 'a')));
    pass(probe.scope(std::string(200, 'b')));
    for (int i = 0; i != 70; ++i) pass(probe.scope("scope " + std::to_string(i)));
    auto const found = sonde::detail::read_counters(table);
    CHECK(found.left_out == 8);
    REQUIRE(found.scopes.size() == 64);
    CHECK(found.scopes[0].name == std::string(93, 'a') + "~0");
    CHECK(found.scopes[1].name == std::string(93, 'b') + "~1");
    CHECK(found.scopes[63].passes == 1);
    CHECK(probe.scopes().back().times().count() == 1);
}

TEST_CASE("a recorder's table has the scopes of all probes with the steady clock, also beside that of a monitor") {
    sonde::scope_table recorder, first, second;
    recorder_table = &recorder;
    sonde::probe probe;
    sonde::basic_probe<other_clock> other;
    recorder_table = nullptr;
    other.scope("other");
    auto& step = probe.scope("step");
    pass(step);
    for (auto* const table : {&first, &second}) {
        probe.publish_in(*table);
        pass(step);
    }
    auto& halo = step.exchange("halo");
    pass(halo);
    auto const entered = halo.enter();
    auto const passes = [](sonde::scope_table const& t, std::size_t i) { return t.scopes[i].passes; };
    CHECK((passes(recorder, 0) == 3 && passes(first, 0) == 1 && passes(second, 0) == 1));
    CHECK((recorder.claimed == 2 && first.claimed == 1 && second.claimed == 2));
    CHECK((passes(recorder, 1) == 1 && passes(second, 1) == 1));
    CHECK((recorder.scopes[1].begun != 0 && recorder.scopes[1].begun == second.scopes[1].begun));
    CHECK(recorder.scopes[1].kind == static_cast<std::uint64_t>(sonde::scope_kind::exchange));
    CHECK((recorder.passes.added == 0 && second.passes.added == 1)); // of exchanges
    CHECK(std::string{recorder.scopes[1].name} == "step/halo");

    for (int i = 0; i != 70; ++i) static_cast<void>(probe.scope(std::to_string(i))); // the tables are full
    auto& last = probe.scope("last");
    sonde::scope_table third, fourth;
    for (auto* const table : {&third, &fourth}) {
        last.publish_in(*table);
        pass(last);
    }
    CHECK((passes(third, 0) == 1 && passes(fourth, 0) == 1));
}

TEST_CASE("monitor: probes of several threads that have a scope of one name are added up") {
    sonde::scope_table table;
    sonde::probe probes[2];
    for (auto& p : probes) {
        p.publish_in(table);
        pass(p.scope("work", {.bytes = 8}));
    }
    auto const found = sonde::detail::read_counters(table);
    REQUIRE(found.scopes.size() == 1);
    CHECK(found.scopes[0].passes == 2);
    CHECK(found.scopes[0].bytes == 16);
    auto const times = probes[0].scopes().front().times().sum() + probes[1].scopes().front().times().sum();
    CHECK(std::llround(1e9 * found.scopes[0].time.count()) == std::llround(1e9 * times.count()));
}
