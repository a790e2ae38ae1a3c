// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/measure/environment.hpp>
#include <sonde/probe/scope_record.hpp>
#include <sonde/report.hpp>
#include <sonde/report/csv.hpp>
#include <sonde/report/form.hpp>
#include <sonde/report/openmetrics.hpp>
#include <sonde/report/table.hpp>
#if __has_include(<nlohmann/json.hpp>)
#include <sonde/json/lines.hpp>
#endif
#if __has_include(<sonde/drawing/html.hpp>)
#include <sonde/drawing/html.hpp>
#include <sonde/drawing/plot.hpp>
#endif

#include <concepts>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace sonde::inline v0_1 {

/// A reporter of any type. Copies write to the same file. Without a reporter it writes nothing.
class any_reporter {
public:
    any_reporter() = default;
    template <Reporter R>
        requires(!std::same_as<R, any_reporter>)
    any_reporter(R made) : reporter_{std::make_shared<model<R>>(std::move(made))} {}

    /// True if there is a reporter.
    explicit operator bool() const { return reporter_ != nullptr; }
    void operator()(record const& r) const {
        if (reporter_) reporter_->take(r);
    }
    /// Reports a comparison, or its records if the reporter takes no comparisons.
    void operator()(comparison const& found, criterion required = {}) const {
        if (reporter_) reporter_->take(found, required);
    }
    /// Reports the scopes of a probe. Returns false if the reporter takes none.
    bool operator()(std::vector<scope_record> const& scopes) const { return !reporter_ || reporter_->take(scopes); }
    void finish() const {
        if (reporter_) reporter_->finish();
    }

private:
    struct erased {
        virtual ~erased() = default;
        virtual void take(record const& r) = 0;
        virtual void take(comparison const& found, criterion required) = 0;
        virtual bool take(std::vector<scope_record> const& scopes) = 0;
        virtual void finish() = 0;
    };
    template <class R>
    struct model final : erased {
        explicit model(R made) : report{std::move(made)} {}
        void take(record const& r) override { report(r); }
        void take(comparison const& found, criterion required) override {
            if constexpr (detail::ComparisonReporter<R>) report(found, required);
            else
                for (auto const& r : found.records) report(r);
        }
        bool take(std::vector<scope_record> const& scopes) override {
            if constexpr (requires { report(scopes); }) report(scopes);
            return requires { report(scopes); };
        }
        void finish() override { detail::reporter_hook::finish(report); }

        R report;
    };

    std::shared_ptr<erased> reporter_;
};

/// A reporter that writes a file of this form, which is open then. Throws what the reporter's constructor throws, and
/// std::invalid_argument if the program was built without what the form needs. Each file of a program has a function of
/// its own, because that is decided where it is compiled.
[[nodiscard]] static any_reporter open_report(report_form form, std::string const& path,
                                              std::optional<environment> const& where) {
    switch (form) {
    case report_form::table: return table{path};
    case report_form::csv: return csv{path};
    case report_form::openmetrics: return openmetrics{path, where};
    case report_form::json:
#if __has_include(<nlohmann/json.hpp>)
        return where ? json_lines{path, *where} : json_lines{path};
#else
        throw std::invalid_argument{"sonde: this library was built without nlohmann/json, which .jsonl needs"};
#endif
#if __has_include(<sonde/drawing/html.hpp>)
    case report_form::html: return html{path, where};
    case report_form::plot: return size_plot{path};
#else
    case report_form::html:
    case report_form::plot:
        throw std::invalid_argument{"sonde: this program was built without sonde-drawing, which " +
                                    std::string{properties_of(form).endings[0]} +
                                    " needs: write .jsonl, and draw by sonde-report"};
#endif
    }
    throw std::invalid_argument{"sonde: there is no such form of a report"};
}

} // namespace sonde
