// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/c/lateness.hpp>
#include <sonde/c/measure.hpp>
#include <sonde/c/plan.hpp>
#include <sonde/c/probe.hpp>
#include <sonde/c/record.hpp>
#include <sonde/c/sonde.h>
#include <sonde/c/status.hpp>
#include <sonde/measure/environment.hpp>
#include <sonde/mpi/environment.hpp>
#include <sonde/report/form.hpp>
#include <sonde/report/open.hpp>
#include <sonde/report/table.hpp>

#include <cstddef>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

/// A reporter of the C interface.
struct sonde_reporter {
    static constexpr auto noun = "the reporter"; // in messages

    explicit sonde_reporter(sonde::any_reporter made) : to{std::move(made)} {}

    sonde::any_reporter to;                 // empty on all ranks but rank 0
    bool incomplete = false;                // a call could not write
    bool has_said_without_scopes = false;   // that the format has no scopes
    bool has_said_without_lateness = false; // that the format has no lateness
};

namespace sonde::inline v0_1::detail::c {

/// Calls f(reporter in C++) on rank 0, and notes if it cannot write.
template <class F>
void write(sonde_reporter& reporter, F f) {
    try {
        f(reporter.to);
    } catch (std::system_error const&) {
        reporter.incomplete = true;
        throw;
    }
}

/// The reporter of a file, by the ending of its name.
inline any_reporter reporter_of(char const* file, environment const& where) {
    if (file == nullptr) return table{stdout};
    auto const* const row = report_form_of_file(file);
    if (row == nullptr)
        throw std::invalid_argument{"sonde: the file must end in " + report_endings() + ": " + std::string{file}};
    return open_report(row->form, file, where);
}

extern "C" {

char const* sonde_report_form(int i, int* keep) {
    struct row {
        std::string text;
        int keep;
    };
    static auto const rows = [] {
        std::vector<row> all;
        for (auto const& form : report_forms)
            for (auto const ending : form.endings)
                if (!ending.empty())
                    all.push_back({std::string{form.name} + "=FILE" + std::string{ending},
                                   form.needs_rank_samples ? SONDE_KEEP_RANK_SAMPLES : 0});
        return all;
    }();
    if (i < 0 || i >= static_cast<int>(rows.size())) return nullptr;
    auto const& found = rows[static_cast<std::size_t>(i)];
    if (keep != nullptr) *keep = found.keep;
    return found.text.c_str();
}

sonde_status sonde_reporter_create(sonde_group* group, char const* file, sonde_reporter** reporter,
                                   sonde_error* error) {
    return guarded(error, [&] {
        auto& ranks = checked_collective(group).ranks;
        detail::watched_call const watched{ranks, "reporter_create"};
        agree(ranks, "reporter_create", reporter == nullptr ? "sonde: the result is NULL" : "");
        auto const where = mpi::environment_of(ranks);
        any_reporter made;
        sonde_error failed{};
        auto const make = [&] {
            auto const status = guarded(&failed, [&] {
                if (ranks.rank() == 0) made = reporter_of(file, where);
            });
            if (status != SONDE_SUCCESS) throw failed;
        };
        sonde::collectively(ranks, make, [&](int first) {
            sonde::broadcast(ranks, failed, first);
            return failed;
        });
        *reporter = make_handle<sonde_reporter>(std::move(made));
    });
}

sonde_status sonde_report(sonde_reporter* reporter, sonde_record const* record, sonde_error* error) {
    return guarded(error, [&] {
        auto& to = checked(reporter);
        auto const& r = *checked(record).record;
        write(to, [&](any_reporter const& report) { report(r); });
    });
}

sonde_status sonde_report_comparison(sonde_reporter* reporter, sonde_comparison const* comparison, double gain,
                                     double confidence, sonde_error* error) {
    return guarded(error, [&] {
        auto& to = checked(reporter);
        auto const& found = *checked(comparison).comparison;
        auto const criterion = criterion_of(gain, confidence);
        write(to, [&](any_reporter const& report) { report(found, criterion); });
    });
}

sonde_status sonde_report_scopes(sonde_reporter* reporter, sonde_scopes const* scopes, sonde_error* error) {
    return guarded(error, [&] {
        auto& to = checked(reporter);
        auto const& all = checked(scopes).all;
        write(to, [&](any_reporter const& report) {
            if (!report(all) && !std::exchange(to.has_said_without_scopes, true))
                std::fputs("sonde: a report of this form has no scopes\n", stderr);
        });
    });
}

sonde_status sonde_report_lateness(sonde_reporter* reporter, sonde_lateness const* lateness, sonde_error* error) {
    return guarded(error, [&] {
        auto& to = checked(reporter);
        auto const& found = checked(lateness).record;
        write(to, [&](any_reporter const& report) {
            if (!report(found) && !std::exchange(to.has_said_without_lateness, true))
                std::fputs("sonde: a report of this form has no lateness\n", stderr);
        });
    });
}

sonde_status sonde_reporter_close(sonde_reporter** reporter, sonde_error* error) {
    return guarded(error, [&] {
        require(reporter, "the address of the reporter");
        auto const closed = handle_table<sonde_reporter>::instance().remove(std::exchange(*reporter, nullptr));
        if (!closed) return;
        write(*closed, [](any_reporter const& report) { report.finish(); });
        if (closed->incomplete) throw std::runtime_error{"sonde: the report is incomplete: a call could not write"};
    });
}

} // extern "C"

} // namespace sonde::detail::c
