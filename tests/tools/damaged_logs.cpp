// SPDX-License-Identifier: BSL-1.0
// Logs as launchers, loggers and killed jobs leave them: cut rows, lost titles, prefixes, and lines between records.
#include "tools/records/labels.hpp"
#include "tools/records/lines.hpp"

#include <sonde/json.hpp>

#include <doctest/doctest.h>

#include <initializer_list>
#include <stdexcept>
#include <string>
#include <vector>

#include "log_text.hpp"
#include "support.hpp"
#include "tools/records/series.hpp"

using namespace log_text;

namespace {

std::string const imb = "# Benchmarking PingPong\n# #processes = 2\n#bytes #repetitions t[usec] Mbytes/sec\n";

std::string const large_rows = row("4096", "511.30") + row("8192", "1123.45");

/// All lines of a text behind a prefix.
std::string prefixed(std::string const& prefix, std::string const& text) {
    auto all = prefix;
    for (std::size_t i = 0; i != text.size(); ++i) {
        all += text[i];
        if (text[i] == '\n' && i + 1 != text.size()) all += prefix;
    }
    return all;
}

std::string record(std::size_t bytes) { return sonde::detail::json_line(made::row(bytes, {100})) + '\n'; }

std::size_t record_count(tools::log_contents const& log) {
    std::size_t n = 0;
    for (auto const& run : log.runs) n += run.records.size();
    return n;
}

} // namespace

TEST_CASE("a row that was cut before its line feed is no row, whatever follows it") {
    auto const whole = row("16384", "1123.45");
    auto const begin = whole.size() - 1 - 7; // of the figure
    for (auto const end : {begin + 1, begin + 4, begin + 5, begin + 6})
        for (std::string const behind :
             {"\n", "\nslurmstepd: error: *** STEP 1.0 CANCELLED ***\n", "\n# the next program\n"}) {
            CAPTURE(whole.substr(0, end));
            auto const found = read(osu + large_rows + whole.substr(0, end) + behind);
            CHECK(sizes(found.tables.at(0)) == std::vector<double>{4096, 8192});
            CHECK(found.remarks.at(0) == "a:5: is a row that was cut: left out");
        }
    auto const imb_cut = read(imb + "8 10 1.00 8.00\n16 10 2.00 8.00\n32 10 2.50 12.8\nslurmstepd: error\n");
    CHECK(sizes(imb_cut.tables.at(0)) == std::vector<double>{8, 16});
    CHECK(read(osu + row("1", "2.00") + "2   2.\n").tables.at(0).rows.size() == 1);
    CHECK(read(osu + "1   2.\n" + row("2", "2.00")).tables.at(0).rows.size() == 1);
}

TEST_CASE("a last line without a line feed is a row if it has the width of the others") {
    auto whole = row("8192", "1123.45");
    whole.pop_back();
    auto const with = [](std::string const& last) {
        return sizes(read(osu + row("4096", "511.30") + last).tables.at(0));
    };
    CHECK(with(whole) == std::vector<double>{4096, 8192});
    CHECK(with(whole.substr(0, 25)) == std::vector<double>{4096});
}

TEST_CASE("a whole number that was cut ends before its column") {
    std::string const header = "# OSU MPI Latency Test v7.4\n# Size       Avg Latency(us)     Transmit Size\n";
    auto const line = [](char const* size, char const* time, std::string const& transmitted) {
        auto text = row(size, time);
        text.back() = ' ';
        return text + std::string(17 - transmitted.size(), ' ') + transmitted + '\n';
    };
    auto const whole = header + line("512", "2.00", "256") + line("1024", "2.10", "512") + line("2048", "2.20", "1024");
    CHECK(sizes(read(whole + line("4096", "2.30", "2048")).tables.at(0)) == std::vector<double>{256, 512, 1024, 2048});
    auto cut = line("4096", "2.30", "2048");
    cut.erase(cut.size() - 2, 1);
    CHECK(sizes(read(whole + cut).tables.at(0)) == std::vector<double>{256, 512, 1024});
    std::string const words = "# OSU MPI Latency Test v7.4\n# Size       Avg Latency(us)        Validation\n";
    auto const failed = read(words + "1   2.00   Pass\n2   2.00   Fai\n");
    CHECK(sizes(failed.tables.at(0)) == std::vector<double>{1});
}

