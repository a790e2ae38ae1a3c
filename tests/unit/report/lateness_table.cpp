// SPDX-License-Identifier: BSL-1.0
#include <sonde/lateness/sentences.hpp>
#include <sonde/report/any_reporter.hpp>
#include <sonde/report/table.hpp>

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "support.hpp"

namespace {

/// A loop of 4 s on four ranks, of which 0.5 s are waiting and 0.25 s transfer.
sonde::lateness_record waiting_loop() {
    sonde::lateness_record r{.steps = 400, .observed = sonde::seconds{4}, .low = 0.12, .high = 0.13};
    r.enough_steps = true;
    r.exchanges = {{"halo", 400, 0, sonde::seconds{0.5}, sonde::seconds{0.25}}};
    r.ranks.resize(4);
    for (auto& rank : r.ranks) rank.waiting = sonde::seconds{0.125};
    return r;
}

sonde::late_rank every_tenth_step() {
    sonde::late_rank l{
        .rank = 3, .caused = sonde::seconds{0.45}, .exchange = "halo", .lateness = sonde::seconds{213e-6}};
    for (std::size_t s = 9; s < 400; s += 10) l.steps.push_back(s);
    l.of_steps = 399;
    l.work = {"solve", 3.04, true, sonde::seconds{1e-4}};
    return l;
}

} // namespace

TEST_CASE("sentences: the waiting, and the rank that caused it with its steps and work") {
    auto r = waiting_loop();
    r.late = {every_tenth_step()};
    CHECK(sentences(r) == std::vector<std::string>{
                              "Ranks waited 12.5 % of the loop (95 % interval 12.0 to 13.0 %).",
                              "Rank 3 caused 90 % of it: it reached `halo` 213 us late in 40 of 399 steps (9, 19, 29, "
                              "..: every 10th), because its `solve` took 3.0 times its median there."});
    r.late[0].work.of_other_steps = false;
    for (std::size_t s = 0; s != 360; ++s) r.late[0].steps.push_back(400 + s);
    CHECK(sentences(r)[1] == "Rank 3 caused 90 % of it: it reached `halo` 213 us late in 400 of 399 steps, because its "
                             "`solve` took 3.0 times the other ranks' median.");
    r.late[0].work = {};
    CHECK(sentences(r)[1] == "Rank 3 caused 90 % of it: it reached `halo` 213 us late in 400 of 399 steps.");
}

TEST_CASE("sentences: nobody stands out, too few steps, little waiting, no exchange") {
    auto r = waiting_loop();
    CHECK(sentences(r)[1] == "No rank stands out: another rank is late in each step.");
    r.ranks[2].caused_by_work = sonde::seconds{0.2};
    CHECK(sentences(r)[1] == "No rank stands out: none is late often enough.");
    r.ranks[2].caused_by_transfer = sonde::seconds{0.3};
    CHECK(sentences(r)[1] == "No rank stands out: most waits are for ranks whose transfers took long.");
    r.enough_steps = false;
    r.low.reset();
    CHECK(sentences(r) ==
          std::vector<std::string>{"Ranks waited 12.5 % of the loop.", "The steps are too few to name a rank."});
    r.exchanges[0].waiting = sonde::seconds{0.039};
    CHECK(sentences(r) == std::vector<std::string>{"Waiting is below 1 % of the loop."});
    r.steps = 1;
    CHECK(sentences(r) ==
          std::vector<std::string>{"Fewer than two steps are known on all ranks, so nothing is known of waiting."});
    CHECK(sentences(sonde::lateness_record{}) ==
          std::vector<std::string>{"No rank has an exchange, so nothing is known of waiting."});
}

TEST_CASE("sentences and table: passes that are not examined, and unequal numbers of passes") {
    auto r = waiting_loop();
    r.exchanges[0].passes = 2048;
    r.exchanges[0].unexamined = 17952;
    CHECK(sentences(r).back() == "Of `halo`, the latest 2048 of 20000 passes were examined.");
    r.exchanges.push_back({"pair", 60, 0, {}, {}, {{2, 60, 0, 61}}});
    CHECK(sentences(r)[2] == "Ranks passed `pair` unequally often, rank 2 60 times and rank 0 61 times: steps are "
                             "matched by their numbers, so the times after a pass that a rank left out belong to "
                             "different steps.");
    reports::scratch_folder folder;
    auto const path = folder / "lateness.txt";
    CHECK(sonde::any_reporter{sonde::table{path}}(r));
    CHECK(reports::contents(path).find("exchange          passes  waiting  transfer\n"
                                       "halo       2048 of 20000   12.5 %     6.2 %\n"
                                       "pair      60 of 60 to 61    0.0 %     0.0 %\n") != std::string::npos);
}

TEST_CASE("sentences: a slow transfer, and the error of the clocks") {
    auto r = waiting_loop();
    r.slow_transfers = {{"halo", {2, 3}, 3.0, sonde::seconds{0.4}}};
    r.clock_error = sonde::seconds{2.5e-6};
    CHECK(sentences(r) ==
          std::vector<std::string>{"Ranks waited 12.5 % of the loop (95 % interval 12.0 to 13.0 %).",
                                   "The exchange `halo` itself takes 3.0 times as long on ranks 2 and "
                                   "3 as on the other ranks.",
                                   "Shorter waits than 2.50 us, the error of the ranks' clocks, count as transfer."});
    r.slow_transfers[0].ranks = {0, 1, 2, 3, 4, 5, 6};
    CHECK(sentences(r)[1].find("on ranks 0, 1, 2 and 4 others as") != std::string::npos);
    r.slow_transfers[0].ranks = {5};
    CHECK(sentences(r)[1].find("on rank 5 as") != std::string::npos);
}

TEST_CASE("lateness table: sentences, exchanges and the ranks that caused most") {
    auto r = waiting_loop();
    r.late = {every_tenth_step()};
    r.ranks[3].caused_by_work = sonde::seconds{0.45};
    r.ranks[1].caused_by_transfer = sonde::seconds{0.05};
    reports::scratch_folder folder;
    auto const path = folder / "lateness.txt";
    CHECK(sonde::any_reporter{sonde::table{path}}(r));
    CHECK(reports::contents(path) ==
          "Ranks waited 12.5 % of the loop (95 % interval 12.0 to 13.0 %).\n"
          "Rank 3 caused 90 % of it: it reached `halo` 213 us late in 40 of 399 steps (9, 19, 29, ..: every 10th), "
          "because its `solve` took 3.0 times its median there.\n"
          "\n"
          "exchange  passes  waiting  transfer\n"
          "halo         400   12.5 %     6.2 %\n"
          "\n"
          "rank  waited  caused  by transfer\n"
          "3     12.5 %  90.0 %        0.0 %\n"
          "1     12.5 %   0.0 %       10.0 %\n"
          "0     12.5 %   0.0 %        0.0 %\n"
          "2     12.5 %   0.0 %        0.0 %\n");
}
