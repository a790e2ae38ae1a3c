// SPDX-License-Identifier: BSL-1.0
#include "output.hpp"

#include <sonde/report/figure.hpp>
#include <sonde/report/gnuplot.hpp>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <stdexcept>
#include <system_error>

namespace tools::model {

namespace {

void check_target(std::string const& target) {
    for (auto const* const end : {".svg", ".png", ".pdf"})
        if (target.ends_with(end)) return;
    if (target != "-") throw std::runtime_error{"--plot '" + target + "' ends with none of .svg, .png, .pdf"};
}

} // namespace

std::vector<std::string> plots_of(boost::program_options::variables_map const& found) {
    std::vector<std::string> targets;
    if (found.count("terminal") != 0) targets.emplace_back("-");
    if (found.count("plot") != 0) targets.push_back(found["plot"].as<std::string>());
    for (auto const& target : targets) check_target(target);
    return targets;
}

void keep_inputs(std::vector<std::string> const& read, std::vector<std::string> const& written) {
    std::error_code none; // of a file that is not there yet
    for (auto const& target : written)
        for (auto const& file : read)
            if (std::filesystem::equivalent(file, target, none))
                throw std::runtime_error{"'" + target + "' is read: what is written needs another file"};
}

void draw(sonde::figure const& what, std::string const& target) {
    std::string page;
    try {
        page = sonde::figure_page(what);
    } catch (std::invalid_argument const&) {
        throw std::runtime_error{"--plot: no size above 0, and a picture has no place for another"};
    }
    sonde::draw(target == "-" ? sonde::canvas::tty() : sonde::canvas::for_file(target), page);
}

void flush_output() {
    errno = 0;
    if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return;
    throw std::system_error{errno == 0 ? EIO : errno, std::generic_category(), "cannot write the output"};
}

} // namespace tools::model
