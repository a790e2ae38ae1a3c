// SPDX-License-Identifier: BSL-1.0
// Parsing of arguments and of the files that options name, and the text of the help.
#include "words_program.hpp"

#include "suite/values.hpp"

#include <doctest/doctest.h>

using namespace imb;

TEST_CASE("edit_distance is the number of letters to change") {
    CHECK(edit_distance("", "") == 0);
    CHECK(edit_distance("abc", "") == 3);
    CHECK(edit_distance("", "abc") == 3);
    CHECK(edit_distance("abc", "abc") == 0);
    CHECK(edit_distance("kitten", "sitting") == 3);
    CHECK(edit_distance("ab", "ba") == 2);
}

TEST_CASE("the nearest name is the first one with the fewest letters to change, in any case") {
    CHECK(nearest("PINGPNG", {"Bcast", "PingPong", "PingPing"}) == "PingPong");
    CHECK(nearest("pingpin", {"PingPong", "PingPing"}) == "PingPing");
    CHECK(!nearest("x", {}));
    CHECK(!nearest("load", {"list"})); // most letters differ
}

namespace {

command_line read_words(words const& all, option_style style = option_style::one_dash) {
    static bool list, writes;
    static std::vector<option_row> const rows{
        {"iter", "", unused_number(1, 9)}, {"list", "", flag(list)}, {"msgwr", "", on_off(writes)}};
    std::vector<char const*> argv{"x"};
    for (auto const& w : all) argv.push_back(w.c_str());
    return read(rows, static_cast<int>(argv.size()), argv.data(), style);
}

std::string refused_words(words const& all) {
    return refused([&] { read_words(all); });
}

} // namespace

TEST_CASE("options take the next argument, also a negative number, and the other arguments keep their order") {
    auto const line = read_words({"b=c", "-iter", "-1", "A", "-list", "2,3", "-iter", "x y", ""});
    REQUIRE(line.options.size() == 3);
    CHECK(line.options[0].row->name + "=" + line.options[0].text == "iter=-1");
    CHECK(line.options[1].row->name + "=" + line.options[1].text == "list=");
    CHECK(line.options[2].row->name + "=" + line.options[2].text == "iter=x y");
    CHECK(line.operands == words{"b=c", "A", "2,3", ""});
}

TEST_CASE("an empty argv has no arguments") { CHECK(read({}, 0, nullptr).operands.empty()); }

TEST_CASE("an unknown option is refused with the nearest, and never taken for a benchmark") {
    for (auto const* word : {"-itr", "--iter", "-Iter", "-iter=3", "-ite"}) {
        CAPTURE(word);
        CHECK(refused_words({"A", word, "3"}) ==
              std::string{"Invalid option "} + word + "; did you mean -iter? (-help lists all)");
    }
    CHECK(refused_words({"-iter="}) == "Invalid option -iter=; did you mean -iter? (-help lists all)");
    CHECK(refused_words({"-list=on"}) == "Invalid option -list=; did you mean -list? (-help lists all)");
    CHECK(refused_words({"--list"}) == "Invalid option --list; did you mean -list? (-help lists all)");
    CHECK(refused_words({"-="}) == "Invalid option: unrecognised option '-=' (-help lists all)");
    CHECK(refused_words({"--", "-iter"}) == "Invalid option -iter; did you mean -iter? (-help lists all)");
}

TEST_CASE("a word that is no misspelling of an option gets no hint") {
    for (auto const* word : {"-", "-1", "-v", "-load", "-show_tail", "-version"}) {
        CAPTURE(word);
        CHECK(refused({word}) == std::string{"Invalid option "} + word + " (-help lists all)");
    }
    CHECK(refused({"-mgslog", "3"}) == "Invalid option -mgslog; did you mean -msglog? (-help lists all)");
}

TEST_CASE("options that IMB lacks may have two dashes, IMB's own may not") {
    CHECK(parsed({"--report", "html=x.html"}).reports.front().path == "x.html");
    CHECK(parsed({"--check", "on", "--dir", "d"}).check);
    CHECK(refused({"--report"}) == "Option -report needs a value: -report FORM=FILE");
    CHECK(refused({"--reprt", "json=x"}) == "Invalid option --reprt; did you mean -report? (-help lists all)");
    CHECK(refused({"--msglog", "3"}) == "Invalid option --msglog; did you mean -msglog? (-help lists all)");
}

TEST_CASE("an empty value is refused, whatever the option takes") {
    options into;
    auto const about = program();
    for (auto const& o : option_table(into, about.lacks)) {
        if (o.value.takes != arity::one || !o.taken) continue;
        CAPTURE(o.name);
        CHECK(refused({"-" + o.name, ""}).starts_with("Invalid value of -" + o.name + ": ''; accepted: "));
    }
}

TEST_CASE("an option without its value is refused with its syntax") {
    CHECK(refused_words({"-iter"}) == "Option -iter needs a value: -iter N");
    CHECK(refused_words({"-iter", "-msgwr", "on"}) == "Option -iter needs a value: -iter N");
    CHECK(refused({"A", "-msglog"}) == "Option -msglog needs a value: -msglog [MIN:]MAX");
}

