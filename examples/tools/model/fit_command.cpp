// SPDX-License-Identifier: BSL-1.0
#include "commands.hpp"

#include "../command_line.hpp"
#include "fit_json.hpp"
#include "fit_text.hpp"
#include "fitting.hpp"
#include "output.hpp"
#include "picture.hpp"
#include "read_tables.hpp"
#include "sizes.hpp"

#include <sonde/report/file.hpp>

#include <cstdio>
#include <iostream>
#include <stdexcept>

namespace tools::model {

namespace {

namespace po = boost::program_options;

constexpr char const* usage = "Usage: sonde-model fit [options] FILE...\n"
                              "Fits a model to JSON lines of Sonde, or to tables of the OSU Micro-Benchmarks or the "
                              "Intel MPI Benchmarks; several\n"
                              "files together.\n"
                              "Exit status: 0, 1 where the data do not determine a parameter or the model does not "
                              "describe them, 2 where no\n"
                              "fit can be made or not all be written.\n";

po::options_description described() {
    po::options_description known{"Options"};
    known.add_options()("help,h", "print this help")("model,m", po::value<std::string>()->value_name("MODEL"),
                                                     "hockney (ping-pongs of a pair), multi (of two pairs), max-rate "
                                                     "(of numbers of pairs), loggp (round trips); found "
                                                     "from the files")(
        "form", po::value<std::string>()->value_name("FORM")->default_value("time-line"),
        "of the multi-mode model: time-line or published")("from", po::value<std::string>()->value_name("SIZE"),
                                                           "the smallest size that is fitted: 64K, 1M (by 1024)")(
        "to", po::value<std::string>()->value_name("SIZE"),
        "the largest")("json", po::value<std::string>()->value_name("FILE"), "write the fit there, for predict too")(
        "plot", po::value<std::string>()->value_name("FILE"),
        "draw it: to a file .svg, .png or .pdf, or for - on the terminal")("terminal", "draw it on the terminal");
    return known;
}

size_range range_of(po::variables_map const& found) {
    size_range range;
    auto const size = [&](char const* option) {
        return static_cast<double>(size_in(found[option].as<std::string>(), std::string{"--"} + option));
    };
    if (found.count("from") != 0) range.from = size("from");
    if (found.count("to") != 0) range.to = size("to");
    if (range.to && *range.to < range.from) throw std::runtime_error{"--to is below --from"};
    return range;
}

struct request {
    std::vector<std::string> files;
    std::optional<kind> model;
    sonde::model::latency_form form;
    size_range range;
    std::optional<std::string> json;
    std::vector<std::string> plots;
};

request request_of(po::variables_map const& found) {
    if (found.count("file") == 0) throw std::runtime_error{"fit takes files; see fit --help"};
    request asked{found["file"].as<std::vector<std::string>>(),
                  {},
                  form_of(found["form"].as<std::string>()),
                  range_of(found),
                  {},
                  plots_of(found)};
    if (found.count("model") != 0) asked.model = kind_of(found["model"].as<std::string>());
    if (found.count("json") != 0) asked.json = found["json"].as<std::string>();
    return asked;
}

void say(std::vector<std::string> const& lines, char const* lead = "") {
    for (auto const& line : lines) std::printf("%s%s\n", lead, line.c_str());
}

std::vector<std::string> written_by(request const& asked) {
    auto targets = asked.plots;
    if (asked.json) targets.push_back(*asked.json);
    return targets;
}

int fit_and_say(request const& asked) {
    keep_inputs(asked.files, written_by(asked));
    std::vector<tables_read> files;
    for (auto const& path : asked.files) files.push_back(read_tables(path));
    auto const chosen = select(files, asked.model, asked.range);
    auto const found = fit(chosen, asked.form);
    say(chosen.read_from, "# ");
    say(chosen.remarks, "# ");
    say(fit_text(found, asked.form));
    flush_output();
    auto const doubtful = doubts(found);
    for (auto const& line : doubtful) std::fprintf(stderr, "sonde-model: %s\n", line.c_str());
    if (asked.json) sonde::output_file{*asked.json}.line(fit_json(found, asked.form, asked.files));
    for (auto const& target : asked.plots) draw(figure_of(found), target);
    return doubtful.empty() ? 0 : 1;
}

} // namespace

int fit_command(std::vector<std::string> const& words) {
    auto known = described();
    po::options_description all;
    all.add(known).add_options()("file", po::value<std::vector<std::string>>());
    auto const found = read_options(words, all, po::positional_options_description{}.add("file", -1));
    if (found.count("help") == 0) return fit_and_say(request_of(found));
    std::cout << usage << known;
    return 0;
}

} // namespace tools::model
