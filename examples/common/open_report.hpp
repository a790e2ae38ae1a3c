// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "refusal.hpp"
#include "report_file.hpp"

#include <sonde/environment.hpp>
#include <sonde/json/json_lines.hpp>
#include <sonde/record.hpp>
#include <sonde/report/csv.hpp>
#include <sonde/report/gnuplot.hpp>
#include <sonde/report/html.hpp>
#include <sonde/report/size_plot.hpp>
#include <sonde/report/table.hpp>

#include <exception>
#include <functional>
#include <string>
#include <system_error>

namespace common {

/// What `open` makes; where that cannot be, a refusal that names the option.
template <class Open>
auto opened(std::string const& option, Open open) {
    try {
        return open();
    } catch (sonde::no_gnuplot const& e) {
        throw refusal{"Cannot report [" + option + "]: " + e.what()};
    } catch (std::system_error const& e) {
        throw refusal{"Cannot report [" + option + "]: " + e.code().message() +
                      "; accepted: a file that can be written"};
    } catch (std::exception const& e) {
        throw refusal{"Cannot report [" + option + "]: " + e.what()};
    }
}

/// What takes records into that file, as asked for by an option of this name. Throws refusal where it cannot be
/// written.
inline std::function<void(sonde::record const&)> open_report(std::string const& option, report_file const& asked,
                                                             sonde::environment const& where) {
    using reporter = std::function<void(sonde::record const&)>;
    return opened(option + " " + asked.form + "=" + asked.path, [&]() -> reporter {
        if (asked.form == "table") return sonde::table{asked.path};
        if (asked.form == "csv") return sonde::csv{asked.path};
        if (asked.form == "plot") return sonde::size_plot{asked.path};
        if (asked.form == "html") return sonde::html{asked.path, where};
        return sonde::json_lines{asked.path, where};
    });
}

} // namespace common
