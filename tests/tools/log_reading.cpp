// SPDX-License-Identifier: BSL-1.0
// The reader of logs: what a table is, what a row is, and what is said about the rest.
#include "tools/records/json_tables.hpp"
#include "tools/records/series.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "log_text.hpp"

using namespace log_text;

namespace {

std::string const osu_rows = "1   2.00\n2   2.00\n4   2.50\n";

} // namespace

TEST_CASE("a row is a whole number and exactly the columns of the header, and what is none is told once") {
    auto const found = read(osu + row("1", "2.00") + row("2", "2.0016   2.00") + "1.5    2.00\n" + row("4", "-") +
                            "8\n" + row("16", "nan") + row("32", "inf") + row("64", "3.00"));
    REQUIRE(found.tables.size() == 1);
    CHECK(sizes(found.tables[0]) == std::vector<double>{1, 64});
    REQUIRE(found.remarks.size() == 1);
    CHECK(found.remarks[0] == "a:4: is no row of its table: left out (6 lines, of which this is the first)");
}

TEST_CASE("words between rows are left out, and rows go on behind them only if they are of the same table") {
    auto const words = "1 more process has sent help message\n--------\n12:34:56 job goes on\n8 by 4 by 6 grid\n";
    auto const same = read(osu + row("1", "2.00") + words + row("2", "2.10") + row("4", "2.20"));
    CHECK(sizes(same.tables.at(0)) == std::vector<double>{1, 2, 4});
    CHECK(same.remarks.size() == 1);
    auto const smaller = read(osu + row("8", "2.00") + words + row("2", "9.10") + row("16", "9.20"));
    CHECK(sizes(smaller.tables.at(0)) == std::vector<double>{8});
    auto const narrower = read(osu + row("1", "2.00") + words + "2 9.10\n4 9.20\n");
    CHECK(sizes(narrower.tables.at(0)) == std::vector<double>{1});
    CHECK(narrower.remarks.back() ==
          "a:8: rows that belong to no header: left out (2 lines, of which this is the first)");
}

TEST_CASE("a library, a device, a datatype, a version, a window or a layout make another table") {
    auto const twice = [](std::string const& a, std::string const& b) {
        return tools::series_of({read(a + b)}).size();
    };
    CHECK(twice(osu + osu_rows, osu + osu_rows) == 1);
    for (auto const* other :
         {"# OSU MPI-CUDA Latency Test v7.4\n", "# OSU MPI-ROCM Latency Test v7.4\n", "# OSU NCCL Latency Test v7.4\n",
          "# OSU MPI Latency Test v7.5\n", "# OSU MPI Latency Test v7.4\n# Datatype: MPI_INT.\n",
          "# OSU MPI Latency Test v7.4\n# Send Buffer on DEVICE (D) and Receive Buffer on HOST (H)\n"})
        CHECK(twice(osu + osu_rows, other + size_line + osu_rows) == 2);
    CHECK(twice(osu + osu_rows, "# OSU MPI Latency Test v7.4\n# Size  Avg Latency(us)  Transmit Size\n1 2.00 8\n") ==
          2);
    CHECK(twice(osu + osu_rows, "OSU MPI Latency Test v7.4\nSize       Avg Latency(us)\n" + osu_rows) == 2);
    CHECK(twice(osu + osu_rows, "Size       Avg Latency(us)\n" + osu_rows) == 2);
    std::string const rate = "# OSU MPI Multiple Bandwidth / Message Rate Test v7.4\n# [ pairs: 1 ] [ window size: ";
    CHECK(twice(rate + "64 ]\n# Size  MB/s\n8  80.00\n", rate + "32 ]\n# Size  MB/s\n8  80.00\n") == 2);
    CHECK(twice(rate + "64 ]\n# Size  MB/s\n8  80.00\n", rate + "64 ]\n# Size  MB/s\n8  80.00\n") == 1);
}

