// SPDX-License-Identifier: BSL-1.0
#include <sonde/drawing/html.hpp>
#include <sonde/drawing/html_page.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "../report/support.hpp"

using reports::example;
using reports::has;
using reports::no_gnuplot;
using reports::no_programs;

namespace {

std::size_t count(std::string const& text, std::string const& of) {
    std::size_t n = 0;
    for (auto at = text.find(of); at != text.npos; at = text.find(of, at + 1)) ++n;
    return n;
}
/// The page of these records, without figures.
template <class... Records>
std::string page_of(std::optional<sonde::environment> where, Records const&... all) {
    no_programs const none;
    reports::scratch_folder folder;
    auto const path = folder / "x.html";
    {
        sonde::html page{path, std::move(where)};
        (page(all), ...);
    }
    return reports::contents(path);
}

/// The page's tables, and all text up to the parameters.
std::string tables_of(std::string const& page) {
    auto const begin = page.find("<section>");
    return page.substr(begin, page.find("<h2>Parameters") - begin);
}

std::string const number = "<td class=\"number\">", head = "<th scope=\"col\" class=\"number\">",
                  words = "<th scope=\"col\">";

} // namespace

TEST_CASE("HTML: a record is a row under column heads of its parameters and figures, to the text") {
    auto const page = page_of({}, example(8));
    CHECK(has(page, "<caption>Times of one iteration, slowest rank</caption>\n<thead><tr>" + head + "bytes</th>" +
                        words + "link</th>" + head + "median (us)</th>" + head + "95 % interval (us)</th>" + head +
                        "median one way (us)</th>" + head + "mean (us)</th>" + head + "bandwidth (MB/s)</th>" + head +
                        "samples</th>" + head + "batch</th>" + words + "stopped by</th></tr></thead>\n"));
    CHECK(has(page, "<tbody>\n<tr>" + number + "8</td><td>ssend</td>" + number + "4.500</td>" + number +
                        "1.000 \u2013 8.000</td>" + number + "2.250</td>" + number + "4.500</td>" + number +
                        "1.78</td>" + number + "8</td>" + number + "10</td><td>time</td></tr>\n</tbody>"));
}

TEST_CASE("HTML: every record is a row of its benchmark's table, in any order of records") {
    auto other = example(8);
    other.point.name = "stream";
    auto const tables = tables_of(page_of({}, example(8), other, example(16)));
    CHECK(count(tables, "<table") == 2);
    CHECK(count(tables, "<tr>" + number) == 3);
    auto const second = tables.find("<h2>stream</h2>");
    CHECK(tables.find("<h2>ping_pong</h2>") < tables.find(number + "8</td>"));
    CHECK(tables.find(number + "16</td>") < second);
    CHECK(tables.find(number + "8</td>", second) != std::string::npos);
}

TEST_CASE("HTML: above all tables are the median of each benchmark, from the fastest to the slowest, with units") {
    auto slow = example(16);
    for (auto& t : slow.series) t = t * 14213.4;
    auto other = example(8);
    other.point.name = "halo <1>";
    auto const page = page_of({}, example(8), slow, other);
    CHECK(has(page, "</p>\n<ul class=\"conclusions\">\n<li>ping_pong: medians from 4.500 us (bytes 8) to 63.96 "
                    "ms (bytes 16).</li>\n<li>halo &lt;1&gt;: the median is 4.500 us (bytes 8, link "
                    "ssend).</li>\n</ul>\n<section>"));
    other.initiators = 0; // it has no times
    CHECK(!has(page_of({}, other), "class=\"conclusions\""));
}

TEST_CASE("a time has four digits and the unit in which it is at least 1") {
    using sonde::detail::time_text;
    CHECK(time_text(sonde::seconds{0.0639631}) == "63.96 ms");
    CHECK(time_text(sonde::seconds{310e-6}) == "310.0 us");
    CHECK(time_text(sonde::seconds{1.2046e-6}) == "1.205 us");
    CHECK(time_text(sonde::seconds{38e-9}) == "38.00 ns");
    CHECK(time_text(sonde::seconds{4e-11}) == "0.040 ns");
    CHECK(time_text(sonde::seconds{12345}) == "12345 s");
    CHECK(time_text(sonde::seconds{0}) == "0.000 ns");
}

