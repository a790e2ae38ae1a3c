// SPDX-License-Identifier: BSL-1.0
#include "tools/model/measure/experiment.hpp"

#include "suite/values.hpp"
#include "tools/records/units.hpp"
#include "tools/tool_options.hpp"

#include <sonde/measure/environment.hpp>
#include <sonde/measure/plan.hpp>
#include <sonde/report/text.hpp>

#include <algorithm>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <utility>

namespace tools::model {

namespace {

namespace po = boost::program_options;

constexpr std::size_t max_count = 1'000'000'000;

/// Command line. Defaults that depend on the model are not filled in.
struct command_line {
    measure_options options;
    std::string sizes, iterations;
    std::size_t per_octave = 4;
};

/// Adds the options of a single model.
void add_model_options(po::options_description& all, measure_options& o) {
    auto add = all.add_options();
    add("start", converted_value(o.start, word_of<pair_start>("start", {"common", "apart"})),
        "multi: common, a barrier over both pairs directly before every sample; apart, this barrier only before its "
        "warm-up, then a barrier of each pair, as the Intel MPI Benchmarks do (default common)");
    add("pairs", converted_value(o.all_pair_counts, word_of<bool>("pairs", {"doubling", "all"})),
        "max-rate: numbers of pairs, doubling or all (default doubling)");
    add("messages", converted_value(o.messages, number_within<std::size_t>("messages", 2, 1000)),
        "loggp: number of messages of a parametrized round trip (default 12)");
}

po::options_description described(command_line& line) {
    using size = std::size_t;
    auto& o = line.options;
    po::options_description all{"Options"};
    auto add = all.add_options();
    add("model,m", converted_value(o.model, word_of<model_kind>("model", model_names())),
        "hockney: one pair; multi: two pairs at once; max-rate: 1, 2, 4 .. pairs at once; loggp: "
        "parametrized round trips of one pair");
    add("out,o", po::value(&o.out), "file of JSON lines for sonde-model fit; a file with contents is refused");
    add("sizes,s", po::value(&line.sizes),
        "message sizes in bytes, A:B and A:B:STEP, with commas between; K, M, G are units of 1024 (default 1:4M; multi "
        "40K:8M; "
        "loggp 1K:32K:1K)");
    add("per-octave", converted_value(line.per_octave, number_within<size>("per-octave", 1, 1000)),
        "sizes of A:B per doubling (default 4)");
    add("samples,n",
        converted_value(o.samples, number_within<size>("samples", 1, sonde::keep_options::default_samples)),
        "number of samples of a point; without it a point ends by --precision or --time");
    add("precision", converted_value(o.precision, number_within<double>("precision", 1e-6, 0.99)),
        "half the 95 % interval of the median, relative (default 0.02)");
    add("time,t", converted_value(o.time, seconds_within("time", 1e-6, 1e6)),
        "time of a point in seconds, and at least ten samples (default 0.5)");
    add("warmup,w", converted_value(o.warmup, number_within<size>("warmup", 0, max_count)),
        "iterations before the samples (default: until the times are stable; multi with --start apart: 10)");
    add("iterations,i", po::value(&line.iterations),
        "iterations of a sample: a number; imb: n(x) of the Intel MPI Benchmarks; timer: by the resolution of the "
        "clock (default timer; multi imb)");
    add_model_options(all, o);
    add("help,h", po::bool_switch(&o.help), "print this help");
    return all;
}

batch_size batch_of(std::string const& text) {
    if (text == "imb") return {batch_size::source::imb};
    if (text == "timer") return {batch_size::source::timer};
    auto const n = suite::number<std::size_t>(text, 1, max_count);
    if (!n) refuse("iterations", text, "a number from 1 to " + std::to_string(max_count) + ", imb or timer");
    return {batch_size::source::fixed, *n};
}

/// Throws if the model ignores an option.
void check(po::variables_map const& given, model_kind model) {
    auto const only = [&](char const* option, model_kind of) {
        if (given.count(option) != 0 && model != of)
            throw std::invalid_argument{std::string{"--"} + option + " is of --model " + name(of)};
    };
    only("start", model_kind::multi);
    only("pairs", model_kind::max_rate);
    only("messages", model_kind::log_gp);
    if (given.count("samples") != 0 && given.count("precision") + given.count("time") != 0)
        throw std::invalid_argument{"--samples is instead of --precision and --time"};
}

} // namespace

measure_options parse_measure(std::vector<std::string> const& words) {
    command_line line;
    auto const given = read_options(words, described(line));
    auto& o = line.options;
    if (o.help) return o;
    if (given.count("model") == 0)
        throw std::invalid_argument{"--model: takes one of " + sonde::detail::joined(model_names(), ", ")};
    check(given, o.model);
    o.sizes = read_sizes(given.count("sizes") == 0 ? row_of(o.model).sizes : line.sizes, line.per_octave);
    auto const iterations = o.model == model_kind::multi ? "imb" : "timer";
    o.batch = batch_of(given.count("iterations") == 0 ? iterations : line.iterations);
    return o;
}

std::string measure_usage() {
    command_line line;
    std::ostringstream text;
    text << "Usage: mpirun -n RANKS sonde-model measure --model MODEL [options]\n"
            "Measures the times that a model is fitted to. The results are a table and, with --out, a file. Ranks that "
            "are\n"
            "in no pair sleep. If ranks are on several nodes, all pairs are between rank 0's node and one other node.\n"
         << options_text(described(line));
    return text.str();
}

namespace {

/// Ranks of each node.
std::vector<std::vector<int>> ranks_by_node(std::vector<int> const& node_of_rank) {
    std::vector<std::vector<int>> nodes;
    for (std::size_t rank = 0; rank != node_of_rank.size(); ++rank) {
        auto const node = static_cast<std::size_t>(node_of_rank[rank]);
        nodes.resize(std::max(nodes.size(), node + 1));
        nodes[node].push_back(static_cast<int>(rank));
    }
    return nodes;
}

std::vector<rank_pair> pairs_within(std::vector<int> const& ranks, std::size_t most) {
    auto const n = std::min(most, ranks.size() / 2);
    std::vector<rank_pair> pairs;
    for (std::size_t i = 0; i != n; ++i) pairs.push_back({ranks[i], ranks[n + i]});
    return pairs;
}

std::vector<rank_pair> pairs_between(std::vector<int> const& here, std::vector<int> const& there, std::size_t most) {
    std::vector<rank_pair> pairs;
    for (std::size_t i = 0; i != std::min({most, here.size(), there.size()}); ++i) pairs.push_back({here[i], there[i]});
    return pairs;
}

} // namespace

pair_placement place_pairs(std::vector<int> const& node_of_rank, std::size_t most) {
    auto const nodes = ranks_by_node(node_of_rank);
    if (nodes.size() < 2) return {nodes.empty() ? std::vector<rank_pair>{} : pairs_within(nodes[0], most), false};
    pair_placement best{{}, true};
    for (std::size_t other = 1; other != nodes.size(); ++other) {
        auto pairs = pairs_between(nodes[0], nodes[other], most);
        if (pairs.size() > best.pairs.size()) best.pairs = std::move(pairs);
    }
    return best;
}

std::string text_of(pair_placement const& placement) {
    auto const pairs = sonde::detail::joined(placement.pairs, ", ", [](rank_pair const& p) {
        return std::to_string(p.initiator) + '-' + std::to_string(p.responder);
    });
    return "ranks " + pairs + (placement.between_nodes ? " between two nodes" : " on one node");
}

namespace {

/// "here: 3 on 1 node", "here: 2, 1 on 2 nodes".
std::string text_of(std::vector<int> const& ranks_per_node) {
    auto const ranks = sonde::detail::joined(ranks_per_node, ", ", [](int n) { return std::to_string(n); });
    return "here: " + ranks + " on " + std::to_string(ranks_per_node.size()) +
           (ranks_per_node.size() == 1 ? " node" : " nodes");
}

} // namespace

void require_pairs(measure_options const& options, pair_placement const& placement,
                   std::vector<int> const& ranks_per_node) {
    auto const least = row_of(options.model).least_pairs;
    if (placement.pairs.size() >= least) return;
    throw std::runtime_error{"takes " + std::to_string(2 * least) +
                             " ranks, all on one node, or half of them on rank 0's and half on another; " +
                             text_of(ranks_per_node)};
}

std::vector<std::size_t> pair_counts(std::size_t most, bool every) {
    std::vector<std::size_t> all;
    for (std::size_t k = 1; k < most; k = every ? k + 1 : 2 * k) all.push_back(k);
    if (most != 0) all.push_back(most);
    return all;
}

std::vector<measurement_point> measurement_points(measure_options const& options, std::size_t pairs) {
    auto const counts = options.model == model_kind::max_rate ? pair_counts(pairs, options.all_pair_counts)
                                                              : std::vector{row_of(options.model).least_pairs};
    std::vector<measurement_point> all;
    for (auto const bytes : options.sizes)
        for (auto const k : counts) all.push_back({bytes, k});
    return all;
}

namespace {

std::string start_line(measure_options const& options) {
    if (options.model != model_kind::multi) return "";
    if (options.start == pair_start::common) return "# Both pairs begin every sample together.\n";
    return "# Pairs begin together only before the warm-up of a sample; its time is that of the sum of bandwidths.\n";
}

std::string idle_line(pair_placement const& placement, int ranks) {
    auto const idle = ranks - 2 * static_cast<int>(placement.pairs.size());
    if (idle == 0) return "";
    return "# " + std::to_string(idle) +
           (idle == 1 ? " rank is in no pair and sleeps.\n" : " ranks are in no pair and sleep.\n");
}

/// Lists each point once.
std::string imprecise_line(measure_options const& options, std::vector<measurement_point> const& imprecise) {
    std::string points;
    for (std::size_t i = 0; i != imprecise.size(); ++i) {
        if (i != 0 && imprecise[i] == imprecise[i - 1]) continue;
        points += (points.empty() ? "" : ", ") + std::to_string(imprecise[i].bytes);
        if (options.model == model_kind::max_rate) points += " by " + std::to_string(imprecise[i].pairs);
    }
    if (points.empty()) return "";
    std::ostringstream precision;
    precision << options.precision;
    return "# Less precise than --precision " + precision.str() + " when their time was over: " + points +
           (options.model == model_kind::max_rate ? " (bytes by pairs)\n" : " bytes\n");
}

std::string next_step(measure_options const& options) {
    if (options.out.empty()) return "then: again with --out FILE, for sonde-model fit FILE\n";
    return "then: sonde-model fit " + sonde::detail::shell_word(options.out) + "\n";
}

} // namespace

std::string heading(measure_options const& options, pair_placement const& placement, int ranks) {
    std::string const warning = placement.between_nodes ? "" : row_of(options.model).one_node;
    auto const note = warning.empty() ? "" : "# " + warning + "\n";
    return std::string{"# "} + row_of(options.model).title + ": " + text_of(placement) + "\n" + note +
           start_line(options) + idle_line(placement, ranks);
}

std::string closing(measure_options const& options, std::vector<measurement_point> const& imprecise) {
    return imprecise_line(options, imprecise) + next_step(options);
}

} // namespace tools::model