TEST_CASE("a comment that the benchmark does not print is no setting") {
    auto const commented = [&](std::string const& comment) {
        return osu_title + comment + '\n' + size_line + osu_rows;
    };
    for (auto const* comment : {"# date: 2025-03-04", "# host: n12", "# Window: of the job", "# Size: all"}) {
        CAPTURE(comment);
        auto const found = read(commented(comment) + osu + osu_rows);
        CHECK(found.tables.at(0).what.settings.empty());
        CHECK(tools::series_of({found}).size() == 1);
        CHECK(found.remarks.empty());
    }
    for (auto const* setting : {"# Datatype: MPI_INT.", "# Payload: increments.", "# Window creation: MPI_Win_create",
                                "# Synchronization: MPI_Win_fence"}) {
        CAPTURE(setting);
        CHECK(tools::series_of({read(commented(setting) + osu + osu_rows)}).size() == 2);
    }
    std::string const threads = "# Number of Sender threads: 2\n# Number of Receiver threads: 2\n";
    CHECK(read(threads + "# date: today\n" + osu + osu_rows).tables.at(0).what.settings.size() == 2);
}

TEST_CASE("tables of one identity whose times are others are no repetitions") {
    auto const all =
        tools::series_of({read(osu + osu_rows + osu + "1   12.00\n2   12.00\n4   12.50\n" + osu + osu_rows)});
    REQUIRE(all.size() == 2);
    CHECK(all[0].tables.size() == 2);
    CHECK(all[1].disagrees);
}

TEST_CASE("times of another file that are more than ten times apart are series of their own, and both say so") {
    std::string const slow = "1   2000.00\n2   2000.00\n4   2500.00\n";
    auto const of = [](std::string const& text, char const* path) { return tools::read_log(text, path); };
    auto const all = tools::series_of({of(osu + osu_rows, "a"), of(osu + slow, "b"), of(osu + slow, "c")});
    REQUIRE(all.size() == 2);
    CHECK(all[1].tables.size() == 2);
    for (auto const& s : all)
        CHECK(s.other_unit == "a and b: times of the same sizes are 1000 times apart: mixed units?");
    auto const both = tools::series_of({of(osu + osu_rows + osu + slow, "a"), of(osu + slow, "b")});
    REQUIRE(both.size() == 2);
    for (auto const& s : both) CHECK(s.other_unit.empty());
    CHECK(both[1].tables.size() == 2);
}

TEST_CASE("the size of a derived datatype is the one that is transmitted") {
    auto const found = read("# OSU MPI Latency Test v7.4\n# Size       Avg Latency(us)     Transmit Size\n"
                            "64   2.00   32\n128   2.10   64\n");
    CHECK(sizes(found.tables.at(0)) == std::vector<double>{32, 64});
}

TEST_CASE("rows whose data were wrong are left out, and said") {
    auto const found = read("# OSU MPI Latency Test v7.4\n# Size       Avg Latency(us)        Validation\n"
                            "1   2.00   Pass\n2   2.00   Fail\n");
    CHECK(sizes(found.tables.at(0)) == std::vector<double>{1});
    CHECK(found.remarks == texts{"a:4: its data were wrong (Fail): left out"});
    auto const imb = read("# Benchmarking PingPong\n# #processes = 2\n#bytes #repetitions t[usec] Mbytes/sec defects\n"
                          "8 10 1.00 8.00 0.00\n16 10 2.00 8.00 1.00\n");
    CHECK(sizes(imb.tables.at(0)) == std::vector<double>{8});
    CHECK(imb.remarks == texts{"a:5: its data have defects: left out"});
}