TEST_CASE("HTML: records without a size are a table of their own beside a sweep") {
    auto whole = example(8);
    std::erase_if(whole.point.parameters, [](auto const& p) { return p.name == "bytes"; });
    auto const tables = tables_of(page_of({}, example(8), whole, example(16)));
    CHECK(count(tables, "<table") == 2);
    CHECK(count(tables, "<h2>") == 1);
    CHECK(has(page_of({}, example(8), whole), "<li>ping_pong: the median is 4.500 us (bytes 8, link ssend).</li>\n"
                                              "<li>ping_pong: the median is 4.500 us (link ssend).</li>\n"));
    CHECK(!has(tables, number + "\u2013</td><td>ssend"));
}

TEST_CASE("HTML: parameters that only some records have are columns, with a dash for the others") {
    auto more = example(16);
    more.point.parameters.back() = {"link", "isend"};
    more.point.parameters.emplace_back("window", 64);
    auto const tables = tables_of(page_of({}, example(8), more));
    CHECK(has(tables, words + "link</th>" + head + "window</th>" + head + "median"));
    CHECK(has(tables, "<td>ssend</td>" + number + "\u2013</td>"));
    CHECK(has(tables, "<td>isend</td>" + number + "64</td>"));
}

TEST_CASE("HTML: a parameter that is equal in all rows stands above them, without a column") {
    auto const tables = tables_of(page_of({}, example(8), example(16)));
    CHECK(has(tables, "<caption>Times of one iteration, slowest rank; in all rows link ssend</caption>\n<thead><tr>" +
                          head + "bytes</th>" + head + "median"));
    CHECK(has(tables, "<tr>" + number + "16</td>" + number + "4.500</td>"));
    CHECK(has(tables_of(page_of({}, example(8), example(8))), "in all rows bytes 8, link ssend</caption>"));
    auto other = example(16);
    other.point.parameters.pop_back(); // then not all rows have it
    CHECK(has(tables_of(page_of({}, example(8), other)), words + "link</th>"));
}

TEST_CASE("HTML: a column shows its figures; columns of dashes alone are left out") {
    auto one = example(8), other = example(16);
    CHECK(has(tables_of(page_of({}, one)), "median one way"));
    for (auto* r : {&one, &other}) {
        r->total.hops = 1; // the median is of one hop
        r->series.resize(1);
    }
    auto const tables = tables_of(page_of({}, one, other));
    for (auto const* title : {"median one way", "P99", "95 % interval"}) CHECK_MESSAGE(!has(tables, title), title);
    one.series.assign(1000, reports::ns(7));
    CHECK(has(tables_of(page_of({}, one, other)), "P99 (us)"));
}

TEST_CASE("HTML: a parameter with numbers and texts is aligned left, as texts are") {
    auto one = example(8), other = example(16);
    one.point.parameters = {{"window", 64}};
    other.point.parameters = {{"window", "none"}};
    auto const tables = tables_of(page_of({}, one, other));
    CHECK(has(tables, words + "window</th>"));
    CHECK(has(tables, "<tr><td>64</td>"));
}

TEST_CASE("HTML: records with wrong data are marked by row, sign and a line above") {
    auto right = example(8), wrong = example(16);
    right.errors = 0;
    wrong.errors = 3;
    auto const page = page_of({}, right, wrong);
    CHECK(has(page, "<p class=\"alarm\">\u2717 Wrong data in 1 of 2 records: see the rows with this mark.</p>"));
    CHECK(has(page, "<tr class=\"failed\">" + number + "16</td>"));
    CHECK(has(page, number + "\u2717 3</td>"));
    CHECK(has(page, "<tr>" + number + "8</td>"));
    CHECK(has(page, number + "0</td><td>time</td>"));
    CHECK(!has(page_of({}, right), "class=\"alarm\""));
}

TEST_CASE("HTML: flags and the reason of the end are explained if there are any") {
    auto flagged = example(8);
    flagged.stop.reason = sonde::stop_reason::unreachable;
    flagged.flags = {true, true, true, true, true};
    auto const page = page_of({}, flagged, example(16));
    CHECK(has(page, "<td>precision unreachable</td><td>short beside the timer; ranks began far apart; the global clock "
                    "drifted; correlated samples; more ranks than processors</td></tr>"));
    CHECK(has(page, "<td>time</td><td>\u2013</td></tr>"));
    CHECK(!has(page_of({}, example(8)), "remarks"));
}

