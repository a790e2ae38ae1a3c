// SPDX-License-Identifier: BSL-1.0
// Invalid values of options, and the valid values of Boolean ones.
#include "words_program.hpp"

#include <doctest/doctest.h>

#include <functional>
#include <map>

using namespace imb;

namespace {

/// Values that none of these options accepts.
std::map<std::string, words> const bad{
    {"thread_level", {"nompinit", "Single", ""}},
    {"npmin", {"0", "-1", "2x", "2.0", "", " 2", "+2", "0x2", "2147483648", "99999999999999999999"}},
    {"multi", {"x", "1.5", "", "-", "2147483648"}},
    {"group_start", {"Together", ""}},
    {"off_cache", {"x", "", "2,0", "2,-1", "2,1.5", "2,64,3", "-1,64", ",64", "2,", "nan", "inf", "-inf", "2x", "1e9"}},
    {"iter", {"0", "-1", "x", "", "1,", "1,,1", "1,-1", "1,1,0", "1,1,1,1", "2x", "1.5", "1,8589934593", "2147483648"}},
    {"iter_policy", {"Dynamic", "none", ""}},
    {"time", {"0", "-1", "", "x", "s", "1ms", "1 s", "nan", "inf", "1e10", "0,5"}},
    {"mem", {"0", "-1", "", "x", "nan", "G", "512M", "4 G", "4GG"}},
    {"msgsize", {"-1", "", "1,", "1,,2", "4k", "9223372036854775808", "1.0"}},
    {"msglog", {"31", "-1", "5:3", "1:2:3", ":", "", "3:", ":3", "x", "4x", "0:31"}},
    {"map", {"0x4", "4x0", "4", "2x2x2", "", "x", "2X2", "-1x-4", "65536x65536", "0", "0x0x0"}},
    {"aggregate_mode", {"both", "Multi", ""}},
    {"window_size", {"0", "-1", "x", "", "1073741824"}},
    {"data_type", {"float16", "bfloat16", "MPI_INT", ""}},
    {"red_data_type", {"char", "byte", "float16", "bfloat16", ""}},
    {"contig_type", {"vec", ""}},
    {"mem_alloc_type", {"gpu", "Device", ""}},
    {"check_bits", {"0", "-1", "x", "", "1.5", "2147483648"}},
    {"dir", {""}},
    {"hint", {"", "key", "=value"}},
    {"report", {"", "json", "json=", "xml=file", "=file", "JSON=file", "plot="}}};

} // namespace

TEST_CASE("Boolean options accept ten words, in small or capital letters but not mixed") {
    std::vector<std::pair<std::string, std::function<bool(options const&)>>> const all{
        {"-root_shift", [](auto& o) { return o.root_shift; }},
        {"-sync", [](auto& o) { return o.sync; }},
        {"-imb_barrier", [](auto& o) { return o.own_barrier; }},
        {"-zero_size", [](auto& o) { return o.zero_size; }},
        {"-warm_up", [](auto& o) { return o.warm_up; }},
        {"-msg_pause", [](auto& o) { return o.pause; }},
        {"-check", [](auto& o) { return o.check; }}};
    for (auto const& flag : all) {
        auto const& name = flag.first;
        auto const& is_on = flag.second;
        CAPTURE(name);
        for (auto const* word : {"on", "yes", "true", "enable", "ON", "YES", "TRUE", "ENABLE", "1"})
            CHECK(is_on(parsed({name, word})));
        for (auto const* word : {"off", "no", "false", "disable", "OFF", "NO", "FALSE", "DISABLE", "0"})
            CHECK_FALSE(is_on(parsed({name, word})));
        for (auto const* word : {"On", "tRUE", "2", "01", "", "maybe"}) CHECK(refused({name, word}) != "");
    }
}

TEST_CASE("a bad value is refused in one line with the option, the value and the accepted values") {
    for (auto const& [name, values] : bad)
        for (auto const& value : values) {
            auto const line = refused({"-" + name, value});
            CAPTURE(line);
            CHECK(line.starts_with("Invalid value of -" + name + ": " + as_shown(value) + "; accepted: "));
            CHECK(line.find('\n') == line.npos);
        }
}

TEST_CASE("values that continue an option are validated together") {
    CHECK(refused({"-iter", "1,1", "-iter", "1,1"}).starts_with("Invalid value of -iter: 1,1,1,1; accepted: MSGS"));
    CHECK(refused({"-msglog", "5", "-msglog", "3"}).starts_with("Invalid value of -msglog: 5:3; accepted: "));
    CHECK(
        refused({"-report", "json=x", "-report", "csv=x"}).starts_with("Invalid value of -report: csv=x; accepted: "));
}

TEST_CASE("this test has a bad value for every option that takes a value of its own") {
    options defaults;
    for (auto const& o : option_table(defaults, {})) {
        CAPTURE(o.name);
        auto const& argument = o.argument;
        auto const elsewhere = argument == "" || argument == "BOOL" || argument == "FILE" || argument == "NAME,...";
        CHECK(elsewhere != bad.contains(o.name));
        CHECK((argument == "") == o.value.accepted.empty());
        CHECK((argument == "") == (o.value.takes == arity::none));
    }
}
