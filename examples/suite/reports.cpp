// SPDX-License-Identifier: BSL-1.0
#include "suite/reports.hpp"

#include "suite/devices.hpp"
#include "suite/refusal.hpp"

#include <sonde/drawing/gnuplot.hpp>
#include <sonde/measure/environment.hpp>
#include <sonde/mpi/environment.hpp>
#include <sonde/report/open.hpp>

#include <exception>
#include <memory>
#include <span>
#include <string>
#include <system_error>
#include <utility>

namespace suite {

namespace {

/// Returns f(). Its exceptions become refusals that name the option.
template <class F>
auto or_refused(std::string const& option, F const& f) {
    try {
        return f();
    } catch (sonde::gnuplot_not_found const& e) {
        throw refusal{"Cannot report [" + option + "]: " + e.what()};
    } catch (std::system_error const& e) {
        throw refusal{"Cannot report [" + option + "]: " + e.code().message() +
                      "; accepted: a file that can be written"};
    } catch (std::exception const& e) {
        throw refusal{"Cannot report [" + option + "]: " + e.what()};
    }
}

} // namespace

sonde::environment environment_of(sonde::mpi::group const& world, int argc, char const* const* argv,
                                  std::vector<report_file> const& reports, bool uses_device) {
    std::span<char const* const> recorded; // of the MPI library's control variables
    if (!reports.empty()) recorded = sonde::mpi::recorded_control_variables;
    auto found = sonde::mpi::environment_of(world, argc, argv, recorded);
    if constexpr (has_device())
        if (uses_device) found.devices = sonde::gather(world, device_text()).value_or(std::vector<std::string>{});
    return found;
}

reporter opened(std::string const& option, std::function<reporter()> const& open) {
    struct state {
        reporter report;
        std::exception_ptr failure{};
    };
    auto const of = std::make_shared<state>(state{or_refused(option, open)});
    auto const take = [of](sonde::record const& r) {
        if (of->failure) return;
        try {
            of->report(r);
        } catch (...) {
            of->failure = std::current_exception();
        }
    };
    return {take, [of, option] {
                or_refused(option, [&] {
                    if (of->failure) std::rethrow_exception(of->failure);
                    of->report.finish();
                });
            }};
}

reporter open_report(std::string const& option, report_file const& asked, sonde::environment const& where) {
    auto const name = std::string{sonde::properties_of(asked.form).name} + '=' + asked.path;
    return opened(option + ' ' + name, [&]() -> reporter {
        auto const report = sonde::open_report(asked.form, asked.path, where);
        return {report, [report] { report.finish(); }};
    });
}

} // namespace suite
