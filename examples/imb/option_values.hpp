// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "options.hpp"

#include <string>
#include <vector>

namespace imb {

// Each puts what the text says into the options. False: the text is not accepted, and the options may be used no more.
bool set_flag(bool& into, std::string const& text);
bool set_names(std::vector<std::string>& into, std::string const& text);
bool add(std::vector<std::string>& into, std::vector<std::string> const& more);

/// The words of a command line that are no option: benchmarks, with commas between. Throws common::refusal for an empty
/// name.
std::vector<std::string> benchmark_names(std::vector<std::string> const& words);

// Numbers, whole texts of them.
bool set_npmin(options& into, std::string const& text);
bool set_multi(options& into, std::string const& text);
bool set_off_cache(options& into, std::string const& text);
bool set_iterations(options& into, std::string const& text);
bool set_time(options& into, std::string const& text);
bool set_memory(options& into, std::string const& text);
bool set_sizes(options& into, std::string const& text);
bool set_logs(options& into, std::string const& text);
bool set_map(options& into, std::string const& text);
bool set_window(options& into, std::string const& text);

// One of several words.
bool set_level(options& into, std::string const& text);
bool set_group_start(options& into, std::string const& text);
bool set_policy(options& into, std::string const& text);
bool set_modes(options& into, std::string const& text);
bool set_data_type(options& into, std::string const& text);
bool set_reduced_type(options& into, std::string const& text);
bool set_layout(options& into, std::string const& text);

// Names of files, and what is written KEY=VALUE.
bool set_directory(options& into, std::string const& text);
bool add_hint(options& into, std::string const& text);
bool add_report(options& into, std::string const& text);

} // namespace imb