TEST_CASE("a window of Uniband has 64 messages before version 2021.2, and 256 since") {
    auto const window = [](std::string const& version, std::string const& more = "") {
        auto const log = read("#    Intel(R) MPI Benchmarks " + version + ", MPI-1 part\n" + more +
                              "# Benchmarking Uniband\n# #processes = 2\n#bytes #repetitions Mbytes/sec Msg/sec\n"
                              "1000 10 1000.00 1000000\n");
        auto const& row = log.tables.at(0).rows.at(0);
        CHECK(row.bytes == 1000);
        CHECK(row.rated == row.window); // one pair
        return row.window;
    };
    for (auto const* old : {"4.1 Update 1", "2018 Update 3", "2019 Update 5", "2021.1"}) CHECK(window(old) == 64);
    for (auto const* recent : {"2021.2", "2021.11"}) CHECK(window(recent) == 256);
    CHECK(window("2019", "# IMB-MPI1 Uniband -window_size 32 \n") == 32);
    auto const unknown = read("# Benchmarking Uniband\n# #processes = 2\n#bytes #repetitions Mbytes/sec Msg/sec\n"
                              "1000 10 1000.00 1000000\n");
    CHECK_FALSE(unknown.tables.at(0).no_model.empty());
}

TEST_CASE("a byte order mark, carriage returns and indentation change nothing") {
    std::string crlf = "\xEF\xBB\xBF";
    for (auto const c : osu + osu_rows) crlf += c == '\n' ? std::string{"\r\n"} : std::string(1, c);
    CHECK(sizes(read(crlf).tables.at(0)) == std::vector<double>{1, 2, 4});
    CHECK(sizes(read("\t" + osu + osu_rows).tables.at(0)) == std::vector<double>{1, 2, 4});
}

TEST_CASE("tables of both suites, of nccl-tests and mpiGraph are read from one log") {
    auto const found =
        read(osu + osu_rows +
             "# Benchmarking PingPong\n# #processes = 2\n#bytes #repetitions t[usec] Mbytes/sec\n8 10 1.00 8.00\n" +
             "# nThread 1 nGpus 2 minBytes 8\n#   size  count  type  redop  root  time  algbw  busbw #wrong  time  "
             "algbw  busbw "
             "#wrong\n#  (B) (elements)  (us)  (GB/s)  (GB/s)\n  64  16  float  sum  -1  20.50  0.01  0.01  0  21.50  "
             "0.01  0.01  N/A\n"
             "START mpiGraph v1.5\nMsgSize\t1048576\nSend\ta:0\tb:1\t\na:0 to\t0.000\t1000.000\t\nb:1 "
             "to\t500.000\t0.000\t\nEND "
             "mpiGraph\n");
    REQUIRE(found.tables.size() == 5);
    CHECK(found.remarks.empty());
    CHECK(found.tables[2].rows.at(0).times.at(0).count() == 20.5 * 1e-6);
    CHECK(found.tables[3].rows.at(0).times.at(0).count() == 21.5 * 1e-6);
    CHECK(found.tables[4].rows.at(0).label == "a:0 to b:1");
    CHECK(found.tables[4].rows.at(1).times.at(0).count() == 1 / 500.0);
}

TEST_CASE("headers that lost their hash or the titles of their last columns are read") {
    std::string const nccl = "size count type redop root time algbw busbw #wrong\n8 2 float sum -1 12.34 0.00 0.00 0\n";
    auto const twice = read(nccl + nccl);
    CHECK(twice.tables.size() == 2);
    CHECK(tools::series_of({twice}).size() == 2);
    auto const full = read("# OSU MPI-CUDA Reduce Latency Test v7.3\n# Size       Avg Latency(us)\n"
                           "1   50.89   18.27   89.23   1000\n2   50.24   58.20   88.37   1000\n4   2.00   3.00\n");
    CHECK(sizes(full.tables.at(0)) == std::vector<double>{1});
    CHECK(full.remarks == texts{"a:4: is no row of its table: left out (2 lines, of which this is the first)"});
    for (std::string const behind : {"[n1:16] ../a.h:5  Error: -1", "  [n1:16] an error"}) {
        CAPTURE(behind);
        auto const of = [&](std::string const& columns) {
            auto const found = read("# OSU MPI Latency Test v7.4\n# Size       " + columns + behind + '\n' + osu_rows);
            CHECK(found.remarks.size() == 1);
            return sizes(found.tables.at(0));
        };
        CHECK(of("Avg Latency(us)") == std::vector<double>{1, 2, 4});
        CHECK(of("MB/s") == std::vector<double>{1, 2, 4});
        auto const imb = read("# Benchmarking PingPong\n# #processes = 2\n#bytes #repetitions t[usec] Mbytes/sec" +
                              behind + "\n8 10 1.00 8.00\n");
        CHECK(sizes(imb.tables.at(0)) == std::vector<double>{8});
        CHECK(imb.tables[0].no_model.empty());
        CHECK(imb.remarks == texts{"a:3: text behind the titles of the columns: left out"});
        auto const of_nccl = read("# nThread 1\n# size count type redop root time algbw busbw #wrong" + behind +
                                  "\n8 2 float sum -1 12.34 0.00 0.00 0\n");
        CHECK(sizes(of_nccl.tables.at(0)) == std::vector<double>{8});
    }
}

