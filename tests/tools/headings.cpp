// SPDX-License-Identifier: BSL-1.0
// What tells tables of one title apart: headings, and the ranks and hosts of records.
#include "tools/records/headings.hpp"
#include "tools/compare/comparison.hpp"
#include "tools/compare/matched_rows.hpp"
#include "tools/records/conditions.hpp"
#include "tools/records/environments.hpp"
#include "tools/records/log.hpp"

#include <doctest/doctest.h>

#include <array>
#include <string>
#include <vector>

#include "support.hpp"
#include "tools/records/series.hpp"

namespace {

using texts = std::vector<std::string>;

std::string const table = "# OSU MPI Latency Test v7.4\n# Size       Avg Latency(us)\n1   2.00\n2   2.00\n4   2.50\n";

/// Settings of the series of a log.
texts series(std::string const& log) {
    std::vector files{tools::read_log(log, "a")};
    tools::tell_apart(files);
    texts all;
    for (auto const& s : tools::series_of(files)) {
        auto const name = s.name();
        auto const comma = name.find(", ");
        all.push_back(comma == name.npos ? "" : name.substr(comma + 2, name.find(" (") - comma - 2));
    }
    return all;
}

/// A launch of one record, of `ranks` ranks on `hosts` hosts.
sonde::run_file launch(int ranks, int hosts, double nanoseconds) {
    sonde::run_file run;
    run.environment.emplace();
    for (int host = 0; host != hosts; ++host) {
        run.environment->hosts.push_back("node" + std::to_string(host));
        run.environment->ranks_per_host.push_back(ranks / hosts);
    }
    run.records.push_back(made::row(8, {nanoseconds}));
    run.records.back().ranks = run.records.back().initiators = ranks;
    return run;
}

tools::log_contents json(std::string const& path, std::vector<sonde::run_file> runs) {
    tools::log_contents log{path};
    log.is_json = true;
    log.runs = std::move(runs);
    return log;
}

} // namespace

TEST_CASE("numbers and words of headings tell tables apart") {
    auto const both = [](std::string const& a, std::string const& b) {
        return series(a + '\n' + table + b + '\n' + table);
    };
    CHECK(both("$ mpirun -n 2 osu_latency", "$ mpirun -n 4 osu_latency") == texts{"heading -n 2", "heading -n 4"});
    CHECK(both("=== 2 nodes ===", "=== 4 nodes ===") == texts{"heading 2 nodes", "heading 4 nodes"});
    CHECK(both("srun -w n1,n2 osu", "srun -w n1,n3 osu") == texts{"heading n1,n2", "heading n1,n3"});
    CHECK(both("mpirun --host 10.0.0.1:1,10.0.0.2:1 osu", "mpirun --host 10.0.0.1:1,10.0.0.3:1 osu") ==
          texts{"heading 10.0.0.1:1,10.0.0.2:1", "heading 10.0.0.1:1,10.0.0.3:1"});
    CHECK(both("--- GPU 0 <-> GPU 1", "--- GPU 2 <-> GPU 3") == texts{"heading GPU 0, GPU 1", "heading GPU 2, GPU 3"});
    CHECK(both("Within a node:", "Between nodes:") == texts{"heading Within a node:", "heading Between nodes:"});
    CHECK(both("osu -d cuda D D", "osu -d cuda H D") == texts{"heading D", "heading H"});
    CHECK(both("UCX_TLS=rc osu", "UCX_TLS=ud,sm osu") == texts{"heading UCX_TLS=rc", "heading UCX_TLS=ud,sm"});
}

TEST_CASE("a heading holds for all tables until the next of its kind") {
    std::string const other = "# OSU MPI Bandwidth Test v7.4\n# Size      Bandwidth (MB/s)\n1   2.00\n";
    auto const section = [&](std::string const& nodes) {
        return "== " + nodes + " nodes ==\nosu_latency\n" + table + "osu_bw\n" + other;
    };
    auto const all = series(section("2") + section("4"));
    CHECK(all == texts{"heading 2 nodes", "heading 2 nodes", "heading 4 nodes", "heading 4 nodes"});
}