TEST_CASE("rows in columns of any width, with more decimals than before, or of four digits are not cut") {
    CHECK(read(osu + "8 10.00\n16 9.00\n32 100.00\n64 8.00\n").tables.at(0).rows.size() == 4);
    CHECK(read(osu + "8 10.0\n16 9.00\n").tables.at(0).rows.size() == 2);
    auto const coarse = read(osu + "32768 5.28\n65536 10.0\n131072 15.11\n262144 28.22\n");
    CHECK(sizes(coarse.tables.at(0)) == std::vector<double>{32768, 65536, 131072, 262144});
    CHECK(coarse.tables[0].rows[1].resolution.count() == doctest::Approx(0.05e-6).epsilon(1e-12));
    CHECK(coarse.remarks.empty());
    CHECK(read(osu + "8 10.00\n16 1e3\n").tables.at(0).rows.size() == 2);
    std::string const nccl = "# nThread 1 nGpus 2\n# size count type redop root time algbw busbw #wrong\n";
    auto const found = read(nccl + "8 2 float sum -1 12.34 0.00 0.00 0\n16 4 float sum -1 123.4 0.00 0.00 0\n");
    CHECK(found.tables.at(0).rows.size() == 2);
}

TEST_CASE("a row of mpiGraph that was cut is none") {
    std::string const graph =
        "START mpiGraph v1.5\nMsgSize\t1000\nSend\ta:0\tb:1\tc:2\na:0 to\t0.000\t500.125\t400.250\n";
    CHECK(read(graph + "b:1 to\t300.125\t0.000\t400.250\n").tables.at(0).rows.size() == 4);
    CHECK(read(graph + "b:1 to\t300.125\t0.000\t40\n").tables.at(0).rows.size() == 2);
}

TEST_CASE("a header behind a table begins another one, of the text before it") {
    std::string const second = row("4096", "512.00") + row("8192", "1200.00");
    auto const series = [&](std::string const& between) {
        return tools::series_of({read(osu + large_rows + between + size_line + second)});
    };
    for (std::string const between :
         {"Allgather latency on node 7\n", "OSU latency on the GPU\n", "", "\n\n", "-----\n", "# Datatype: MPI_CHAR.\n",
          "Allgather\n# Datatype: MPI_CHAR.\n", "another\n\n", "# a comment\n# and another\n"}) {
        CAPTURE(between);
        std::string const typed = "# OSU MPI Latency Test v7.4\n# Datatype: MPI_CHAR.\n" + size_line + large_rows;
        auto const all = tools::series_of({read(typed + between + size_line + second)});
        REQUIRE(all.size() == 2);
        CHECK_FALSE(all[1].no_model().empty());
        CHECK(tools::launches_of(read(typed + between + size_line + second)).size() == 1);
    }
    CHECK(series("Allgather latency on node 7\n").at(1).name() == "Allgather latency on node 7 (a:6)");
    CHECK(series("# [1]\nAllgather\n---\n").at(1).name() == "[1]; Allgather (a:8)");
    CHECK(series(std::string(300, 'x') + '\n').at(1).name() == "a table without a title (a:6)");
    CHECK(series("1 line\n2 lines\n3 lines\n4 lines\n5 lines\n6 lines\n").at(1).name() ==
          "a table without a title (a:11)");
}

TEST_CASE("tables of unknown programs are launches of one series only if their titles are equal") {
    auto const of = [](std::string const& title) { return title + size_line + large_rows; };
    auto const launches = [](std::string const& text) { return tools::launches_of(read(text)).size(); };
    CHECK(launches(of("Allgather\n") + of("Allgather\n")) == 2);
    CHECK(launches(of("Allgather\n") + of("Gather\n")) == 1);
    CHECK(launches(of("") + of("")) == 1);
    CHECK(launches(osu + large_rows + of("Allgather\n# Datatype: MPI_CHAR.\n") +
                   of("Gather\n# Datatype: MPI_CHAR.\n")) == 1);
    std::string const rate = "# [ pairs: 2 ] [ window size: 64 ]\n# Size  MB/s\n8  80.00\n";
    std::string const rates = "# OSU MPI Multiple Bandwidth / Message Rate Test v7.4\n" + rate;
    CHECK(tools::series_of({read(rates + "My rates\n" + rate)}).size() == 2);
    CHECK(launches(rates + "My rates\n" + rate) == 1);
    CHECK(launches(osu + large_rows + osu + large_rows) == 2);
    std::string const types = "# OSU MPI Latency Test v7.4\n# Datatype: MPI_CHAR.\n" + size_line + large_rows +
                              "\n# Datatype: MPI_INT.\n" + size_line + large_rows;
    for (auto const& s : tools::series_of({read(types)})) CHECK(s.no_model().empty());
}

