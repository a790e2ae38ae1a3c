// SPDX-License-Identifier: BSL-1.0
#include "measure_request.hpp"

#include "../command_line.hpp"
#include "measure_values.hpp"
#include "sizes.hpp"

#include <sonde/plan.hpp>

#include <sstream>
#include <stdexcept>

namespace tools::model {

namespace {

namespace po = boost::program_options;

constexpr std::size_t most = 1'000'000'000;

po::options_description known() {
    po::options_description all{"Options"};
    auto const add = [&all](char const* name, char const* text) {
        all.add_options()(name, po::value<std::string>(), text);
    };
    add("model,m", "hockney: one pair; multi: two pairs at once; max-rate: 1, 2, 4 .. pairs at once; loggp: "
                   "parametrised round trips of one pair");
    add("out,o", "file of JSON lines for sonde-model fit; one that holds something is refused");
    add("sizes,s",
        "in bytes: A:B, A:B:STEP or A,B,..; K, M, G are of 1024 (default 1:4M; multi 40K:8M; loggp 1K:32K:1K)");
    add("per-octave", "sizes of A:B per doubling (default 4)");
    add("samples,n", "of a point; without it a point ends by --precision or --time");
    add("precision", "half the median's 95 % interval, relative (default 0.02)");
    add("time,t", "of a point, in seconds, and at least ten samples (default 0.5)");
    add("warmup,w", "iterations before samples (default until stable; multi apart 10)");
    add("iterations,i", "of a sample: a number; imb: n(x) of the Intel MPI Benchmarks; timer: as the clock needs "
                        "(default timer; multi imb)");
    add("start", "multi: common, a barrier over both pairs directly before every sample; apart, one only before its "
                 "warm-up, then one of each pair, as the Intel MPI Benchmarks do (default common)");
    add("pairs", "max-rate: doubling, or all numbers (default doubling)");
    add("messages", "loggp: of a parametrised round trip (default 12)");
    all.add_options()("help,h", "this");
    return all;
}

char const* usual_sizes(kind what) {
    constexpr char const* all[] = {"1:4M", "40K:8M", "1:4M", "1K:32K:1K"};
    return all[static_cast<std::size_t>(what)];
}

iterations iterations_in(option_values const& from, kind what) {
    auto const text = from.text("iterations", what == kind::multi ? "imb" : "timer");
    if (text == "imb") return {iterations::by_what::imb};
    if (text == "timer") return {iterations::by_what::timer};
    auto const n = common::number<std::size_t>(text, 1, most);
    if (!n) from.refuse("iterations", "a number from 1 to " + std::to_string(most) + ", imb or timer");
    return {iterations::by_what::number, *n};
}

/// Throws where an option is given that the model has no use for.
void require_of(option_values const& from, kind what) {
    auto const only = [&](char const* option, kind k) {
        if (from.given(option) && what != k)
            throw std::invalid_argument{std::string{"--"} + option + " is of --model " + name(k)};
    };
    only("start", kind::multi);
    only("pairs", kind::max_rate);
    only("messages", kind::log_gp);
    if (from.given("samples") && (from.given("precision") || from.given("time")))
        throw std::invalid_argument{"--samples is instead of --precision and --time"};
}

measure_request request_in(option_values const& from) {
    if (!from.given("model")) throw std::invalid_argument{"--model: takes one of " + list_of_kinds()};
    measure_request r;
    r.model = static_cast<kind>(from.word("model", kind_names()));
    require_of(from, r.model);
    r.sizes =
        sizes_of(from.text("sizes", usual_sizes(r.model)), from.number<std::size_t>("per-octave", 1, 1000).value_or(4));
    r.out = from.text("out");
    r.samples = from.number<std::size_t>("samples", 1, sonde::keep_options::default_samples);
    r.precision = from.number<double>("precision", 1e-6, 1).value_or(r.precision);
    r.time = sonde::seconds{from.number<double>("time", 1e-6, 1e6).value_or(r.time.count())};
    r.start = static_cast<starting>(from.word("start", {"common", "apart"}));
    r.warmup = from.number<std::size_t>("warmup", 0, most);
    r.iterations = iterations_in(from, r.model);
    r.every_number_of_pairs = from.word("pairs", {"doubling", "all"}) == 1;
    r.messages = from.number<std::size_t>("messages", 2, 1000).value_or(r.messages);
    return r;
}

} // namespace

measure_request parse_measure(std::vector<std::string> const& words) {
    auto const found = read_options(words, known());
    if (found.count("help") == 0) return request_in(option_values{found});
    measure_request help;
    help.help = true;
    return help;
}

std::string measure_usage() {
    std::ostringstream text;
    text << "Usage: mpirun -n RANKS sonde-model measure --model MODEL [options]\n"
            "Measures what a model is fitted to, in a table and, with --out, in a file. Ranks that are in no pair\n"
            "sleep. Where ranks are on several nodes, pairs are between rank 0's and one other.\n"
         << known();
    return text.str();
}

} // namespace tools::model