TEST_CASE("option names may match in any case, and are stored in their documented spelling") {
    auto const line = read_words({"-ITER", "3", "-List", "-msgWR", "on"}, option_style::one_dash_any_case);
    REQUIRE(line.options.size() == 3);
    CHECK(line.options[0].row->name == "iter");
    CHECK(line.options[1].row->name == "list");
    CHECK(line.options[2].row->name == "msgwr");
    CHECK(read_words({"-HELP", "-ITER"}, option_style::one_dash_any_case).explained == "iter");
    CHECK(refused([] { read_words({"-ITER"}, option_style::one_dash_any_case); }) ==
          "Option -iter needs a value: -iter N");
    CHECK(refused([] {
              read_words({"-iter", "-MSGWR"}, option_style::one_dash_any_case);
          }) == "Option -iter needs a value: -iter N");
}

TEST_CASE("help before a benchmark is the whole help") {
    for (auto const* word : {"-help", "-h"})
        for (auto const* name : {"PingPong", "bcast"}) {
            auto const asked = parsed({word, name});
            CHECK(asked.requested == imb::action::help);
            CHECK_FALSE(asked.explained);
        }
    CHECK(refused({"-h", "PingPng"}) == "Invalid option -PingPng (-help lists all)");
}

TEST_CASE("help wins over every other argument") {
    for (auto const* word : {"-help", "--help", "-h"}) {
        auto const line = read_words({"-foo", word});
        CHECK(line.help);
        CHECK_FALSE(line.explained);
        CHECK(line.operands.empty());
    }
    CHECK(read_words({"-help", "iter", "-foo"}).explained == "iter");
    CHECK(read_words({"-help", "-iter"}).explained == "iter");
    CHECK(refused_words({"-help", "itr"}) == "Invalid option -itr; did you mean -iter? (-help lists all)");
}

TEST_CASE("a program refuses options that it does not support; file options are those of IMB-IO alone") {
    auto const lacking = [](words const& all) {
        component const about{
            .program = "x", .part = "y", .tests = {named("A")}, .lacks = file_options | option_name::window_size};
        return refused([&] { parsed(all, about); });
    };
    auto const has_no = [](std::string const& name) {
        return "This program has no option -" + name + " (-help lists all)";
    };
    CHECK(lacking({"-window_size", "2"}) == has_no("window_size"));
    CHECK(lacking({"A", "-window_size"}) == has_no("window_size"));
    CHECK(lacking({"-help", "window_size"}) == has_no("window_size"));
    CHECK(lacking({"-dir", "/tmp"}) == has_no("dir"));
    CHECK(lacking({"-hint", "a=b"}) == has_no("hint"));
    CHECK(lacking({"-window_siz", "2"}) == "Invalid option -window_siz (-help lists all)");
    CHECK(lacking({"-iter", "2"}) == "");
}

namespace {

std::string help_of(component const& about, words const& all) {
    options defaults;
    return usage(about.program, option_table(defaults, about.lacks), parsed(all, about).explained);
}

} // namespace

TEST_CASE("help lists every option of the program, and explains a single one") {
    auto about = program();
    about.lacks = option_name::window_size;
    auto const all = help_of(about, {"-help"});
    CHECK(all.starts_with("Usage: IMB-TEST [options] [benchmarks]\nOptions:\n"));
    options defaults;
    for (auto const& o : option_table(defaults, about.lacks)) {
        CAPTURE(o.name);
        CHECK((all.find("\n  -" + o.name + " ") != all.npos) == (o.name != "window_size"));
    }
    CHECK(help_of(about, {"-help", "msg_pause"}) ==
          "  -msg_pause BOOL               a pause after each size (off)\n"
          "  Accepted: on, yes, true, enable, 1; off, no, false, disable, 0\n");
    CHECK(parsed({"-help"}).requested == action::help);
}

TEST_CASE("a file of sizes that is missing or has invalid text is refused with file and line") {
    CHECK(refused({"-msglen", "no_such"}) == "Cannot read the file of -msglen no_such: No such file or directory");
    CHECK(refused({"-msglen", "."}) == "Cannot read the file of -msglen .: Is a directory");
    file const empty{"words_empty.txt", "# nothing\n\n \n"};
    CHECK(refused({"-msglen", empty.path}) == "No size in the file of -msglen words_empty.txt; accepted: one a line");
    for (auto const* bad : {"-1", "12x", "1kk", "k", "1 2", "1t", "9223372036854775808", "8796093022208m", "nan"}) {
        file const sizes{"words_bad.txt", "# sizes\n4k\n\n" + std::string{bad} + "\n7\n"};
        CHECK(refused({"-msglen", sizes.path}) ==
              "Invalid size in line 4 of -msglen words_bad.txt: " + std::string{bad} +
                  "; accepted: a whole number of bytes, also with k, m or g");
    }
}