TEST_CASE("HTML: the environment is terms and definitions, ranks with the same processors together") {
    sonde::environment e;
    e.compiler = "g++ 12";
    e.command_line = "/opt/osu_bw -m 1:8";
    e.hosts = {"alpha", "beta"};
    e.ranks_per_host = {2, 1};
    e.bindings = {"0-3", "0-3", "4"};
    auto const page = page_of(e, example(8));
    CHECK(has(page, "<title>osu_bw</title>"));
    CHECK(has(page, "<h1>osu_bw</h1>"));
    CHECK(has(page,
              "<dt>Command</dt><dd><code>/opt/osu_bw -m 1:8</code></dd>\n<dt>Hosts</dt><dd>alpha (2 ranks), beta (1 "
              "rank)</dd>\n<dt>Processors</dt><dd><ul><li>ranks 0\u20131: 0-3</li><li>rank 2: 4</li></ul></dd>\n"
              "<dt>Compiler</dt><dd>g++ 12</dd>\n<dt>Sonde</dt><dd>" SONDE_VERSION "</dd>\n"));
}

TEST_CASE("HTML: the environment has the date, the job and the system, as far as they are known") {
    sonde::environment e;
    e.date = "2026-01-31T08:05:00Z";
    e.job = {"Slurm", "7", "srun"};
    e.system.processor = "a <processor>";
    e.system.sockets = 1;
    e.system.cores = 4;
    e.system.governor = "performance";
    e.system.boost = false;
    e.system.kernel = "Linux 6.1";
    e.system.memory_bytes = std::uint64_t{3} << 29;
    e.system.container = "none";
    e.system.fabric = {{"mlx5_0/1", "InfiniBand", 200.0}, {"eth0", "interface", {}}};
    e.system.gpu_driver = "NVIDIA 535.129.03";
    e.transport = {{"pml", "<ucx>"}};
    e.unlike_hosts = {"beta", "gamma"};
    e.stolen = sonde::seconds{0.25};
    auto const page = page_of(e, example(8));
    CHECK(has(page, "<dt>Date</dt><dd>2026-01-31T08:05:00Z</dd>\n<dt>Job</dt><dd>Slurm 7, srun</dd>\n"
                    "<dt>Host of rank 0</dt><dd>a &lt;processor&gt;, 1 socket, 4 cores, governor performance, boost "
                    "off</dd>\n<dt>Memory</dt><dd>1.5 GiB</dd>\n<dt>Networks</dt><dd>mlx5_0/1 (InfiniBand, 200 "
                    "Gbit/s), eth0 (interface)</dd>\n<dt>GPU driver</dt><dd>NVIDIA "
                    "535.129.03</dd>\n<dt>Kernel</dt><dd>Linux 6.1</dd>\n<dt>Container</dt><dd>none"
                    "</dd>\n<dt>Hosts of another kind</dt><dd>beta, gamma</dd>\n<dt>Stolen CPU time</dt><dd>0.25 s"
                    "</dd>\n"));
    CHECK(has(page, "<dt>Its transport</dt><dd><ul><li>pml = &lt;ucx&gt;</li></ul></dd>\n"));
    e.stolen_before = sonde::stolen_time();
    if (!e.stolen_before) return; // not a Linux system
    *e.stolen_before -= sonde::seconds{1e9};
    CHECK(has(page_of(e, example(8)), "<dt>Stolen CPU time</dt><dd>10000"));
}

TEST_CASE("HTML: without an environment the page has no such section, and the title results") {
    auto const page = page_of({}, example(8));
    CHECK(has(page, "<h1>Results</h1>"));
    CHECK(!has(page, "Environment"));
}

TEST_CASE("HTML: parameters are summarized: few values each, many numbers by minimum and maximum") {
    auto const one = page_of({}, example(8), example(16));
    CHECK(has(one, "<dt>bytes</dt><dd>8, 16</dd>\n<dt>link</dt><dd>ssend</dd>\n<dt>ranks</dt><dd>4</dd>\n"
                   "<dt>ranks that are timed</dt><dd>2</dd>\n"));
    sonde::detail::parameter_values many{"bytes"}, texts{"link"};
    for (int const i : {64, 8, 8, 128, 1, 2, 4, 16}) many.add({"bytes", i});
    for (auto const* text : {"a", "b", "c", "d", "e", "f", "g", "h"}) texts.add({"link", text});
    CHECK(many.text() == "1 to 128, 7 values");
    CHECK(texts.text() == "a, b, c, d, e, f, and 2 more");
}

