// SPDX-License-Identifier: BSL-1.0
// The command line of the programs, without MPI: the values of each option.
#include "words_program.hpp"

#include <doctest/doctest.h>

#include <functional>

using namespace imb;

namespace {

constexpr std::size_t mebi = std::size_t{1} << 20;

struct good {
    words given;
    std::function<bool(options const&)> holds;
};

void check(std::vector<good> const& all) {
    for (auto const& g : all) {
        CAPTURE(g.given);
        REQUIRE(refused(g.given) == "");
        CHECK(g.holds(parsed(g.given)));
    }
}

bool has(options const& o, std::vector<std::size_t> const& sizes) { return o.sizes == sizes; }

} // namespace

TEST_CASE("without arguments the options are IMB's defaults") {
    check({{{}, [](auto& o) {
                return o.requested == action::measure && o.names.empty() && o.npmin == 2 && !o.multi && !o.off_cache &&
                       o.iter.messages == 1000 && o.iter.volume == 40 * mebi && o.iter.nonaggregate == 100 &&
                       o.time.count() == 10 && o.memory == 1 && o.min_log == 0 && o.max_log == 22 && o.sizes.empty() &&
                       o.map.p * o.map.q == 1 && !o.root_shift && o.sync && o.zero_size && o.warm_up && !o.pause &&
                       o.window == 256 && !o.own_barrier && o.groups_together && !o.check;
            }}});
}

TEST_CASE("-npmin, -multi, -map and -window_size take integers") {
    check({{{"-npmin", "1"}, [](auto& o) { return o.npmin == 1; }},
           {{"-npmin", "5", "-npmin", "8"}, [](auto& o) { return o.npmin == 8; }},
           {{"-multi", "0"}, [](auto& o) { return o.multi == 0; }},
           {{"-multi", "1"}, [](auto& o) { return o.multi == 1; }},
           {{"-multi", "-1"}, [](auto& o) { return !o.multi; }},
           {{"-multi", "1", "-multi", "-7"}, [](auto& o) { return !o.multi; }},
           {{"-map", "2x3"}, [](auto& o) { return o.map.p == 2 && o.map.q == 3; }},
           {{"-map", "2", "-map", "3"}, [](auto& o) { return o.map.p == 2 && o.map.q == 3; }},
           {{"-map", "0x0"}, [](auto& o) { return o.map.p == 1 && o.map.q == 1; }},
           {{"-window_size", "64"}, [](auto& o) { return o.window == 64; }}});
}

TEST_CASE("-off_cache takes MiB and bytes of a line, and -1 is IMB's default cache") {
    check(
        {{{"-off_cache", "-1"}, [](auto& o) { return o.off_cache->bytes == 8 * mebi && o.off_cache->line == 64; }},
         {{"-off_cache", "2.5"}, [](auto& o) { return o.off_cache->bytes == 5 * mebi / 2 && o.off_cache->line == 64; }},
         {{"-off_cache", "2,128"}, [](auto& o) { return o.off_cache->bytes == 2 * mebi && o.off_cache->line == 128; }},
         {{"-off_cache", "2", "-off_cache", "32"}, [](auto& o) { return o.off_cache->line == 32; }},
         {{"-off_cache", "0"}, [](auto& o) { return !o.off_cache; }},
         {{"-off_cache", "0,64"}, [](auto& o) { return !o.off_cache; }}});
}

TEST_CASE("-iter fills its fields in order over several uses, and the volume has 64 bits") {
    check({{{"-iter", "10"}, [](auto& o) { return o.iter.messages == 10 && o.iter.volume == 40 * mebi; }},
           {{"-iter", "10,3"}, [](auto& o) { return o.iter.messages == 10 && o.iter.volume == 3 * mebi; }},
           {{"-iter", "10", "-iter", "3"}, [](auto& o) { return o.iter.messages == 10 && o.iter.volume == 3 * mebi; }},
           {{"-iter", "10,3", "-iter", "5"},
            [](auto& o) { return o.iter.volume == 3 * mebi && o.iter.nonaggregate == 5; }},
           {{"-iter", "1,0,1"}, [](auto& o) { return o.iter.volume == 0 && o.iter.nonaggregate == 1; }},
           {{"-iter", "1,2048"}, [](auto& o) { return o.iter.volume == std::size_t{1} << 31; }},
           {{"-iter", "1,8589934592"}, [](auto& o) { return o.iter.volume == std::size_t{1} << 53; }},
           {{"-iter_policy", "dynamic"}, [](auto& o) { return o.counted == policy::dynamic; }},
           {{"-iter_policy", "off"}, [](auto& o) { return o.counted == policy::off; }},
           {{"-iter_policy", "multiple_np"}, [](auto& o) { return o.counted == policy::multiple_np; }},
           {{"-iter_policy", "auto"}, [](auto& o) { return o.counted == policy::automatic; }},
           {{"-time", "0.5"}, [](auto& o) { return o.time.count() == 0.5; }},
           {{"-time", "10s"}, [](auto& o) { return o.time.count() == 10; }},
           {{"-mem", "0.25"}, [](auto& o) { return o.memory == 0.25; }},
           {{"-mem", "4G"}, [](auto& o) { return o.memory == 4; }},
           {{"-mem", "1.5GiB"}, [](auto& o) { return o.memory == 1.5; }}});
}

