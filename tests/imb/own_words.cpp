// SPDX-License-Identifier: BSL-1.0
// The command lines of IMB-P2P and IMB-MT.
#include "words_program.hpp"

#include "imb/driver/imb_table.hpp"
#include "imb/driver/thread_team.hpp"
#include "imb/mt/mt.hpp"
#include "imb/p2p/p2p.hpp"

#include <doctest/doctest.h>

#include <cstdlib>

namespace {

using imb::words;

imb::options p2p(words const& all) { return imb::parsed(all, imb::p2p_component()); }
imb::options mt(words const& all) { return imb::parsed(all, imb::mt_component()); }
using sizes = std::vector<std::size_t>;

bool begins(std::string const& text, std::string const& with) { return text.rfind(with, 0) == 0; }

std::string run_by_default(imb::component const& about) {
    std::string all;
    for (auto const* test : imb::selected(about.tests, {})) all += test->name + ' ';
    return all;
}

struct bad_values {
    std::string option;
    words values;
};

template <class Parse>
void check_refused(Parse parse, std::vector<bad_values> const& all) {
    for (auto const& bad : all)
        for (auto const& value : bad.values) {
            auto const message = imb::refused([&] { parse({bad.option, value}); });
            CAPTURE(message);
            CHECK(begins(message, "Invalid value of " + bad.option + ": " + imb::as_shown(value) + "; accepted: "));
        }
}

} // namespace

TEST_CASE("IMB-P2P's sizes: -msglog and -msglen replace earlier ones, -msgsz appends, and the default is up to 4 MiB") {
    CHECK(p2p({}).sizes.size() == 24);
    CHECK(p2p({}).sizes.back() == 4194304);
    CHECK(p2p({"-msglog", "3"}).sizes == sizes{0, 1, 2, 4, 8});
    CHECK(p2p({"-msglog", "2:4"}).sizes == sizes{4, 8, 16});
    CHECK(p2p({"-MsgSz", "4k", "-msgsz", "7", "-msgsz", "1G"}).sizes == sizes{4096, 7, 1073741824});
    CHECK(p2p({"-msgsz", "7", "-msglog", "0:1", "-msgsz", "3m"}).sizes == sizes{1, 2, 3145728});
    imb::file const lengths{"own_sizes.txt", "# sizes\n5\n2k\n1g\n"};
    CHECK(p2p({"-msgsz", "7", "-msglen", lengths.path}).sizes == sizes{5, 2048, 1073741824});
}

