// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../option_files.hpp"
#include "../option_values.hpp"
#include "parse.hpp"

#include <string>

namespace imb::own {

constexpr auto yes_no = "on, yes, true, enable, 1; off, no, false, disable, 0";

// Options of both programs.
template <class Asked>
constexpr option<Asked> check_option{"check", "BOOL", "contents are checked, in a pass of its own (off)", yes_no,
                                     [](Asked& into, std::string const& text) { return set_flag(into.check, text); }};

template <class Asked>
constexpr option<Asked> report_option{"report", "FORM=FILE", common::report_help, common::report_accepted,
                                      [](Asked& into, std::string const& text) { return add_report(into, text); }};

} // namespace imb::own