TEST_CASE("a header of nccl-tests or of IMB belongs to the run that begins directly before it") {
    std::string const run = "# nThread 1 nGpus 2\n";
    std::string const table =
        "# size count type redop root time algbw busbw #wrong\n8 2 float sum -1 12.34 0.00 0.00 0\n";
    std::string const first = "# Collective test starting: all_reduce_perf\n# nccl-tests version 2.17\n" + run + table;
    auto const names = [&](std::string const& text) {
        std::vector<std::string> all;
        for (auto const& s : tools::series_of({read(text)})) all.push_back(s.tables.front().what.program);
        return all;
    };
    CHECK(names(first + first) == texts{"all_reduce_perf"});
    CHECK(names(first + run + table) == texts{"all_reduce_perf", "nccl-tests"});
    CHECK(names(first + "another run\n" + table) == texts{"all_reduce_perf", "nccl-tests"});
    CHECK(names(first + table + table) == texts{"all_reduce_perf", "nccl-tests", "nccl-tests"});
    std::string const imb_rows = "8 10 1.00 8.00\n16 10 2.00 8.00\n";
    auto const columns = imb.substr(imb.find("#bytes"));
    CHECK(names(imb + imb_rows + "Benchmarking PingPing\n" + columns + imb_rows).size() == 1);
    CHECK(read(imb + imb_rows + "Benchmarking PingPing\n" + columns + imb_rows).tables.size() == 1);
}

TEST_CASE("a table of nccl-tests whose header was cut before its column of times has no rows") {
    std::string const run = "# nThread 1 nGpus 2\n";
    std::string const cut = run + "# size count type redop root [n1:16] time algbw busbw #wrong\n";
    std::string const whole =
        run + "# size count type redop root time algbw busbw #wrong\n16 4 float sum -1 12.34 0.00 0.00 0\n";
    // The rows have as many words as the titles that are left, or all words.
    for (std::string const row : {"8 2 float sum -1\n", "8 2 float sum -1 12.34 0.00 0.00 0\n"}) {
        CAPTURE(row);
        auto const found = read(cut + row + row + whole);
        REQUIRE(found.tables.size() == 1);
        CHECK(sizes(found.tables[0]) == std::vector<double>{16});
        CHECK(found.remarks == texts{"a:2: text behind the titles of the columns: left out",
                                     "a:3: is no row of its table: left out (2 lines, of which this is the first)"});
        CHECK_THROWS_AS(read(cut + row), std::runtime_error);
    }
}

TEST_CASE("tables of nccl-tests whose program is not named are apart if their figures are of other collectives") {
    std::string const run = "# nThread 1 nGpus 4\n# size count type redop root time algbw busbw #wrong\n";
    // 4 ranks: a bus has 2 x 3 / 4 of the bytes of an all_reduce, 3 / 4 of those of a reduce_scatter, and all of them
    // otherwise. The first row has too few digits to tell them apart, or no count.
    auto const all_reduce =
        run + "8 2 float sum -1 12.00 0.00 0.00 0\n1048576 262144 float sum -1 52.43 20.00 30.00 0\n";
    auto const reduce_scatter =
        run + "0 0 float sum -1 12.00 0.00 0.00 0\n1048576 65536 float sum -1 52.43 20.00 15.00 0\n";
    auto const send_receive =
        run + "8 2 float sum -1 12.00 0.00 0.00 0\n1048576 262144 float sum -1 52.43 20.00 20.00 0\n";
    auto const old_reduce_scatter = run + "1048576 262144 float sum -1 52.43 20.00 15.00 0\n";
    auto const count = [](std::string const& text) { return tools::series_of({read(text)}).size(); };
    std::vector<std::string> const all{all_reduce, reduce_scatter, send_receive, old_reduce_scatter};
    for (std::size_t i = 0; i != all.size(); ++i)
        for (std::size_t k = 0; k != all.size(); ++k) {
            CAPTURE(i);
            CAPTURE(k);
            CHECK(count(all[i] + all[k]) == (i == k ? 1 : 2));
            CHECK(tools::launches_of(read(all[i] + all[k])).size() == (i == k ? 2 : 1));
        }
    // The bandwidths of a repetition differ; rounding alone is no other ratio.
    CHECK(count(run + "64 16 float sum -1 9.00 0.01 0.01 0\n" + run + "64 16 float sum -1 8.00 0.01 0.02 0\n") == 1);
    std::string const name = "# Collective test starting: all_gather_perf\n";
    CHECK(read(name + all_reduce).tables.at(0).what.settings.count("busbw") == 0);
}

