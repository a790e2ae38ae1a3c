// SPDX-License-Identifier: BSL-1.0
#include "../../support.hpp"

#include <sonde/probe/scope_record.hpp>

#include <doctest/doctest.h>

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

using namespace unit;

namespace {

sonde::record named(std::string name) {
    sonde::record r;
    r.point.name = std::move(name);
    return r;
}

auto recording_reporter(std::vector<std::string>& log, std::string who) {
    return [&log, who](sonde::record const& r) { log.push_back(who + r.point.name); };
}

} // namespace

TEST_CASE("tee: each record goes to each reporter, in order") {
    std::vector<std::string> log;
    auto report = sonde::tee(recording_reporter(log, "table "), recording_reporter(log, "file "));
    report(named("one"));
    report(named("two"));
    CHECK(log == std::vector<std::string>{"table one", "file one", "table two", "file two"});
}

TEST_CASE("tee: reporters may have state, and a tee may be empty") {
    std::vector<int> counts;
    auto report = sonde::tee([&counts, n = 0](sonde::record const&) mutable { counts.push_back(++n); });
    report(named(""));
    report(named(""));
    CHECK(counts == std::vector<int>{1, 2});
    sonde::tee()(named(""));
}

TEST_CASE("on_root: a function that makes the reporter is called on rank 0 only") {
    auto const made = on_ranks(3, {}, [](process& self) {
        std::vector<std::string> log;
        auto group = self.group();
        sonde::on_root report{group, [&] {
                                  log.push_back("made");
                                  return recording_reporter(log, "");
                              }};
        report(named("one"));
        return log;
    });
    CHECK(made == std::vector<std::vector<std::string>>{{"made", "one"}, {}, {}});
}

TEST_CASE("on_root: if rank 0 cannot make its reporter all ranks throw, rank 0 with the reason") {
    auto const caught = caught_on_ranks(3, [](process& self) {
        auto group = self.group();
        auto const failing = []() -> void (*)(sonde::record const&) { throw std::domain_error{"no such folder"}; };
        sonde::on_root{group, failing};
    });
    CHECK(caught[0] == "no such folder");
    CHECK(caught[1] == "sonde::on_root: rank 0 could not make its reporter");
    CHECK(caught[2] == caught[1]);
}

namespace {

using scope_list = std::vector<sonde::scope_record>;

/// Reporter of records, comparisons and scopes.
struct any_reporter {
    std::vector<std::string>& log;

    void operator()(sonde::record const& r) const { log.push_back(r.point.name); }
    void operator()(sonde::comparison const& c, sonde::criterion required = {}) const {
        log.push_back(c.records.front().point.name + (required.gain > 0 ? " with a gain" : ""));
    }
    void operator()(scope_list const& found) const { log.push_back(std::to_string(found.size()) + " scopes"); }
};

template <class R>
concept takes_comparison = requires(R& r, sonde::comparison const& found) { r(found); };
template <class R>
concept takes_scopes = requires(R& r, scope_list const& found) { r(found); };

} // namespace

TEST_CASE("tee and on_root pass records, comparisons with their criterion and scopes, on_root on rank 0 only") {
    auto const logs = on_ranks(2, {}, [](process& self) {
        std::vector<std::string> log;
        auto group = self.group();
        auto both = sonde::tee(any_reporter{log}, any_reporter{log});
        sonde::on_root report{group, both};
        report(named("record"));
        report(sonde::comparison{{named("comparison")}});
        report(sonde::comparison{{named("comparison")}}, {.gain = 0.1});
        report(scope_list(3));
        return log;
    });
    CHECK(logs[0] == std::vector<std::string>{"record", "record", "comparison", "comparison", "comparison with a gain",
                                              "comparison with a gain", "3 scopes", "3 scopes"});
    CHECK(logs[1].empty());
}

TEST_CASE("tee and on_root of a reporter that takes records only refuse comparisons and scopes") {
    using records_only = void (*)(sonde::record const&);
    using mixed = decltype(sonde::tee(std::declval<any_reporter>(), records_only{}));
    static_assert(sonde::Reporter<mixed>);
    CHECK_FALSE((takes_comparison<mixed> || takes_scopes<mixed>));
    CHECK_FALSE((takes_comparison<sonde::on_root<records_only>> || takes_scopes<sonde::on_root<mixed>>));
    using all = decltype(sonde::tee(std::declval<any_reporter>()));
    CHECK((takes_comparison<all> && takes_scopes<all>));
    CHECK((takes_comparison<sonde::on_root<any_reporter>> && takes_scopes<sonde::on_root<any_reporter>>));
}

namespace {

/// A reporter that writes when it is finished.
struct at_end {
    int* finished;
    void operator()(sonde::record const&) {}
    void finish() const { ++*finished; }
};

} // namespace

TEST_CASE("a tee and on_root finish the reporters that write at their end, on_root on rank 0 only") {
    int finished = 0;
    auto both = sonde::tee(
        at_end{&finished}, [](sonde::record const&) {}, at_end{&finished});
    both.finish();
    CHECK(finished == 2);
    sonde::single_rank root;
    sonde::on_root{root, both}.finish();
    CHECK(finished == 4);
    struct : sonde::single_rank {
        int rank() const { return 1; }
    } other;
    sonde::on_root{other, both}.finish();
    CHECK(finished == 4);
    sonde::on_root{root, sonde::tee([](sonde::record const&) {})}.finish();
}