TEST_CASE("HTML: texts from outside are shown, never executed") {
    std::string const bad = "<script>\"'&\xff</script>",
                      safe = "&lt;script&gt;&quot;&#39;&amp;\xef\xbf\xbd&lt;/script&gt;";
    auto r = example(8);
    r.point = {bad, {{bad, bad}}};
    sonde::environment e;
    e.command_line = e.communication_library = e.compiler = e.build = bad;
    e.hosts = e.bindings = {bad};
    e.ranks_per_host = {1};
    auto const page = page_of(e, r);
    CHECK(count(page, "<script>") == 1); // the page's own
    CHECK(count(page, "\"'&\xff") == 0);
    CHECK(has(page, "<h2>" + safe + "</h2>"));
    CHECK(has(page, "aria-label=\"Table: " + safe + "\""));
    CHECK(has(page, words + safe + "</th>"));
    CHECK(has(page, "<td>" + safe + "</td>"));
    CHECK(has(page, "<dt>" + safe + "</dt><dd>" + safe + "</dd>"));
    CHECK(has(page, "<code>" + safe + "</code>"));
    CHECK(has(page, "<dt>Hosts</dt><dd>" + safe + " (1 rank)</dd>"));
    CHECK(has(page, "<li>rank 0: " + safe + "</li>"));
}

TEST_CASE("HTML: without gnuplot the page has a line about it, and everything but figures") {
    auto const page = page_of({}, example(8), example(16));
    CHECK(count(page, "<p class=\"note\">Without figures: plots are drawn by gnuplot, and &#39;gnuplot&#39; cannot be "
                      "started: No such file or directory.</p>") == 1);
    CHECK(!has(page, "<svg"));
    CHECK(count(tables_of(page), "<tr>" + number) == 2);
    CHECK(has(page, "</html>\n"));
}

TEST_CASE("HTML: a benchmark with one size, or none, has no figure, and no line about it") {
    auto none = example(8);
    none.point.parameters.clear();
    auto const page = page_of({}, example(8), none);
    CHECK(!has(page, "<svg"));
    CHECK(!has(page, "Without figures"));
}

TEST_CASE("HTML: sizes are drawn, with unique names in each picture (needs gnuplot)" * doctest::skip(no_gnuplot)) {
    reports::scratch_folder folder;
    {
        sonde::html page{folder / "x.html"};
        for (auto const bytes : {8, 16}) page(example(static_cast<std::size_t>(bytes)));
    }
    auto const page = reports::contents(folder / "x.html");
    CHECK(folder.files() == 1);
    CHECK(count(page, "<svg role=\"img\" aria-label=\"Figure: ") == 2);
    CHECK(count(page, "</svg>") == 2);
    CHECK(count(page, "id='f1-gpPt0'") == 1);
    CHECK(count(page, "id='f2-gpPt0'") == 1);
    CHECK(!has(page, "'#gp"));
    CHECK(!has(page, "http:"));
    CHECK(!has(page, "https:"));
}

TEST_CASE("HTML: more than ten curves are split into figures, and many names enlarge a picture (needs gnuplot)" *
          doctest::skip(no_gnuplot)) {
    sonde::detail::figure_writer writer;
    std::vector<sonde::record> records;
    for (int link = 0; link != 12; ++link)
        for (auto const bytes : {8, 16}) {
            records.push_back(example(static_cast<std::size_t>(bytes)));
            records.back().point.parameters.back() = {"a link whose name is long", link};
        }
    auto const figures = writer.figures(records);
    CHECK(writer.error() == "");
    CHECK(count(figures, "<svg") == 4);
    CHECK(count(figures, "viewBox=\"0 0 640 574\"") == 2);
    CHECK(count(figures, "viewBox=\"0 0 640 420\"") == 2);
}