TEST_CASE("sizes are given as powers of two, as a list or in a file; the list has priority") {
    file const some{"words_sizes.txt", "# sizes\n\n12\n 4k \r\n1m\n2K\n3M\n0\n2g\n7"};
    check({{{"-msglog", "4"}, [](auto& o) { return o.min_log == 0 && o.max_log == 4; }},
           {{"-msglog", "3:5"}, [](auto& o) { return o.min_log == 3 && o.max_log == 5; }},
           {{"-msglog", "3", "-msglog", "5"}, [](auto& o) { return o.min_log == 3 && o.max_log == 5; }},
           {{"-msglog", "30:30"}, [](auto& o) { return o.min_log == 30 && o.max_log == 30; }},
           {{"-msglog", "0"}, [](auto& o) { return o.max_log == 0; }},
           {{"-msgsize", "8,0,3000000000"},
            [](auto& o) {
                return has(o, {8, 0, 3000000000});
            }},
           {{"-msgsize", "8", "-msgsize", "4"},
            [](auto& o) {
                return has(o, {8, 4});
            }},
           {{"-msglen", some.path},
            [](auto& o) {
                return has(o, {12, 4096, mebi, 2048, 3 * mebi, 0, 2048 * mebi, 7});
            }},
           {{"-msgsize", "9", "-msglen", some.path}, [](auto& o) { return has(o, {9}); }},
           {{"-msglen", some.path, "-msgsize", "9"}, [](auto& o) { return has(o, {9}); }}});
}

TEST_CASE("enumerated options accept their words") {
    check({{{"-thread_level", "single"}, [](auto& o) { return o.level == threading::single; }},
           {{"-thread_level", "funneled"}, [](auto& o) { return o.level == threading::funneled; }},
           {{"-thread_level", "serialized"}, [](auto& o) { return o.level == threading::serialized; }},
           {{"-thread_level", "multiple"}, [](auto& o) { return o.level == threading::multiple; }},
           {{"-group_start", "together"}, [](auto& o) { return o.groups_together; }},
           {{"-group_start", "apart"}, [](auto& o) { return !o.groups_together; }},
           {{"-aggregate_mode", "aggregate"}, [](auto& o) { return o.aggregate == modes::aggregate; }},
           {{"-aggregate_mode", "non_aggregate"}, [](auto& o) { return o.aggregate == modes::non_aggregate; }},
           {{"-aggregate_mode", "multi"}, [](auto& o) { return o.aggregate == modes::both; }},
           {{"-data_type", "byte"}, [](auto& o) { return o.data == element::byte; }},
           {{"-data_type", "char"}, [](auto& o) { return o.data == element::character; }},
           {{"-data_type", "int"}, [](auto& o) { return o.data == element::integer; }},
           {{"-data_type", "float"}, [](auto& o) { return o.data == element::real; }},
           {{"-data_type", "double"}, [](auto& o) { return o.data == element::double_real; }},
           {{"-mem_alloc_type", "cpu"}, [](auto& o) { return o.allocated.kind == suite::memory_kind::host; }},
           {{"-mem_alloc_type", "device"}, [](auto& o) { return o.allocated.kind == suite::memory_kind::device; }},
           {{"-mem_alloc_type", "host"}, [](auto& o) { return o.allocated.kind == suite::memory_kind::pinned_host; }},
           {{"-mem_alloc_type", "shared"}, [](auto& o) { return o.allocated.kind == suite::memory_kind::managed; }},
           {{"-red_data_type", "int"}, [](auto& o) { return o.reduced == element::integer; }},
           {{"-red_data_type", "float"}, [](auto& o) { return o.reduced == element::real; }},
           {{"-red_data_type", "double"}, [](auto& o) { return o.reduced == element::double_real; }},
           {{"-contig_type", "base"}, [](auto& o) { return o.contiguous == layout::base; }},
           {{"-contig_type", "base_vec"}, [](auto& o) { return o.contiguous == layout::base_vec; }},
           {{"-contig_type", "resize"}, [](auto& o) { return o.contiguous == layout::resize; }},
           {{"-contig_type", "resize_vec"}, [](auto& o) { return o.contiguous == layout::resize_vec; }}});
}

