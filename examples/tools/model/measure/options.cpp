// SPDX-License-Identifier: BSL-1.0
#include "tools/model/measure/options.hpp"

#include "suite/values.hpp"
#include "tools/command_line.hpp"
#include "tools/records/units.hpp"

#include <sonde/measure/plan.hpp>
#include <sonde/report/text.hpp>

#include <iterator>
#include <sstream>
#include <stdexcept>

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
        "multi: common, a barrier over both pairs directly before every sample; apart, one only before its "
        "warm-up, then one of each pair, as the Intel MPI Benchmarks do (default common)");
    add("pairs", converted_value(o.all_pair_counts, word_of<bool>("pairs", {"doubling", "all"})),
        "max-rate: doubling, or all numbers (default doubling)");
    add("messages", converted_value(o.messages, number_within<std::size_t>("messages", 2, 1000)),
        "loggp: of a parametrized round trip (default 12)");
}

po::options_description described(command_line& line) {
    using size = std::size_t;
    auto& o = line.options;
    po::options_description all{"Options"};
    auto add = all.add_options();
    add("model,m",
        converted_value(o.model, word_of<model_kind>("model", {std::begin(model_names), std::end(model_names)})),
        "hockney: one pair; multi: two pairs at once; max-rate: 1, 2, 4 .. pairs at once; loggp: "
        "parametrized round trips of one pair");
    add("out,o", po::value(&o.out), "file of JSON lines for sonde-model fit; one that holds something is refused");
    add("sizes,s", po::value(&line.sizes),
        "in bytes: A:B, A:B:STEP or A,B,..; K, M, G are of 1024 (default 1:4M; multi 40K:8M; loggp 1K:32K:1K)");
    add("per-octave", converted_value(line.per_octave, number_within<size>("per-octave", 1, 1000)),
        "sizes of A:B per doubling (default 4)");
    add("samples,n",
        converted_value(o.samples, number_within<size>("samples", 1, sonde::keep_options::default_samples)),
        "of a point; without it a point ends by --precision or --time");
    add("precision", converted_value(o.precision, number_within<double>("precision", 1e-6, 1)),
        "half the median's 95 % interval, relative (default 0.02)");
    add("time,t", converted_value(o.time, seconds_within("time", 1e-6, 1e6)),
        "of a point, in seconds, and at least ten samples (default 0.5)");
    add("warmup,w", converted_value(o.warmup, number_within<size>("warmup", 0, max_count)),
        "iterations before samples (default until stable; multi apart 10)");
    add("iterations,i", po::value(&line.iterations),
        "of a sample: a number; imb: n(x) of the Intel MPI Benchmarks; timer: as the clock needs "
        "(default timer; multi imb)");
    add_model_options(all, o);
    add("help,h", po::bool_switch(&o.help), "this");
    return all;
}

char const* default_sizes(model_kind model) {
    constexpr char const* all[] = {"1:4M", "40K:8M", "1:4M", "1K:32K:1K"};
    return all[static_cast<std::size_t>(model)];
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
    if (given.count("model") == 0) throw std::invalid_argument{"--model: takes one of " + list_of_models()};
    check(given, o.model);
    o.sizes = read_sizes(given.count("sizes") == 0 ? default_sizes(o.model) : line.sizes, line.per_octave);
    auto const iterations = o.model == model_kind::multi ? "imb" : "timer";
    o.batch = batch_of(given.count("iterations") == 0 ? iterations : line.iterations);
    return o;
}

std::string measure_usage() {
    command_line line;
    std::ostringstream text;
    text << "Usage: mpirun -n RANKS sonde-model measure --model MODEL [options]\n"
            "Measures what a model is fitted to, in a table and, with --out, in a file. Ranks that are in no pair\n"
            "sleep. Where ranks are on several nodes, pairs are between rank 0's and one other.\n"
         << described(line);
    return text.str();
}

} // namespace tools::model