TEST_CASE("HTML: an interrupted program leaves its records as a draft, which the end replaces") {
    reports::scratch_folder folder;
    auto const path = folder / "x.html";
    no_programs const none;
    auto other = example(8);
    other.point.name = "<stream>";
    {
        sonde::html page{path, sonde::local_environment()};
        std::function<void(sonde::record const&)> const copy = page;
        CHECK(has(reports::contents(path), "<h2>Environment</h2>"));
        page(example(8));
        CHECK(has(reports::contents(path), number + "8</td>"));
        copy(example(16));
        copy(other);
        auto const draft = reports::contents(path);
        CHECK(has(draft, "Unfinished"));
        CHECK(count(draft, "<table") == 2);
        CHECK(count(draft, "<tr>" + number) == 3);
        CHECK(has(draft, "<h2>&lt;stream&gt;</h2>"));
    }
    auto const page = reports::contents(path);
    CHECK(!has(page, "Unfinished"));
    CHECK(page.rfind("<!DOCTYPE html>\n", 0) == 0);
    CHECK(count(page, "</html>") == 1);
    CHECK(page.substr(page.size() - 8) == "</html>\n");
}

TEST_CASE("HTML: a full disk throws at the record") {
    sonde::detail::draft_file full{"/dev/full"}; // not a file on a disk: written at the end
    full.append("draft");
    CHECK_THROWS_WITH_AS(full.replace("page"), "cannot write '/dev/full': No space left on device", std::system_error);
}

TEST_CASE("HTML: a page that cannot be written at the end makes finish() throw, once") {
    no_programs const none;
    sonde::html page{"/dev/full"};
    page(example(8));
    CHECK_THROWS_WITH_AS(page.finish(), "cannot write '/dev/full': No space left on device", std::system_error);
    CHECK_NOTHROW(page.finish());
}

TEST_CASE("HTML: a final page shorter than the draft leaves nothing of it") {
    reports::scratch_folder folder;
    {
        sonde::detail::draft_file file{folder / "x"};
        file.append("a long draft");
        file.replace("page");
    }
    CHECK(reports::contents(folder / "x") == "page");
}

namespace {

/// Rank 2 of 4 finishes last, and needs `slow` us where the others need one.
sonde::record with_slow_rank(std::size_t bytes, long long slow) {
    auto r = example(bytes);
    r.initiators = 4;
    r.series.assign(100, reports::ns(4000));
    r.stop.samples = 100;
    r.slowest_counts = std::vector<std::size_t>{1, 1, 97, 1};
    r.stragglers = {2};
    r.straggler_lags = {{reports::ns(1000 * slow - 1000), static_cast<double>(slow - 1)}};
    auto& times = r.rank_samples.emplace();
    for (long long const us : {1LL, 1LL, slow, 1LL}) times.insert(times.end(), 100, reports::ns(1000 * us));
    return r;
}

} // namespace

TEST_CASE("HTML: of each record with rank samples, the ranks that finished last are named") {
    auto const page = page_of({}, with_slow_rank(8, 2), with_slow_rank(16, 7));
    CHECK(count(page, "<h3>Ranks</h3>") == 1);
    CHECK(has(page,
              "<li>bytes=16  link=ssend: Rank 2 finished last in 97 of 100 samples, at least 6.00 us (600 %) after the "
              "median rank.</li>"));
    CHECK(count(page, "the last to finish is often a rank that waited for the late one") == 1);
    CHECK(count(page, "<li>bytes=") == 2);
    CHECK(!has(page, "<h4>")); // without gnuplot
    auto one_sample = example(8);
    one_sample.rank_samples.emplace(4, reports::ns(1000));
    auto no_times = example(8);
    no_times.rank_samples.emplace(8);
    CHECK(!has(page_of({}, example(8), one_sample, no_times), "Ranks"));
}

TEST_CASE("HTML: the times of every rank are drawn for the four records in which the ranks differ most" *
          doctest::skip(no_gnuplot)) {
    reports::scratch_folder folder;
    auto const path = folder / "x.html";
    {
        sonde::html write{path};
        for (auto const& [bytes, slow] : {std::pair{8, 2}, {16, 7}, {32, 6}, {64, 5}, {128, 4}})
            write(with_slow_rank(static_cast<std::size_t>(bytes), slow));
    }
    auto const page = reports::contents(path);
    CHECK(has(page, "Figures of the 4 of 5 records in which the ranks differ most"));
    for (auto const* drawn : {"16", "32", "64", "128"}) CHECK(has(page, "<h4>bytes=" + std::string{drawn} + "  "));
    CHECK(count(page, "<h4>") == 4);
    CHECK(count(page, "<figcaption>Time of each rank in each sample</figcaption>\n<svg") == 4);
    CHECK(count(page, "aria-label=\"Violins, one for each rank. Rank 2 finished last") == 4);
}