TEST_CASE("the size of a row is that of a message, also if its time is that of a window") {
    std::string const osu_rate = "# OSU MPI Multiple Bandwidth / Message Rate Test v7.4\n# [ pairs: 2 ] [ window size: "
                                 "32 ]\n# Size                  MB/s        Messages/s\n";
    auto const log = read(osu_rate + "8   160.00   20000000.00\n16   320.00   20000000.00\n");
    CHECK(sizes(log.tables.at(0)) == std::vector<double>{8, 16});
    CHECK(log.tables[0].rows[0].window == 32);
    CHECK(log.tables[0].rows[0].rated == 64);
    auto const records = tools::launches_of(log).at(0).records;
    CHECK(records.at(1).point.parameters.at(0).text == "16");
    CHECK(records.at(1).series.at(0).count() == doctest::Approx(64 / 20e6).epsilon(1e-12));
}

TEST_CASE("rows before the first title are told, also behind a label that most lines do not have") {
    auto const told = [](std::size_t n) {
        auto const lines = n == 1 ? "" : " (" + std::to_string(n) + " lines, of which this is the first)";
        return "rows that belong to no header: left out" + lines;
    };
    std::string const labeled = "[1,0]<stdout>:# OSU MPI Latency Test v7.4\n[1,0]<stdout>:# Size   Avg Latency(us)\n"
                                "[1,0]<stdout>:1   9.00\n[1,0]<stdout>:2   9.00\n";
    auto const before = [&](std::string const& text) {
        auto const found = read(text + osu + osu_rows + row("8", "2.50") + row("16", "2.60") + row("32", "2.70"));
        CHECK(found.tables.size() == 1);
        CHECK(sizes(found.tables.at(0)) == std::vector<double>{1, 2, 4, 8, 16, 32});
        return found.remarks;
    };
    CHECK(before(osu_rows) == texts{"a:1: " + told(3)});
    CHECK(before(osu_rows + "\n") == texts{"a:1: " + told(3)});
    CHECK(before(labeled) == texts{"a:3: " + told(2)});
    CHECK(before("0: # Size   Avg Latency(us)\n0: 1   9.00\n[1] 2   9.00\n") == texts{"a:2: " + told(2)});
    CHECK(before("a job of 4 nodes\n2 nodes are free\n10:11:12 it begins\n[host:12] 4 messages\n1\n\n").empty());
    auto const without_label = read(labeled + "64   99.00\n" + "[1,0]<stdout>:4   9.50\n");
    CHECK(sizes(without_label.tables.at(0)) == std::vector<double>{1, 2, 4});
    CHECK(without_label.remarks == texts{"a:5: " + told(1)});
    auto const behind = read(osu + osu_rows + osu_rows + "# another program\n[1,0]<stdout>:8   9.00\n");
    CHECK(behind.remarks == texts{"a:6: " + told(4)});
}