TEST_CASE("IMB-P2P's other options match in any case") {
    auto const found =
        p2p({"-ITER", "5,2", "-msgwr", "OFF", "-msgrd", "0", "-Pause", "-1", "-check", "on", "pingPONG"});
    CHECK(found.iter.messages == 5);
    CHECK(found.iter.volume == std::size_t{2} << 20);
    CHECK(!found.writes);
    CHECK(!found.reads);
    CHECK(found.pause_us == -1);
    CHECK(found.check);
    CHECK(found.names == words{"pingPONG"});
    CHECK(p2p({"-iter", "5"}).iter.volume == std::size_t{800} << 20);
    CHECK(p2p({}).pause_us == 100'000);
    CHECK(p2p({"-l"}).requested == imb::action::list);
    CHECK(p2p({"-msglog", "1", "-h"}).requested == imb::action::help);
}

TEST_CASE("an invalid IMB-P2P argument is refused with the option and the accepted values") {
    check_refused(p2p, {{"-iter", {"0", "x", "5,0", "5,1,2", "-3", ""}},
                        {"-msglog", {"48", "3:2", "1:2:3", "-1", "a"}},
                        {"-msgsz", {"-1", "7x", "", "k"}},
                        {"-msgwr", {"2", "maybe"}},
                        {"-pause", {"x", "1.5"}}});
    CHECK(begins(imb::refused([] { p2p({"-msgle", "x"}); }), "Invalid option -msgle; did you mean -msglen?"));
    CHECK(begins(imb::refused([] { p2p({"-msglen", "no_such"}); }), "Cannot read the file of -msglen no_such"));
    CHECK(begins(imb::refused([] { p2p({"-iter"}); }), "Option -iter needs a value"));
}

TEST_CASE("IMB-MT's options have their values") {
    auto const usual = mt({});
    CHECK(usual.counts == sizes{1, 2, 4, 8});
    CHECK(usual.window == 64);
    CHECK(usual.data == imb::element::integer);
    auto const found = mt({"-stride",       "2",
                           "-warmup",       "0",
                           "-repeat",       "7",
                           "-window_size",  "3",
                           "-barrier",      "special",
                           "-count",        "5,0",
                           "-count",        "9",
                           "-malloc_align", "4096",
                           "-malloc_algo",  "parallel",
                           "-noheader",     "-datatype",
                           "char",          "-thread_level",
                           "multiple"});
    CHECK(found.stride == 2);
    CHECK(found.warm_ups == 0);
    CHECK(found.repeats == 7);
    CHECK(found.window == 3);
    CHECK(found.synchronization == imb::thread_barrier::dissemination);
    CHECK(found.counts == sizes{5, 0, 9});
    CHECK(found.alignment == 4096);
    CHECK(found.allocation == imb::thread_allocation::parallel);
    CHECK(!found.header);
    CHECK(found.data == imb::element::character);
    CHECK(mt({"-barrier", "off"}).synchronization == imb::thread_barrier::off);
}

TEST_CASE("an invalid IMB-MT argument is refused") {
    check_refused(mt, {{"-stride", {"-1", "x"}},
                       {"-repeat", {"0", "-1"}},
                       {"-warmup", {"-1"}},
                       {"-window_size", {"0"}},
                       {"-barrier", {"often"}},
                       {"-count", {"1,,2", "-1", "x"}},
                       {"-malloc_align", {"0", "3", "x"}},
                       {"-malloc_algo", {"random"}},
                       {"-datatype", {"float"}},
                       {"-thread_level", {"many"}},
                       {"-check", {"maybe"}}});
    CHECK(begins(imb::refused([] { mt({"-Stride", "1"}); }), "Invalid option -Stride; did you mean -stride?"));
    CHECK(begins(imb::refused([] { mt({"-check", "on", "-datatype", "char"}); }), "Only int data type is supported"));
    CHECK(begins(imb::refused([] { mt({"-malloc_algo", "parallel"}); }), "-malloc_algo"));
}

TEST_CASE("there is one thread, or with -thread_level multiple the first number of OMP_NUM_THREADS") {
    auto const several = mt({"-thread_level", "multiple"});
    setenv("OMP_NUM_THREADS", "3", 1);
    CHECK(threads_of(mt({})) == 1);
    CHECK(threads_of(several) == 3);
    setenv("OMP_NUM_THREADS", "5,2", 1);
    CHECK(threads_of(several) == 5);
    for (auto const* text : {"0", "x", ""}) { // as in OpenMP: ignored
        setenv("OMP_NUM_THREADS", text, 1);
        auto const otherwise = threads_of(several);
        unsetenv("OMP_NUM_THREADS");
        CHECK(otherwise == threads_of(several));
    }
}

TEST_CASE("benchmark names match in any case, and an unknown one is refused with the nearest") {
    auto const found = [](words const& names) {
        static auto const about = imb::p2p_component();
        return imb::selected(about.tests, p2p(names));
    };
    CHECK(run_by_default(imb::p2p_component()) ==
          "PingPong PingPing Unirandom Birandom Corandom Stencil2D Stencil3D SendRecv_Replace ");
    CHECK(run_by_default(imb::mt_component()) ==
          "PingPongMT PingPingMT SendRecvMT ExchangeMT UniBandMT BiBandMT BarrierMT BcastMT ReduceMT AllReduceMT ");
    REQUIRE(found({"stencil3d,PINGPONG", "stencil3d"}).size() == 3);
    CHECK(found({"stencil3d,PINGPONG"})[1]->name == "PingPong");
    CHECK(imb::refused([&] { found({"unirndom"}); }) ==
          "Invalid benchmark name unirndom; did you mean Unirandom? (-list prints all)");
}

TEST_CASE("IMB-P2P's tables have the suite's text") {
    auto const rows = imb::p2p_component().tests;
    auto const rule = "#" + std::string(64, '-') + "\n";
    CHECK(imb::p2p::head(rows[6], 12, false) ==
          "\n" + rule + "# Benchmarking Stencil3D (2 x 3 x 2)\n# #processes = 12\n" + rule +
              "       #bytes #repetitions      t[usec]   Mbytes/sec      Msg/sec\n");
    CHECK(imb::invalid_line(rows[0], 3) == "\n# !! Benchmark PingPong is invalid for 3 processes !!");
    CHECK(imb::invalid_line(rows[2], 1) == "\n# !! Benchmark Unirandom invalid for 1 processes !!");
    CHECK(imb::invalid_line(rows[7], 1) == "\n# !! Benchmark SendRecv_Replace is invalid for 1 process !!");
    sonde::record r;
    r.ranks = 2;
    r.batch = 100;
    r.over_ranks = {sonde::seconds{0.5}, sonde::seconds{0.5}, sonde::seconds{0.5}};
    r.total = {2'000'000, 2, 2};
    CHECK(imb::p2p::line(1'000'000, r) == "      1000000          100    250000.00         4.00            4\n");
    r.errors = 5;
    CHECK(imb::p2p::line(1'000'000, r) ==
          "      1000000          100    250000.00         4.00            4         1.00\n");
}
