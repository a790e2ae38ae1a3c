// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/lateness/lateness_record.hpp>
#include <sonde/measure/comparison.hpp>
#include <sonde/measure/record.hpp>
#include <sonde/probe/scope_record.hpp>
#include <sonde/report.hpp>

#include <concepts>
#include <memory>
#include <utility>
#include <vector>

namespace sonde::inline v0_1 {

/// A reporter of any type. Copies write to the same file. Without a reporter it writes nothing. A generic callable must
/// say by a `requires` what it takes, or it is called with records, comparisons, scopes
/// and lateness.
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
    /// Reports who made ranks wait. Returns false if the reporter does not take it.
    bool operator()(lateness_record const& found) const { return !reporter_ || reporter_->take(found); }
    void finish() const {
        if (reporter_) reporter_->finish();
    }

private:
    struct erased {
        virtual ~erased() = default;
        virtual void take(record const& r) = 0;
        virtual void take(comparison const& found, criterion required) = 0;
        virtual bool take(std::vector<scope_record> const& scopes) = 0;
        virtual bool take(lateness_record const& found) = 0;
        virtual void finish() = 0;
    };
    template <class R>
    struct model final : erased {
        explicit model(R made) : report{std::move(made)} {}
        void take(record const& r) override { report(r); }
        void take(comparison const& found, criterion required) override {
            if constexpr (detail::ComparisonReporter<R>) report(found, required);
            else if constexpr (detail::takes<R, comparison>) report(found);
            else
                for (auto const& r : found.records) report(r);
        }
        bool take(std::vector<scope_record> const& scopes) override { return take_if_possible(scopes); }
        bool take(lateness_record const& found) override { return take_if_possible(found); }
        void finish() override { detail::reporter_hook::finish(report); }
        template <class Found>
        bool take_if_possible(Found const& found) {
            if constexpr (detail::takes<R, Found>) report(found);
            return detail::takes<R, Found>;
        }

        R report;
    };

    std::shared_ptr<erased> reporter_;
};

} // namespace sonde