TEST_CASE("hosts, time stamps and colors before a line are removed, also one behind another") {
    std::vector<std::string> prefixes{"[1,0]<stdout>:",
                                      "[prterun-a-7@1,0]<stdout>: ",
                                      "Tue Mar  4 10:11:12 2025[1,0]<stdout>:",
                                      "Tue Mar  4 10:11:12 2025<stdout>:",
                                      "0: ",
                                      " 0: ",
                                      "[0] ",
                                      "    ",
                                      "node-1.cluster_a: ",
                                      "[node1:0] ",
                                      "10:11:12 ",
                                      "[10:11:12.123] ",
                                      "[2025-03-04 10:11:12,123] ",
                                      "Mar 04 10:11:12 ",
                                      "2025/03/04 10:11:12 ",
                                      "2025-03-04T10:11:12+01:00 ",
                                      "2025-03-04T10:11:12Z node1: 0: ",
                                      "[10:11:12] [0] ",
                                      "node1: [1,0]<stdout>:",
                                      "> 2025-03-04T10:11:12Z node1 0: ",
                                      "\x1b[32m",
                                      "\x1b[0m\x1b[K",
                                      "\x1b[1;31m10:11:12\x1b[0m "};
    for (auto const& form : tools::label_forms()) prefixes.emplace_back(form.example);
    for (auto const& prefix : prefixes) {
        CAPTURE(prefix);
        for (auto const& text : {osu + large_rows, imb + "4096 10 511.30 8.01\n8192 10 1123.45 7.29\n"}) {
            auto const found = read(prefixed(prefix, text));
            REQUIRE(found.tables.size() == 1);
            CHECK(sizes(found.tables[0]) == std::vector<double>{4096, 8192});
            CHECK(found.tables[0].rows[1].times.at(0).count() == doctest::Approx(1123.45e-6).epsilon(1e-12));
            CHECK(found.remarks.empty());
        }
        CHECK(record_count(read(prefixed(prefix, record(8) + record(16)))) == 2);
    }
    CHECK(sizes(read(osu + "4096   \x1b[1m511.30\x1b[m\n8192   1123.45\x1b(B\n").tables.at(0)).size() == 2);
}

TEST_CASE("hosts stay apart, and lines without the prefix of the others are none of their table") {
    auto const two =
        tools::series_of({read(prefixed("node1: ", osu + large_rows) + prefixed("node2: ", osu + large_rows))});
    REQUIRE(two.size() == 2);
    CHECK(two[1].name() == "OSU MPI Latency Test v7.4, node2 (a:5)");
    auto const stamped = read(prefixed("10:11:12 ", osu + large_rows) + row("16384", "9.99"));
    CHECK(sizes(stamped.tables.at(0)) == std::vector<double>{4096, 8192});
    CHECK(read(prefixed("[1,0]<stdout>:", osu + large_rows) + "mpirun: the job ended\n").remarks.empty());
    auto const warned = read(osu + row("1", "2.00") + prefixed("srun: ", "a\nb\nc\nd\ne\n") + row("2", "2.10"));
    CHECK(sizes(warned.tables.at(0)) == std::vector<double>{1, 2});
    CHECK(warned.remarks == texts{"a:4: is no row of its table: left out (5 lines, of which this is the first)"});
}

