// SPDX-License-Identifier: BSL-1.0
#include "tools/map/options.hpp"

#include "tools/command_line.hpp"
#include "tools/records/units.hpp"

#include <sonde/measure/plan.hpp>

#include <sstream>
#include <stdexcept>

namespace tools::map {

namespace {

namespace po = boost::program_options;

/// Command line as it is read.
struct command_line {
    map_options options;
    std::string latency, bandwidth;
    std::vector<std::string> expected;
};

po::options_description described(command_line& line) {
    auto& o = line.options;
    po::options_description all{"Options"};
    auto add = all.add_options();
    add("per", converted_value(o.per, word_of<place_kind>("per", {"node", "rank"})),
        "node: between the first ranks of all nodes; rank: between all ranks (default node)");
    add("mode,m", converted_value(o.mode, word_of<map_mode>("mode", {"apart", "together", "ring"})),
        "apart: one pair at a time; together: all pairs of a round at once, each place with one partner; ring: each "
        "place sends to the k-th place after it at once, for all k, as mpiGraph does (default apart)");
    add("latency,l", po::value(&line.latency)->value_name("SIZES"),
        "message sizes of ping-pongs, in bytes: A,B,.. or A:B; K, M, G are of 1024; none (default 8; ring none)");
    add("bandwidth,b", po::value(&line.bandwidth)->value_name("SIZES"),
        "message sizes of streams, or none (default 1M)");
    add("window,w", converted_value(o.window, number_within<std::size_t>("window", 1, 4096)),
        "messages of a stream in flight (default 16)");
    add("until,u", converted_value(o.precision, number_within<double>("until", 0.0001, 100), "PERCENT"),
        "half the median's 95 % interval, relative (default 5)");
    add("time,t", converted_value(o.time, seconds_within("time", 1e-6, 1e6)),
        "of a pair in one direction, in seconds, and at least six samples (default 0.05)");
    add("samples,n",
        converted_value(o.samples, number_within<std::size_t>("samples", 6, sonde::keep_options::default_samples)),
        "of a pair in one direction, instead of --until and --time");
    add("budget", converted_value(o.budget, seconds_within("budget", 1e-3, 1e9)),
        "of all maps, in seconds, instead of --time");
    add("quick,q", po::bool_switch(&o.quick),
        "measure only log2(P) + 2 rounds of the P - 1: names slow nodes or ranks, but not a single slow pair");
    add("time-limit", converted_value(o.time_limit, seconds_within("time-limit", 1e-2, 1e9)),
        "a pair that takes longer, in one direction, ends the job with status 2, in seconds (default 60)");
    add("false-alarms", converted_value(o.false_alarms, number_within<double>("false-alarms", 1e-9, 0.5)),
        "probability that anything is named where nothing is slow (default 0.01)");
    add("factor", converted_value(o.factor, number_within<double>("factor", 1, 1000)),
        "smallest factor by which a suspect is slower (default 1.2)");
    add("expect", po::value(&line.expected)->composing()->value_name("METRIC=VALUE"),
        "latency=US or bandwidth=MB/S: names all pairs that are worse, by their interval; once for each");
    add("json,o", po::value(&o.json), "file of JSON lines, written after each round");
    add("csv", po::value(&o.csv), "file of matrices: a line for each sender, a column for each receiver");
    add("plot", po::value(&o.plot), "heatmaps: FILE.svg, FILE.png or FILE.pdf");
    add("html", po::value(&o.html), "page with the suspects, heatmaps with their values, and a table of pairs");
    add("help,h", po::bool_switch(&o.help), "this");
    return all;
}

void add_tasks(map_options& o, map_metric metric, std::string const& option, std::string const& sizes) {
    if (sizes == "none") return;
    for (auto const bytes : model::read_sizes(sizes, 1, 1, option)) o.tasks.push_back({metric, bytes});
}

void add_expectation(map_options& o, std::string const& text) {
    auto const at = text.find('=');
    auto const name = text.substr(0, at);
    auto const value = at == text.npos ? std::nullopt : suite::number<double>(text.substr(at + 1), 1e-9, 1e12);
    if (!value || (name != "latency" && name != "bandwidth")) refuse("expect", text, "latency=US or bandwidth=MB/S");
    (name == "latency" ? o.max_latency : o.min_bandwidth) = value;
}

/// Throws for options that contradict each other.
void check(po::variables_map const& given, map_options const& o) {
    auto const has = [&](char const* name) { return given.count(name) != 0; };
    if (has("samples") && (has("until") || has("time") || has("budget")))
        throw std::invalid_argument{"--samples is instead of --until, --time and --budget"};
    if (has("time") && has("budget")) throw std::invalid_argument{"--budget is instead of --time"};
    auto const measures = [&](map_metric m) {
        for (auto const& t : o.tasks)
            if (t.metric == m) return true;
        return false;
    };
    if (o.tasks.empty()) throw std::invalid_argument{"--latency and --bandwidth: nothing is left to measure"};
    if (o.mode == map_mode::ring && measures(map_metric::latency))
        throw std::invalid_argument{"--latency: in a ring only bandwidth is measured"};
    if (o.max_latency && !measures(map_metric::latency))
        throw std::invalid_argument{"--expect latency: no latency is measured"};
    if (o.min_bandwidth && !measures(map_metric::bandwidth))
        throw std::invalid_argument{"--expect bandwidth: no bandwidth is measured"};
}

} // namespace

map_options parse_map(std::vector<std::string> const& words) {
    command_line line;
    auto const given = read_options(words, described(line));
    auto& o = line.options;
    if (o.help) return o;
    o.precision = given.count("until") == 0 ? o.precision : o.precision / 100;
    auto const latency = o.mode == map_mode::ring ? "none" : "8";
    add_tasks(o, map_metric::latency, "--latency", given.count("latency") == 0 ? latency : line.latency);
    add_tasks(o, map_metric::bandwidth, "--bandwidth", given.count("bandwidth") == 0 ? "1M" : line.bandwidth);
    for (auto const& text : line.expected) add_expectation(o, text);
    check(given, o);
    return o;
}

std::string map_usage() {
    command_line line;
    std::ostringstream text;
    text
        << "Usage: mpirun -n RANKS sonde-map [options]\n"
           "Measures latency and bandwidth between all pairs of nodes, or of ranks, in both directions, and names the\n"
           "nodes, links between groups of nodes, and pairs that are slower than the others.\n"
           "Exit status: 0 nothing is named, 1 something is named, 2 something could not be measured or written.\n"
        << described(line);
    return text.str();
}

} // namespace tools::map