TEST_CASE("file options: directories and hints have one value, reports as many as are given") {
    check({{{"-dir", "/tmp"}, [](auto& o) { return o.directory == "/tmp"; }},
           {{"-hint", "a=b", "-hint", "c=", "-hint", "d=e=f"},
            [](auto& o) {
                return o.hints == std::vector<std::pair<std::string, std::string>>{{"a", "b"}, {"c", ""}, {"d", "e=f"}};
            }},
           {{"-report", "json=x", "-report", "csv=y=z", "-report", "table=t"}, [](auto& o) {
                return o.reports.size() == 3 && o.reports[0].form == sonde::report_form::json_lines &&
                       o.reports[1].path == "y=z" && o.reports[2].form == sonde::report_form::table;
            }}});
}

// The selected benchmarks, their order, and the list of all benchmarks.

namespace {

std::string selection(words const& all) {
    auto const about = program();
    std::string names;
    for (auto const* test : selected(about.tests, parsed(all, about))) names += " " + test->name;
    return names.empty() ? names : names.substr(1);
}

std::string refused_selection(words const& all) {
    return refused([&] { selection(all); });
}

} // namespace

TEST_CASE("without names the default benchmarks run, in the order of the table") {
    CHECK(selection({}) == "PingPong PingPing Bcast Passive");
}

TEST_CASE("names match in any case, run in the given order and number, and may be separated by commas") {
    CHECK(selection({"bcast", "PINGPONG,uniband", "Bcast,bcast"}) == "Bcast PingPong Uniband Bcast Bcast");
}

TEST_CASE("included benchmarks come first, before the default list or the names; excluded ones are removed") {
    CHECK(selection({"-include", "uniband"}) == "Uniband PingPong PingPing Bcast Passive");
    CHECK(selection({"Bcast", "-include", "uniband", "-include", "PingPong"}) == "Uniband PingPong Bcast");
    CHECK(selection({"-exclude", "pingpong,bcast"}) == "PingPing Passive");
    CHECK(selection({"-exclude", "pingpong", "-exclude", "bcast"}) == "PingPing Passive");
    CHECK(selection({"Bcast", "Uniband", "-include", "uniband", "-exclude", "UNIBAND"}) == "Bcast");
}

TEST_CASE("names of files follow those of the command line: the first word of each line that is not a comment") {
    file const first{"words_names.txt", "\n# pingpong\nBcast and more\n\n \t uniband\n#\nBcast"};
    file const second{"words_more.txt", "PingPing\r\n"};
    CHECK(selection({"-input", first.path, "pingpong"}) == "PingPong Bcast Uniband Bcast");
    CHECK(selection({"-input", first.path, "-input", second.path}) == "Bcast Uniband Bcast PingPing");
    file const empty{"words_none.txt", "# PingPong\n\n"};
    CHECK(refused_selection({"-input", empty.path}) ==
          "No name in the file of -input " + empty.path + "; accepted: one a line");
    CHECK(refused_selection({"-input", "no_such"}) ==
          "Cannot read the file of -input no_such: No such file or directory");
}

TEST_CASE("an unknown name is refused in every option, with the nearest name") {
    auto const* const line = "Invalid benchmark name PingPng; did you mean PingPong? (-list prints all)";
    file const names{"words_names.txt", "PingPng\n"};
    CHECK(refused_selection({"PingPng"}) == line);
    CHECK(refused_selection({"Bcast,PingPng"}) == line);
    CHECK(refused_selection({"-include", "PingPng"}) == line);
    CHECK(refused_selection({"-exclude", "PingPng"}) == line);
    CHECK(refused_selection({"-input", names.path}) == line);
}

TEST_CASE("an empty name and an empty selection are refused") {
    CHECK(refused({"Bcast,"}) == "Invalid names of benchmarks: Bcast,; accepted: names with commas between");
    CHECK(refused({""}) == "Invalid names of benchmarks: ; accepted: names with commas between");
    for (auto const* option : {"-include", "-exclude"})
        for (auto const* value : {"", "Bcast,", ",Bcast", "Bcast,,PingPong"})
            CHECK(refused({option, value})
                      .starts_with("Invalid value of " + std::string{option} + ": " + as_shown(value) +
                                   "; accepted: names of "));
    CHECK(refused_selection({"Bcast", "-exclude", "Bcast"}) ==
          "-exclude leaves no benchmark to run; accepted: some of those asked for");
}

TEST_CASE("the list is alphabetical, marks benchmarks that do not run by default, and ends with comments") {
    CHECK(parsed({"-list"}).requested == action::list);
    CHECK(list("IMB-TEST", program().tests) ==
          "Intel(R) MPI Benchmarks 2021.11\nList of benchmarks:\nIMB-TEST:\n"
          "    Bcast\n    Passive\n        2 cases:\n        1) one\n    PingPing\n    PingPong\n"
          "    Uniband (non-default)\n");
}