TEST_CASE("a label that is not known is told with the first title or record behind it") {
    for (std::string const label : {"worker 7 says: ", "1704164645 ", "<p>", "out.txt:", "INFO - "}) {
        CAPTURE(label);
        auto const told = "a:1: a title or a record behind '" + label + "', which is no known label: left out";
        for (auto const& text : {osu + large_rows, imb + "4096 10 511.30 8.01\n", record(8)}) try {
                static_cast<void>(read(prefixed(label, text)));
                FAIL("is read");
            } catch (std::runtime_error const& e) {
                CHECK(std::string{e.what()}.find(told) != std::string::npos);
            }
        auto const beside = read(osu + large_rows + prefixed(label, osu + large_rows));
        CHECK(beside.tables.size() == 1);
        CHECK(beside.remarks.size() < 4);
    }
}

TEST_CASE("a host and a rank before a line are apart, and so are the processes of a log of the system") {
    auto const two = [](std::string const& a, std::string const& b) {
        auto log = read(prefixed(a, osu + large_rows) + prefixed(b, osu + large_rows));
        return tools::series_of({log}).size();
    };
    CHECK(two("node1 0: ", "node1 1: ") == 2);
    CHECK(two("1: ", "12: ") == 2);
    CHECK(two("Mar  4 10:11:12 node1 a[17]: ", "Mar  4 10:11:12 node2 a[18]: ") == 2);
    CHECK(two("osu-1  | ", "osu-2  | ") == 2);
    CHECK(two("> ", ">> ") == 1);
}

TEST_CASE("numbers and movements of the cursor before a line are no prefix") {
    for (std::string const prefix : {"1704164645 ", "1704164645.123 ", "7 ", "20250304 101112 "}) {
        CAPTURE(prefix);
        CHECK_THROWS_AS(read(prefixed(prefix, osu + large_rows)), std::runtime_error);
        CHECK_THROWS_AS(read(osu + prefixed(prefix, large_rows)), std::runtime_error);
    }
    CHECK(sizes(read(osu + "4096   \x1b[1C511.30\n8192   1123.45\n").tables.at(0)) == std::vector<double>{8192});
    CHECK(sizes(read(osu + "4096   9\x1b[2K511.30\n8192   1123.45\n").tables.at(0)) == std::vector<double>{8192});
}

TEST_CASE("lines of other programs among records of JSON are counted and told once") {
    auto const between =
        read("srun: job 123 queued\n\n" + record(8) + "[node1:1234] warning\n42\n" + record(16) + "end\n");
    CHECK(record_count(between) == 2);
    CHECK(between.remarks == texts{"a:1: is no line of JSON: left out (4 lines, of which this is the first)"});
    auto const broken = read(record(8) + record(16).substr(0, 99) + "srun: error\n" + record(32));
    CHECK(record_count(broken) == 2);
    CHECK(broken.remarks == texts{"a:2: is no whole record of JSON: left out"});
    for (std::string const line : {"{\"type\":\"dance\"}", "{\"type\":1}", "{\"time\":1}", "{\"record\":{}}"}) {
        auto const other = read(line + '\n' + record(8) + line + '\n');
        CHECK(record_count(other) == 1);
        CHECK(other.remarks ==
              texts{"a:1: is JSON, but no record, comparison, environment, launch, scopes or lateness of Sonde: "
                    "left out (2 lines, of which this is the first)"});
    }
    CHECK_THROWS_AS(read(record(8) + "{\"type\":\"record\"}\n"), std::runtime_error);
    CHECK(read("{\"time\":1}\n" + osu + large_rows).tables.at(0).rows.size() == 2);
    CHECK_THROWS_WITH_AS(read("srun: job\n" + record(8).substr(0, 99)),
                         "a: holds no record; a:1: is no line of JSON: left out; a:2: the last record is cut: left out",
                         std::runtime_error);
    CHECK(read(osu + large_rows + "{\"type\":\"verdict\"}\n").tables.at(0).rows.size() == 2);
}

TEST_CASE("a last record of JSON that was cut is told") {
    auto const whole = record(8) + record(16);
    for (auto const length : {whole.size() - 2, whole.size() / 2 + 9}) {
        auto const cut = read(whole.substr(0, length));
        CHECK(record_count(cut) == 1);
        CHECK(cut.remarks == texts{"a:2: the last record is cut: left out"});
        CHECK(read(whole.substr(0, length) + '\n').remarks == cut.remarks);
    }
    CHECK(record_count(read(whole.substr(0, whole.size() - 1))) == 2);
    CHECK(read(whole).remarks.empty());
}
