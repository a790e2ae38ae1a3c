// SPDX-License-Identifier: BSL-1.0

// Compiling is passing.

// [satisfies]
#include <sonde/report.hpp>

struct my_reporter {
    void operator()(sonde::record const& r);
};
static_assert(sonde::Reporter<my_reporter>);
static_assert(sonde::Reporter<decltype([](sonde::record const&) {})>);
// [/satisfies]

#include <sonde/measure/record.hpp>
#include <sonde/report.hpp>
#include <sonde/report/text.hpp>

#include <cstdio>
#include <string>
#include <utility>

/// Writes a row of a Markdown table for each record: markdown{"out.md"} or markdown{stdout}.
class markdown {
public:
    explicit markdown(sonde::output_file out) : out_{std::move(out)} {
        out_.line("| measurement | median us | MB/s | stopped by | flags |");
        out_.line("|---|---:|---:|---|---|");
    }
    void operator()(sonde::record const& r) {
        auto name = r.point.name;
        for (auto const& p : r.point.parameters) name += ", " + p.name + " " + p.text;
        char metrics[80];
        std::snprintf(metrics, sizeof metrics, "%.3f | %.1f", 1e6 * sonde::median(r).count(), sonde::bandwidth(r) / 1e6);
        out_.line("| " + name + " | " + metrics + " | " + sonde::to_string(r.stop.reason) + " | " + to_string(r.flags) + " |");
    }

private:
    sonde::output_file out_;
};
static_assert(sonde::Reporter<markdown>);

#include <functional>

namespace reporter_concept {

using lambda = decltype([](sonde::record const&) {});
static_assert(sonde::Reporter<lambda const> && sonde::Reporter<void (*)(sonde::record const&)> &&
              sonde::Reporter<std::function<void(sonde::record const&)>> &&
              sonde::Reporter<decltype([](sonde::record copy) { return copy.batch; })> &&
              sonde::Reporter<decltype(sonde::tee(my_reporter{}, lambda{}))> &&
              sonde::Reporter<decltype(sonde::tee())> && sonde::Reporter<sonde::on_root<my_reporter>> &&
              sonde::Reporter<sonde::on_root<decltype(sonde::tee(lambda{}))>>);

struct not_called { void report(sonde::record const& r); };              // no operator()
struct without_record { void operator()(); };
struct changes_the_record { void operator()(sonde::record& r); };        // records are constant
struct wants_a_file { void operator()(sonde::record const&, std::string file); };
static_assert(!sonde::Reporter<not_called> && !sonde::Reporter<without_record> &&
              !sonde::Reporter<changes_the_record> && !sonde::Reporter<wants_a_file>);

static_assert(!sonde::Reporter<my_reporter const>); // its operator() is not const
static_assert(!sonde::Reporter<sonde::record>);

} // namespace reporter_concept