TEST_CASE("a file is a launch, and a repeated table in it is another") {
    auto const launches =
        tools::launches_of(read(osu + osu_rows + osu + osu_rows + osu + "1   12.00\n2   12.00\n4   12.50\n"));
    REQUIRE(launches.size() == 3); // the last one is slow, and counts
    for (auto const& l : launches) CHECK(l.records.size() == 3);
    CHECK(launches[0].records[0].series.at(0).count() == 2.0 * 1e-6);
    CHECK(launches[2].records[0].series.at(0).count() == 12.0 * 1e-6);
}

TEST_CASE("rows that start again without a header belong to no table above") {
    std::string const imb = "# Benchmarking PingPong\n# #processes = 2\n#bytes #repetitions t[usec] Mbytes/sec\n";
    std::string const imb_rows = "8 10 1.00 8.00\n16 10 1.50 10.67\n";
    for (auto const* const between : {"", "\n", "---------\n"}) {
        auto const again = read(osu + osu_rows + between + "1   2.60\n2   2.60\n4   3.10\n");
        REQUIRE(again.tables.size() == 1);
        CHECK(sizes(again.tables[0]) == std::vector<double>{1, 2, 4});
        CHECK(again.remarks.back().find("rows that belong to no header: left out (3 lines") != std::string::npos);
        auto const of_imb = read(imb + imb_rows + between + imb_rows);
        CHECK(sizes(of_imb.tables.at(0)) == std::vector<double>{8, 16});
    }
}

TEST_CASE("a line of another program before the first row loses no row") {
    auto const found = read(osu + "[host:1] a transport was not found\n" + osu_rows);
    CHECK(sizes(found.tables.at(0)) == std::vector<double>{1, 2, 4});
    CHECK(found.remarks.size() == 1);
    auto const second = read(osu + osu_rows + osu + "[host:1] a transport was not found\n" + osu_rows);
    CHECK(sizes(second.tables.at(1)) == std::vector<double>{1, 2, 4});
}

TEST_CASE("words behind the figures have any width") {
    std::string const header = "# OSU MPI Latency Test v7.4\n# Size       Avg Latency(us)  Ended by  Flags\n";
    auto const line = [](std::string const& size, std::string const& time, char const* words) {
        auto figures = row(size, time);
        figures.back() = ' ';
        return figures + ' ' + words;
    };
    auto const found = read(header + line("1", "2.00", "samples  timer_limited\n") + "[host:1] warning\n" +
                            line("2", "2.01", "samples  -\n") + line("4", "2.02", "time_budget  -"));
    CHECK(sizes(found.tables.at(0)) == std::vector<double>{1, 2, 4});
}

TEST_CASE("a figure of which no time can be made is none") {
    auto const found = read(osu + row("1", "1e-320") + row("2", "1e308") + row("4", "2.00"));
    CHECK(sizes(found.tables.at(0)) == std::vector<double>{4});
}

TEST_CASE("names from files are one line without control characters") {
    auto const found = read("# OSU MPI \x1b[31HLatency\xff Test v7.4\n# Size       Avg Latency(us)\n" + osu_rows);
    CHECK(found.tables.at(0).what.text() == "OSU MPI  [31HLatency\xef\xbf\xbd Test v7.4");
    auto const name = [](std::string const& test) {
        return read("# OSU MPI " + test + " Test\n# Size       Avg Latency(us)\n" + osu_rows).tables.at(0).what.title;
    };
    CHECK(name("\xed\xa0\x80\xe0\x80\x80") ==
          "OSU MPI \xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd Test");
    auto const repeated = [](std::size_t n, std::string const& character) {
        std::string text;
        while (n-- != 0) text += character;
        return text;
    };
    for (std::string const character : {"x", "\xc3\xa9", "\xf0\x9f\x98\x80"}) {
        auto const fitting = "OSU MPI " + repeated(200 - 13, character) + " Test";
        CHECK(name(repeated(200 - 13, character)) == fitting);
        CHECK(name(repeated(1000, character)) == "OSU MPI " + repeated(192, character) + "...");
    }
}
