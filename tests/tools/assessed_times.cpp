// SPDX-License-Identifier: BSL-1.0
// Bounds, efficiencies and what can be won, by hand.
#include "tools/replay/assess/assessment.hpp"
#include "tools/replay/assess/assessment_text.hpp"
#include "tools/replay/assess/lower_bounds.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace tools::replay;
using sonde::outcome;
using sonde::seconds;
using sonde::model::bytes;
using sonde::model::rate;

namespace {

/// alpha 1 us, 1 GB/s, 1 ns to reduce a byte.
machine plain_machine() {
    machine m;
    m.message.segments = {{bytes{0}, {seconds{1e-6}, rate{1e9}}}};
    m.reduction_per_byte = seconds{1e-9};
    return m;
}

std::vector<double> terms(std::string const& name, int ranks, double n) {
    auto const t = terms_of(name, ranks, n);
    return t ? std::vector{t->rounds, t->bytes, t->reduced} : std::vector<double>{};
}

double in_us(seconds t) { return t.count() * 1e6; }

measured_alternative faster(std::string name, double speedup, double low, double high, std::string condition = "") {
    return {std::move(name), std::move(condition), 1e-6, speedup, sonde::speedup_range{low, high}, outcome::faster,
            "faster"};
}

/// 100 operations of 10 us in the application, 8 us alone.
assessment assessed(std::vector<measured_alternative> alternatives) {
    assessment a;
    a.call = "Allreduce";
    a.times = 100;
    a.median_seconds = 10e-6;
    a.total_seconds = 2e-3;
    a.alone_seconds = 8e-6;
    a.bound_seconds = 2e-6;
    a.alternatives = std::move(alternatives);
    return a;
}

} // namespace

