// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/c/measure.hpp>
#include <sonde/c/plan.hpp>
#include <sonde/c/probe.hpp>
#include <sonde/c/record.hpp>
#include <sonde/c/sonde.h>
#include <sonde/c/status.hpp>
#include <sonde/measure/environment.hpp>
#include <sonde/mpi/environment.hpp>
#include <sonde/report/csv.hpp>
#include <sonde/report/openmetrics.hpp>
#include <sonde/report/table.hpp>
#if __has_include(<nlohmann/json.hpp>)
#include <sonde/json/lines.hpp>
#endif
#if __has_include(<sonde/drawing/html.hpp>)
#include <sonde/drawing/html.hpp>
#endif

#include <cstdio>
#include <exception>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

/// A reporter of the C interface; empty on all ranks but rank 0.
struct sonde_reporter {
    std::function<void(sonde::record const&)> record;                           // reports it
    std::function<void(sonde::comparison const&, sonde::criterion)> comparison; // reports it
    std::function<void(std::vector<sonde::scope_record> const&)> scopes;        // reports them
    std::function<void()> finish;                                               // completes the file
    bool incomplete = false;                                                    // a call could not write
};

// Reports.

namespace sonde::inline v0_1::detail::c {

/// The calls of a reporter. A format without scopes leaves them out, and says so once.
template <class R>
sonde_reporter reporter_of(R made) {
    auto const shared = std::make_shared<R>(std::move(made));
    sonde_reporter calls;
    calls.record = [shared](record const& r) { (*shared)(r); };
    calls.comparison = [shared](comparison const& found, criterion required) { (*shared)(found, required); };
    using scope_list = std::vector<scope_record>;
    if constexpr (requires(scope_list const& found) { (*shared)(found); })
        calls.scopes = [shared](scope_list const& found) { (*shared)(found); };
    else
        calls.scopes = [said = false](scope_list const&) mutable {
            if (!std::exchange(said, true)) std::fputs("sonde: a report in OpenMetrics has no scopes\n", stderr);
        };
    calls.finish = [shared] {
        if constexpr (requires { shared->finish(); }) shared->finish();
    };
    return calls;
}

/// Calls f, which writes, and notes if it cannot.
template <class F>
void write(sonde_reporter& reporter, F f) {
    try {
        f();
    } catch (std::system_error const&) {
        reporter.incomplete = true;
        throw;
    }
}

inline sonde_reporter& checked(sonde_reporter* reporter) {
    return checked_as<sonde_reporter>(reporter, "the reporter");
}

/// A reporter for a file, by the ending of its name.
inline sonde_reporter reporter_for(char const* file, environment const& where) {
    if (file == nullptr) return reporter_of(table{stdout});
    std::string_view const name{file};
    if (name.ends_with(".txt")) return reporter_of(table{file});
    if (name.ends_with(".csv")) return reporter_of(csv{file});
    if (name.ends_with(".html")) {
#if __has_include(<sonde/drawing/html.hpp>)
        return reporter_of(html{file, where});
#else
        throw std::invalid_argument{
            "sonde: this program was built without sonde-drawing, which .html needs: write .jsonl, "
            "and draw by sonde-report"};
#endif
    }
    if (name.ends_with(".prom")) return reporter_of(openmetrics{file, where});
    if (name.ends_with(".jsonl")) {
#if __has_include(<nlohmann/json.hpp>)
        return reporter_of(json_lines{file, where});
#else
        throw std::invalid_argument{"sonde: this library was built without nlohmann/json, which .jsonl needs"};
#endif
    }
    throw std::invalid_argument{"sonde: the file must end in .csv, .html, .jsonl, .prom or .txt: " + std::string{name}};
}

} // namespace sonde::detail::c

extern "C" {

sonde_status sonde_reporter_create(sonde_group* group, char const* file, sonde_reporter** reporter,
                                   sonde_error* error) {
    return sonde::detail::c::guarded(error, [&] {
        auto& ranks = sonde::detail::c::checked(group).ranks;
        sonde::detail::watched_call const watched{ranks, "reporter_create"};
        sonde::detail::c::agree(ranks, "reporter_create", reporter == nullptr ? "sonde: the result is NULL" : "");
        auto const where = sonde::mpi::environment_of(ranks);
        std::shared_ptr<sonde_reporter> own;
        sonde_error failed{};
        auto const make = [&] {
            auto const status = sonde::detail::c::guarded(&failed, [&] {
                own = std::make_shared<sonde_reporter>();
                if (ranks.rank() == 0) *own = sonde::detail::c::reporter_for(file, where);
            });
            if (status != SONDE_SUCCESS) throw failed;
        };
        sonde::collectively(ranks, make, [&](int first) {
            sonde::broadcast(ranks, failed, first);
            return failed;
        });
        *reporter = sonde::detail::c::handle_for<sonde_reporter>(std::move(own));
    });
}

sonde_status sonde_report(sonde_reporter* reporter, sonde_record const* record, sonde_error* error) {
    return sonde::detail::c::guarded(error, [&] {
        auto& to = sonde::detail::c::checked(reporter);
        auto const& r = sonde::detail::c::checked(record);
        if (to.record) sonde::detail::c::write(to, [&] { to.record(r); });
    });
}

sonde_status sonde_report_comparison(sonde_reporter* reporter, sonde_comparison const* comparison, double gain,
                                     double confidence, sonde_error* error) {
    return sonde::detail::c::guarded(error, [&] {
        auto& to = sonde::detail::c::checked(reporter);
        auto const& found = sonde::detail::c::checked(comparison, 0);
        auto const criterion = sonde::detail::c::criterion_of(gain, confidence);
        if (to.comparison) sonde::detail::c::write(to, [&] { to.comparison(found, criterion); });
    });
}

sonde_status sonde_report_scopes(sonde_reporter* reporter, sonde_scopes const* scopes, sonde_error* error) {
    return sonde::detail::c::guarded(error, [&] {
        auto& to = sonde::detail::c::checked(reporter);
        auto const& all = sonde::detail::c::checked_as<sonde_scopes>(scopes, "the list of scopes").all;
        if (to.scopes) sonde::detail::c::write(to, [&] { to.scopes(all); });
    });
}

sonde_status sonde_reporter_close(sonde_reporter** reporter, sonde_error* error) {
    return sonde::detail::c::guarded(error, [&] {
        sonde::detail::c::require(reporter, "the address of the reporter");
        auto& all = sonde::detail::c::handle_table<sonde_reporter, sonde_reporter>::instance();
        auto const closed = all.remove(std::exchange(*reporter, nullptr));
        if (closed && closed->finish) closed->finish();
        if (closed && closed->incomplete)
            throw std::runtime_error{"sonde: the report is incomplete: a call could not write"};
    });
}

} // extern "C"