TEST_CASE("dates, durations, numbers of runs and messages tell nothing apart") {
    for (auto const& pair : std::vector<std::pair<std::string, std::string>>{
             {"run 1 of 3", "run 2 of 3"},
             {"=== Iteration: 1 ===", "=== Iteration: 2 ==="},
             {"[3/10] osu_latency", "[4/10] osu_latency"},
             {"Tue Mar  4 10:11:12 CET 2025", "Wed Mar 12 09:01:59 CET 2025"},
             {"2025-03-04 begin", "2025-03-05 begin"},
             {"Submitted batch job 1234567", "Submitted batch job 1234568"},
             {"srun: job 17 queued", "srun: job 18 queued"},
             {"[node1:17] a message", "[node2:18] another message"},
             {"WARNING: 2 of 4 ports are down", "WARNING: 3 of 4 ports are down"},
             {"real 0m12.34s", "real 0m13.01s"},
             {"took 12 s", "took 13 s"},
             {"Triad: 11873.1 0.0123 0.0130", "Triad: 11912.9 0.0125 0.0129"},
             {"8 1.25", "8 1.50"},
             {"Loading a module\nosu_latency", "osu_latency"},
             {"", "the last job ended"}}) {
        auto const &a = pair.first, &b = pair.second; // a lambda captures no structured binding
        CAPTURE(a);
        CHECK(series(a + '\n' + table + b + '\n' + table) == texts{""});
    }
    CHECK(tools::lasting_words("run 3: -n 4, 12 s") == texts{"run", "~", "-n", "4,", "~", "s"});
}

TEST_CASE("several numbers of pairs are one series, though their headings differ") {
    auto const pairs = [](std::string const& n) {
        return "mpirun -n " + n +
               " osu_mbw_mr\n# OSU MPI Multiple Bandwidth / Message Rate Test v7.4\n# [ pairs: " + n +
               " ] [ window size: 64 ]\n# Size  MB/s\n8  80.00\n";
    };
    CHECK(series(pairs("1") + pairs("2") + pairs("4")).size() == 1);
}

TEST_CASE("what is told apart in one file is so in the other") {
    std::array logs{tools::read_log("mpirun -n 2 osu\n" + table, "a"),
                    tools::read_log("mpirun -n 2 osu\n" + table + "mpirun -n 4 osu\n" + table, "b")};
    tools::tell_apart(logs);
    auto const rows = tools::match(tools::launches_of(logs[0]), tools::launches_of(logs[1]));
    REQUIRE(rows.size() == 6);
    for (std::size_t i = 0; i != 6; ++i) CHECK(rows[i].before.medians.empty() == (i > 2));
    CHECK(logs[1].remarks.back() ==
          "b: OSU MPI Latency Test: its 'heading' has several values (-n 2; -n 4): each is a series of its own");
    std::array equal{tools::read_log("osu 1\n" + table, "a"), tools::read_log("osu 2\n" + table, "b")};
    tools::tell_apart(equal);
    CHECK(tools::match(tools::launches_of(equal[0]), tools::launches_of(equal[1])).size() == 3);
}

TEST_CASE("records of several numbers of ranks or hosts are no launches of one row") {
    auto const side = [](std::string const& path, double factor) {
        std::vector<sonde::run_file> runs;
        for (int i = 0; i != 6; ++i)
            for (auto const& [ranks, hosts] : {std::pair{2, 1}, std::pair{2, 2}, std::pair{4, 2}})
                runs.push_back(launch(ranks, hosts, factor * (100 * ranks * hosts + i)));
        return json(path, runs);
    };
    std::array logs{side("a", 1), side("b", 1.3)};
    CHECK(tools::environment_differences(logs[0].runs, logs[1].runs).empty());
    tools::tell_apart(logs);
    auto const rows = tools::compare(tools::match(logs[0].runs, logs[1].runs), {});
    REQUIRE(rows.size() == 3);
    for (auto const& r : rows) {
        CHECK(r.before.launches == 6);
        CHECK(r.outcome == sonde::outcome::slower);
    }
    CHECK(logs[0].remarks.size() == 3);
    std::array other{json("a", {launch(2, 1, 100)}), json("b", {launch(4, 1, 100)})};
    CHECK(tools::environment_differences(other[0].runs, other[1].runs).front().property == "number of ranks");
}
