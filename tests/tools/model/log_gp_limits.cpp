// SPDX-License-Identifier: BSL-1.0
#include "../../relative_difference.hpp"
#include "log_gp_support.hpp"

#include "tools/model/regression/log_gp_fit.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <vector>

using tools::fit_error;
using tools::regression::fit;
using tools::regression::fit_result;
using tools::regression::parameter_status;

namespace {

bool note_contains(fit_result<piecewise_log_gp> const& found, std::string const& words) {
    return found.note.find(words) != std::string::npos;
}

/// The text of the exception for points of which the fifth, of 4097 B, is changed.
template <class Change>
std::string refusal(Change change) {
    auto points = series_of(eager, 8);
    change(points[4]);
    try {
        static_cast<void>(fit(points));
    } catch (fit_error const& e) {
        return e.what();
    }
    return "no refusal";
}

} // namespace

TEST_CASE("a processor that limits the interval makes g and G upper bounds, and the note names its overhead") {
    auto slow = eager;
    slow.send_overhead = seconds{80e-6};
    auto const by_sender = fit(series_of(slow, 64));
    CHECK(by_sender("g").status == parameter_status::upper_bound);
    CHECK(relative_difference(by_sender("g").value, 80e-6) < 1e-6);
    CHECK(by_sender("G").status == parameter_status::upper_bound);
    CHECK(relative_difference(by_sender("G").value, 80e-6 / (63 * 1024)) < 1e-6);
    CHECK(relative_difference(by_sender("o_s").value, 80e-6) < 1e-6);
    CHECK(relative_difference(by_sender("L").value, 5e-6) < 1e-6);
    CHECK(note_contains(by_sender, "the sender's overhead"));
    slow.send_overhead = eager.send_overhead;
    slow.receive_overhead = seconds{80e-6};
    CHECK(note_contains(fit(series_of(slow, 64)), "the receiver's overhead"));
}

TEST_CASE("a processor that limits the interval of small sizes leaves g and G to the larger ones") {
    auto slow = eager;
    slow.send_overhead = seconds{3.3e-6};
    auto const found = fit(series_of(slow, 64, 512));
    REQUIRE(found.model.segments.size() == 1);
    CHECK(relative_difference(found("g").value, 3e-6) < 1e-6);
    CHECK(relative_difference(found("G").value, 2e-10) < 1e-6);
    CHECK(found("g").status == parameter_status::determined);
    CHECK(note_contains(found, "the sender's overhead limits the message rate: g and G are those of larger messages"));
}

TEST_CASE("a latency that is not positive is undetermined") {
    auto points = series_of(eager, 64);
    for (auto& p : points) p.prtt_nd += 11 * seconds{6e-6};
    auto const found = fit(points);
    CHECK(found("o_s").status == parameter_status::determined);
    CHECK(found("L").status == parameter_status::undetermined);
    CHECK(note_contains(found, "L is not above 0"));
}

TEST_CASE("a wait shorter than the interval makes the overheads upper bounds") {
    auto points = series_of(eager, 64);
    points[3].wait = points[3].interval() * 0.99;
    auto const found = fit(points);
    CHECK(found("o_s").status == parameter_status::upper_bound);
    CHECK(found("o_r").status == parameter_status::upper_bound);
    CHECK(found("g").status == parameter_status::determined);
    CHECK(note_contains(found, "the wait was shorter than the interval at 1 size"));
}

TEST_CASE("too few points are refused") {
    auto const good = series_of(eager, 8);
    CHECK_NOTHROW(fit(good));
    CHECK_THROWS_AS(fit(std::vector<tools::model_point<log_gp>>{}), fit_error);
    CHECK_THROWS_WITH_AS(fit({good[0], good[1], good[1], good[0]}), "LogGP: 2 sizes; it needs three at least",
                         fit_error);
}

TEST_CASE("invalid points are refused with their size") {
    constexpr auto infinite = std::numeric_limits<double>::infinity();
    auto const names_size = [](std::string const& words) { return words.find("4097 B") != std::string::npos; };
    CHECK(names_size(refusal([](auto& p) { p.messages = 1; })));
    CHECK(names_size(refusal([](auto& p) { p.prtt_1 = seconds{0}; })));
    CHECK(names_size(refusal([](auto& p) { p.prtt_n = seconds{-1}; })));
    CHECK(names_size(refusal([](auto& p) { p.wait = seconds{0}; })));
    CHECK(names_size(refusal([](auto& p) { p.receive_1 = seconds{std::nan("")}; })));
    CHECK(names_size(refusal([&](auto& p) { p.receive_n = seconds{infinite}; })));
    CHECK(names_size(refusal([](auto& p) { p.prtt_n = p.prtt_1; })));
    CHECK(names_size(refusal([](auto& p) { p.prtt_nd = 0.9 * p.prtt_1; })));
    CHECK(names_size(refusal([](auto& p) { p.receive_n = p.receive_1; })));
    CHECK(refusal([&](auto& p) { p.size = bytes{infinite}; }).find("inf B") != std::string::npos);
    CHECK(refusal([](auto& p) { p.size = bytes{0}; }).find("a message of 0 B") != std::string::npos);
    CHECK(refusal([](auto&) {}) == "no refusal");
}

TEST_CASE("an undetermined overhead leaves half of a round trip as the only bound of L") {
    auto points = series_of(eager, 16);
    for (auto& p : points) p.prtt_nd = p.prtt_1 + 11 * (p.wait - seconds{1e-6});
    auto const found = fit(points);
    CHECK(found("o_s").status == parameter_status::undetermined);
    CHECK(found("L").status == parameter_status::upper_bound);
    CHECK(found("L").value == points[0].prtt_1.count() / 2);
    CHECK(found.model.time(1) >= seconds{0});
    CHECK(note_contains(found, "half of PRTT(1, 0, s) at 1 B, 6.8 us, contains L and both overheads"));
}

TEST_CASE("upper bounds of L, o_s and o_r above half of a round trip are that half") {
    auto points = series_of(eager, 8);
    for (std::size_t i = 0; i != 8; ++i) {
        points[i].wait = points[i].interval() * 0.9;
        points[i].prtt_nd *= i % 2 == 0 ? 1.4 : 0.6;
        points[i].receive_n *= i % 2 == 0 ? 1.4 : 0.6;
    }
    auto const found = fit(points);
    for (auto const* name : {"L", "o_s", "o_r"}) {
        CAPTURE(name);
        CHECK(found(name).status == parameter_status::upper_bound);
        CHECK(found(name).value == points[0].prtt_1.count() / 2);
    }
}

TEST_CASE("a round trip shorter than the sum of its parts makes L an upper bound") {
    auto points = series_of(eager, 64);
    for (auto& p : points) { // half of the time of bytes passes while the processor still sends
        auto const overlapped = 4e-10 * seconds{p.size.count() - 1};
        auto const by = p.prtt_1 - std::max(p.prtt_1 - overlapped, seconds{2e-6});
        for (auto* t : {&p.prtt_1, &p.prtt_n, &p.prtt_nd}) *t -= by;
    }
    auto const found = fit(points);
    CHECK(found("L").status == parameter_status::upper_bound);
    CHECK(found("g").status == parameter_status::determined);
    CHECK(note_contains(found, "PRTT(1, 0, s) does not grow as"));
}
