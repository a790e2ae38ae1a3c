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

#include <concepts>
#include <cstdio>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <variant>

/// A reporter of the C interface.
struct sonde_reporter {
    static constexpr auto noun = "the reporter";
    using format = std::variant<std::monostate, sonde::table, sonde::csv, sonde::openmetrics
#if __has_include(<nlohmann/json.hpp>)
                                ,
                                sonde::json_lines
#endif
#if __has_include(<sonde/drawing/html.hpp>)
                                ,
                                sonde::html
#endif
                                >;

    explicit sonde_reporter(format made) : to{std::move(made)} {}

    format to;                            // empty on all ranks but rank 0
    bool incomplete = false;              // a call could not write
    bool has_said_without_scopes = false; // that the format has no scopes
};

namespace sonde::inline v0_1::detail::c {

/// Calls f(reporter in C++) on rank 0, and notes if it cannot write.
template <class F>
void write(sonde_reporter& reporter, F f) {
    auto const call = [&](auto& to) {
        if constexpr (!std::same_as<decltype(to), std::monostate&>) f(to);
    };
    try {
        std::visit(call, reporter.to);
    } catch (std::system_error const&) {
        reporter.incomplete = true;
        throw;
    }
}

/// The format of a file, by the ending of its name.
inline sonde_reporter::format format_of(char const* file, environment const& where) {
    if (file == nullptr) return table{stdout};
    std::string_view const name{file};
    if (name.ends_with(".txt")) return table{file};
    if (name.ends_with(".csv")) return csv{file};
    if (name.ends_with(".html")) {
#if __has_include(<sonde/drawing/html.hpp>)
        return html{file, where};
#else
        throw std::invalid_argument{
            "sonde: this program was built without sonde-drawing, which .html needs: write .jsonl, "
            "and draw by sonde-report"};
#endif
    }
    if (name.ends_with(".prom")) return openmetrics{file, where};
    if (name.ends_with(".jsonl")) {
#if __has_include(<nlohmann/json.hpp>)
        return json_lines{file, where};
#else
        throw std::invalid_argument{"sonde: this library was built without nlohmann/json, which .jsonl needs"};
#endif
    }
    throw std::invalid_argument{"sonde: the file must end in .csv, .html, .jsonl, .prom or .txt: " + std::string{name}};
}

extern "C" {

sonde_status sonde_reporter_create(sonde_group* group, char const* file, sonde_reporter** reporter,
                                   sonde_error* error) {
    return guarded(error, [&] {
        auto& ranks = checked_collective(group).ranks;
        detail::watched_call const watched{ranks, "reporter_create"};
        agree(ranks, "reporter_create", reporter == nullptr ? "sonde: the result is NULL" : "");
        auto const where = mpi::environment_of(ranks);
        std::optional<sonde_reporter::format> made;
        sonde_error failed{};
        auto const make = [&] {
            auto const status = guarded(
                &failed, [&] { made.emplace(ranks.rank() == 0 ? format_of(file, where) : sonde_reporter::format{}); });
            if (status != SONDE_SUCCESS) throw failed;
        };
        sonde::collectively(ranks, make, [&](int first) {
            sonde::broadcast(ranks, failed, first);
            return failed;
        });
        *reporter = make_handle<sonde_reporter>(std::move(*made));
    });
}

sonde_status sonde_report(sonde_reporter* reporter, sonde_record const* record, sonde_error* error) {
    return guarded(error, [&] {
        auto& to = checked(reporter);
        auto const& r = *checked(record).record;
        write(to, [&](auto& format) { format(r); });
    });
}

sonde_status sonde_report_comparison(sonde_reporter* reporter, sonde_comparison const* comparison, double gain,
                                     double confidence, sonde_error* error) {
    return guarded(error, [&] {
        auto& to = checked(reporter);
        auto const& found = *checked(comparison).comparison;
        auto const criterion = criterion_of(gain, confidence);
        write(to, [&](auto& format) { format(found, criterion); });
    });
}

sonde_status sonde_report_scopes(sonde_reporter* reporter, sonde_scopes const* scopes, sonde_error* error) {
    return guarded(error, [&] {
        auto& to = checked(reporter);
        auto const& all = checked(scopes).all;
        write(to, [&](auto& format) {
            if constexpr (requires { format(all); }) format(all);
            else if (!std::exchange(to.has_said_without_scopes, true))
                std::fputs("sonde: a report in OpenMetrics has no scopes\n", stderr);
        });
    });
}

sonde_status sonde_reporter_close(sonde_reporter** reporter, sonde_error* error) {
    return guarded(error, [&] {
        require(reporter, "the address of the reporter");
        auto const closed = handle_table<sonde_reporter>::instance().remove(std::exchange(*reporter, nullptr));
        if (!closed) return;
        write(*closed, [](auto& format) {
            if constexpr (requires { format.finish(); }) format.finish();
        });
        if (closed->incomplete) throw std::runtime_error{"sonde: the report is incomplete: a call could not write"};
    });
}

} // extern "C"

} // namespace sonde::detail::c