TEST_CASE("the terms of lower bounds are those of Chan et al., table 1") {
    CHECK(terms("Barrier", 8, 0) == std::vector<double>{3, 0, 0});
    CHECK(terms("Bcast", 8, 800) == std::vector<double>{3, 800, 0});
    CHECK(terms("Reduce", 8, 800) == std::vector<double>{3, 800, 700});
    CHECK(terms("Allreduce", 8, 800) == std::vector<double>{3, 1400, 700});
    CHECK(terms("Reduce_scatter", 8, 800) == std::vector<double>{3, 700, 700});
    for (auto const* name : {"Gather", "Scatter", "Allgather", "Alltoall"})
        CHECK(terms(name, 8, 800) == std::vector<double>{3, 700, 0});
    CHECK(terms("Scan", 5, 800) == std::vector<double>{3, 800, 800});
    CHECK(terms("Allreduce", 1, 800) == std::vector<double>{0, 0, 0});
    CHECK(terms("Neighbor_alltoall", 8, 800).empty());
}
TEST_CASE("a bound is the sum of latency, transfer and computation, by the parameters of a round's messages") {
    auto m = plain_machine();
    CHECK(in_us(time_of(*terms_of("Allreduce", 8, 8000), m)) == doctest::Approx(3 + 14 + 7));
    CHECK(in_us(time_of(*terms_of("Barrier", 8, 0), m)) == doctest::Approx(3));
    m.message.segments.push_back({bytes{4000}, {seconds{5e-6}, rate{2e9}}});
    CHECK(in_us(time_of(*terms_of("Bcast", 8, 9000), m)) == doctest::Approx(3 + 9)); // 3000 bytes in a round
    CHECK(in_us(time_of(*terms_of("Bcast", 8, 18000), m)) == doctest::Approx(15 + 9));
}
TEST_CASE("an exchange takes one latency and the bytes of its busiest rank in one direction") {
    auto m = plain_machine();
    std::vector<exchanged_message> const all{{0, 1, 1000}, {0, 2, 2000}, {1, 0, 500}, {2, 1, 2500}};
    CHECK(in_us(exchange_bound(all, m)) == doctest::Approx(1 + 3.5)); // rank 1 receives 1000 and 2500
    CHECK(in_us(exchange_bound({{0, 1, 4000}}, m)) == doctest::Approx(5));
    CHECK(exchange_bound({}, m).count() == 0);
    m.node_rate = rate{1e9}; // of all ranks of the host: 6000 bytes
    m.host_of_rank = {0, 0, 0};
    CHECK(in_us(exchange_bound(all, m)) == doctest::Approx(1 + 6));
    m.host_of_rank = {0, 0, 1}; // 2000 bytes leave host 0, 2500 host 1
    CHECK(in_us(exchange_bound(all, m)) == doctest::Approx(1 + 3.5));
    m.node_rate = rate{0.5e9};
    CHECK(in_us(exchange_bound(all, m)) == doctest::Approx(1 + 5));
}
TEST_CASE("a line below measured times takes its rate from messages that are long enough") {
    auto const line = line_below({{1, seconds{1.1e-6}},
                                  {4, seconds{1e-6}},
                                  {16, seconds{1.0001e-6}},
                                  {4000, seconds{2e-6}},
                                  {16000, seconds{9e-6}}});
    CHECK(in_us(line.alpha) == doctest::Approx(1));
    CHECK(line.r_inf.count() == doctest::Approx(4e9));
    CHECK(line_below({{1, seconds{1e-6}}}).r_inf.count() == sonde::model::unlimited);
}
TEST_CASE("what can be won is a part of the library's time, without what ranks waited for") {
    auto const a = assessed({faster("a", 2, 1.6, 4)});
    CHECK(waiting_seconds(a) == doctest::Approx(2e-6));
    CHECK(efficiency(a) == doctest::Approx(0.5));
    CHECK(*bound_efficiency(a) == doctest::Approx(0.25));
    auto const won = can_be_won(a);
    CHECK(won.seconds == doctest::Approx(400e-6));
    CHECK(won.low == doctest::Approx(300e-6));
    CHECK(won.high == doctest::Approx(600e-6));
    auto overlapped = a; // the application waits for less than the exchange takes alone
    overlapped.median_seconds = 1e-6;
    CHECK(waiting_seconds(overlapped) == 0);
    CHECK(can_be_won(overlapped).seconds == doctest::Approx(50e-6));
}
TEST_CASE("only alternatives that are surely faster count, those without a condition first") {
    auto undecided = faster("a", 9, 0.5, 20);
    undecided.outcome = outcome::undecided;
    auto const nothing = assessed({undecided});
    CHECK(best_of(nothing) == nullptr);
    CHECK(efficiency(nothing) == 1);
    CHECK(can_be_won(nothing).high == 0);
    auto const a = assessed({undecided, faster("b", 3, 2, 4, "x"), faster("c", 1.5, 1.4, 1.6), faster("d", 2, 1, 3),
                             faster("e", 4, 2, 5, "x"), faster("f", 5, 2, 6, "y")});
    CHECK(best_of(a)->name == "d");
    std::string names;
    for (auto const* one : best_of_conditions(a)) names += one->name;
    CHECK(names == "dfe");
}
TEST_CASE("sites are in the order of what can be won, then of their time") {
    auto small = assessed({faster("a", 1.1, 1.05, 1.2)}), large = assessed({faster("a", 2, 1.9, 2.1)});
    auto nothing = assessed({}), longer = assessed({});
    small.phase = "small";
    large.phase = "large";
    nothing.phase = "nothing";
    longer.phase = "longer";
    longer.total_seconds = 5;
    std::vector all{nothing, small, longer, large};
    rank_by_gain(all);
    std::string order;
    for (auto const& a : all) order += a.phase + ' ';
    CHECK(order == "large small longer nothing ");
}
TEST_CASE("the report names no more than three sites, and says where nothing surely better was found") {
    assessed_trace all;
    all.run_seconds = 0.01;
    all.operations = {assessed({}), assessed({})};
    CHECK(assessment_text(all).find("Nothing surely better was found at any call site.") != std::string::npos);
    for (int i = 0; i != 4; ++i) all.operations.push_back(assessed({faster("MPI_Bcast", 2, 1.6, 4, "it is")}));
    rank_by_gain(all.operations);
    auto const text = assessment_text(all);
    CHECK(text.find("\n1. Allreduce at , : 0.000400 s [0.000300, 0.000600], 4.0 % [3.0, 6.0] of the run time\n"
                    "   by MPI_Bcast: 2.00 [1.60, 4.00] times as fast, if it is\n2. ") != std::string::npos);
    CHECK(text.find("\n3. ") != std::string::npos);
    CHECK(text.find("\n4. ") == std::string::npos);
    CHECK(text.find("no alternative") != std::string::npos);
}
