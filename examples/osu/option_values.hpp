// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "options.hpp"

#include <stdexcept>
#include <string>

namespace osu {

/// What is wrong with an argument, and what is accepted instead; `parse` adds which option it is.
struct bad_value : std::invalid_argument {
    std::string accepted;
    bad_value(std::string const& what, std::string instead)
        : std::invalid_argument{what}, accepted{std::move(instead)} {}
};

// One function an option: put what the text says into the options. Each throws bad_value.
void set_sizes(options& into, program const& about, std::string const& text);
void set_warmup(options& into, program const& about, std::string const& text);
void set_iterations(options& into, program const& about, std::string const& text);
void set_t(options& into, program const& about, std::string const& text);
void set_memory_limit(options& into, program const& about, std::string const& text);
void set_accelerator(options& into, program const& about, std::string const& text);
void set_work_place(options& into, program const& about, std::string const& text);
void set_array_size(options& into, program const& about, std::string const& text);
void set_root(options& into, program const& about, std::string const& text);
void set_topology(options& into, program const& about, std::string const& text);
void set_creation(options& into, program const& about, std::string const& text);
void set_synchronization(options& into, program const& about, std::string const& text);
void set_window(options& into, program const& about, std::string const& text);
void set_buffers(options& into, program const& about, std::string const& text);
void set_pairs(options& into, program const& about, std::string const& text);
void set_print_rate(options& into, program const& about, std::string const& text);
void set_vary_window(options& into, program const& about, std::string const& text);
void set_validation(options& into, program const& about, std::string const& text);
void set_check_warmup(options& into, program const& about, std::string const& text);
void set_graphs(options& into, program const& about, std::string const& text);
void set_layout(options& into, program const& about, std::string const& text);
void set_papi(options& into, program const& about, std::string const& text);
void add_types(options& into, program const& about, std::string const& text);
void set_until(options& into, program const& about, std::string const& text);
void set_budget(options& into, program const& about, std::string const& text);
void set_cache(options& into, program const& about, std::string const& text);
void set_start(options& into, program const& about, std::string const& text);
void set_percentiles(options& into, program const& about, std::string const& text);
void add_report(options& into, program const& about, std::string const& text);

} // namespace osu
