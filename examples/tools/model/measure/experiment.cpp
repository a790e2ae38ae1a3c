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

constexpr std::size_t max_count = 1'000'000'000;

constexpr tool_usage measure_about{
    "sonde-model", operands::none,
    "Usage: mpirun -n RANKS sonde-model measure --model MODEL [options]\n"
    "Measures the times that a model is fitted to. The results are a table and, with --out, a file. Ranks that are\n"
    "in no pair sleep. If ranks are on several nodes, all pairs are between rank 0's node and one other node.\n"};

std::optional<batch_size> batch_of(std::string const& text) {
    if (text == "imb") return batch_size{batch_size::source::imb};
    if (text == "timer") return batch_size{batch_size::source::timer};
    auto const n = suite::number<std::size_t>(text, 1, max_count);
    return n ? std::optional{batch_size{batch_size::source::fixed, *n}} : std::nullopt;
}

/// Command line. Defaults that depend on the model are not filled in.
struct measure_line {
    measure_options options{};
    std::optional<model_kind> model{};
    std::string sizes{};
    std::size_t per_octave = 4;
};

/// Adds the options of a single model.
void add_model_options(std::vector<suite::option_row>& rows, measure_options& o) {
    using namespace suite;
    rows.emplace_back("start common|apart",
                      "multi: common, a barrier over both pairs directly before every sample; apart, this barrier only "
                      "before its warm-up, then a barrier of each pair, as the Intel MPI Benchmarks do",
                      one_of(o.start, {{"common", pair_start::common}, {"apart", pair_start::apart}}));
    rows.emplace_back("pairs", "max-rate: numbers of pairs, {words}",
                      one_of(o.all_pair_counts, {{"doubling", false}, {"all", true}}));
    rows.emplace_back("messages", "loggp: number of messages of a parametrized round trip", whole(o.messages, 2, 1000));
}

std::vector<suite::option_row> rows_of(measure_line& line) {
    using namespace suite;
    auto& o = line.options;
    std::vector<option_row> rows{
        {"model,m MODEL",
         "hockney: one pair; multi: two pairs at once; max-rate: 1, 2, 4 .. pairs at once; loggp: parametrized round "
         "trips of one pair",
         one_of(line.model, model_choices())},
        {"out,o", "file of JSON lines for sonde-model fit; a file with contents is refused", file_name(o.out)},
        {"sizes,s SIZES",
         "message sizes in bytes, A:B and A:B:STEP, with commas between; K, M, G are units of 1024 (default 1:4M; "
         "multi 40K:8M; "
         "loggp 1K:32K:1K)",
         text(line.sizes, "sizes")},
        {"per-octave", "sizes of A:B per doubling", whole(line.per_octave, 1, 1000)},
        {"samples,n", "number of samples of a point; without it a point ends by --precision or --time",
         whole(o.samples, 1, sonde::keep_options::default_samples)},
        {"precision X", "half the 95 % interval of the median, relative",
         real(o.precision, "a fraction", "1e-6", "0.99")},
        {"time,t SECONDS", "time of a point, and at least ten samples", real(o.time, "seconds", "1e-6", "1e6")},
        {"warmup,w",
         "iterations before the samples (default: until the times are stable; multi with --start apart: 10)",
         whole(o.warmup, 0, max_count)},
        {"iterations,i N",
         "iterations of a sample: a number; imb: n(x) of the Intel MPI Benchmarks; timer: by the resolution of the "
         "clock (default timer; multi imb)",
         parsed(o.batch, batch_of, whole_range(std::size_t{1}, max_count) + ", imb or timer")}};
    add_model_options(rows, o);
    return rows;
}

/// Throws if the model ignores an option.
void check(command_line const& given, model_kind model) {
    auto const only = [&](char const* option, model_kind of) {
        if (given.has(option) && model != of)
            throw std::invalid_argument{std::string{"--"} + option + " is of --model " + name(of)};
    };
    only("start", model_kind::multi);
    only("pairs", model_kind::max_rate);
    only("messages", model_kind::log_gp);
    if (given.has("samples") && (given.has("precision") || given.has("time")))
        throw std::invalid_argument{"--samples is instead of --precision and --time"};
}

} // namespace

measure_options parse_measure(std::vector<std::string> const& words) {
    measure_line line;
    auto const rows = rows_of(line);
    auto const given = read_options(measure_about, rows, words);
    auto& o = line.options;
    o.answer = given.answer;
    if (!o.answer.empty()) return o;
    if (!line.model) throw std::invalid_argument{"--model: takes one of " + rows.front().value.accepted};
    o.model = *line.model;
    check(given, o.model);
    o.sizes = read_sizes(given.has("sizes") ? line.sizes : row_of(o.model).sizes, line.per_octave);
    if (!given.has("iterations") && o.model == model_kind::multi) o.batch = {batch_size::source::imb};
    return o;
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
