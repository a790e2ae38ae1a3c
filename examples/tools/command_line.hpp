// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <boost/program_options.hpp>

#include <cstdio>
#include <exception>
#include <string>
#include <vector>

namespace tools {

/// Options by their whole names; what stands without one are the words of `places`. Throws
/// boost::program_options::error.
inline boost::program_options::variables_map
read_options(std::vector<std::string> const& words, boost::program_options::options_description const& known,
             boost::program_options::positional_options_description const& places = {}) {
    namespace po = boost::program_options;
    constexpr auto style = po::command_line_style::unix_style & ~po::command_line_style::allow_guessing;
    po::variables_map found;
    po::store(po::command_line_parser(words).options(known).positional(places).style(style).run(), found);
    po::notify(found);
    return found;
}

/// The exit status that `run` gives; 2, and one line, where it throws.
template <class Run>
int guarded(char const* program, Run run) {
    try {
        return run();
    } catch (boost::program_options::error const& e) {
        std::fprintf(stderr, "%s: %s; see --help\n", program, e.what());
    } catch (std::exception const& e) {
        std::fprintf(stderr, "%s: %s\n", program, e.what());
    }
    return 2;
}

} // namespace tools
