// SPDX-License-Identifier: BSL-1.0
#include "tools/command_line.hpp"
#include "tools/model/commands.hpp"
#include "tools/model/fit/fit.hpp"
#include "tools/model/output/output.hpp"
#include "tools/model/read/tables.hpp"
#include "tools/model/units.hpp"
#include "tools/text.hpp"

#include <sonde/report/file.hpp>

#include <cstdio>
#include <iostream>
#include <stdexcept>

namespace tools::model {

namespace {

namespace po = boost::program_options;
using sonde::model::latency_form;

constexpr char const* usage = "Usage: sonde-model fit [options] FILE...\n"
                              "Fits a model to JSON lines of Sonde, or to tables of the OSU Micro-Benchmarks or the "
                              "Intel MPI Benchmarks; several\n"
                              "files together.\n"
                              "Exit status: 0, 1 where the data do not determine a parameter or the model does not "
                              "describe them, 2 where no\n"
                              "fit can be made or not all be written.\n";

struct fit_options {
    std::vector<std::string> files;
    std::optional<model_kind> model;
    latency_form form = latency_form::time_line;
    size_range range;
    std::optional<std::string> json;
    plot_options plot;
    bool help = false;
};

po::options_description described(fit_options& o) {
    auto const size = [](std::string const& option) {
        return [option](std::string const& text) { return static_cast<double>(read_size(text, option)); };
    };
    po::options_description known{"Options"};
    known.add_options()("help,h", po::bool_switch(&o.help), "print this help");
    known.add_options()("model,m", converted_value(o.model, kind_of, "MODEL"),
                        "hockney (ping-pongs of a pair), multi (of two pairs), max-rate (of numbers of pairs), loggp "
                        "(round trips); found from the files");
    known.add_options()("form", converted_value(o.form, form_of, "FORM")->default_value("time-line"),
                        "of the multi-mode model: time-line or published");
    known.add_options()("from", converted_value(o.range.from, size("--from"), "SIZE"),
                        "the smallest size that is fitted: 64K, 1M (by 1024)");
    known.add_options()("to", converted_value(o.range.to, size("--to"), "SIZE"), "the largest");
    known.add_options()("json", optional_value(o.json, "FILE"), "write the fit there, for predict too");
    o.plot.add_to(known);
    return known;
}

std::vector<std::string> output_files(fit_options const& o) {
    auto files = o.plot.targets();
    if (o.json) files.push_back(*o.json);
    return files;
}

int fit_files(fit_options const& o) {
    refuse_overwriting(o.files, output_files(o));
    std::vector<tables_read> files;
    for (auto const& path : o.files) files.push_back(read_tables(path));
    auto const data = select(files, o.model, o.range);
    auto const result = fit(data, o.form);
    print(data.read_from, "# ");
    print(data.remarks, "# ");
    print(fit_text(result, o.form));
    flush_output();
    auto const warnings = fit_warnings(result);
    print(warnings, "sonde-model: ", stderr);
    if (o.json) sonde::output_file{*o.json}.line(fit_json(result, o.form, o.files));
    for (auto const& target : o.plot.targets()) draw(figure_of(result), target);
    return warnings.empty() ? 0 : 1;
}

} // namespace

int fit_command(std::vector<std::string> const& words) {
    fit_options o;
    auto const known = described(o);
    po::options_description all;
    all.add(known).add_options()("file", po::value(&o.files));
    read_options(words, all, po::positional_options_description{}.add("file", -1));
    if (o.help) {
        std::cout << usage << known;
        return 0;
    }
    if (o.files.empty()) throw std::runtime_error{"fit takes files; see fit --help"};
    if (o.range.to && *o.range.to < o.range.from) throw std::runtime_error{"--to is below --from"};
    return fit_files(o);
}

} // namespace tools::model
