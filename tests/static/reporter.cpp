// SPDX-License-Identifier: BSL-1.0

// Compiling is passing.

#include <sonde/report.hpp>

#include <functional>
#include <string>

namespace reporter_concept {

// [satisfies]
struct printing {
    void operator()(sonde::record const& found);
};
static_assert(sonde::Reporter<printing>);
static_assert(sonde::Reporter<decltype([](sonde::record const&) {})>);
// [/satisfies]

using lambda = decltype([](sonde::record const&) {});
static_assert(sonde::Reporter<lambda const>);
static_assert(sonde::Reporter<void (*)(sonde::record const&)>);
static_assert(sonde::Reporter<std::function<void(sonde::record const&)>>);
static_assert(sonde::Reporter<decltype([](sonde::record copy) { return copy.batch; })>);
static_assert(sonde::Reporter<decltype(sonde::tee(printing{}, lambda{}))>);
static_assert(sonde::Reporter<decltype(sonde::tee())>);
static_assert(sonde::Reporter<sonde::on_root<printing>>);
static_assert(sonde::Reporter<sonde::on_root<decltype(sonde::tee(lambda{}))>>);

// [misses]
struct not_called { void report(sonde::record const& found); };
struct without_record { void operator()(); };
struct changing { void operator()(sonde::record& found); };              // a record is not the reporter's to change
struct wants_a_file { void operator()(sonde::record const&, std::string file); };
static_assert(!sonde::Reporter<not_called>);
static_assert(!sonde::Reporter<without_record>);
static_assert(!sonde::Reporter<changing>);
static_assert(!sonde::Reporter<wants_a_file>);
// [/misses]

static_assert(!sonde::Reporter<printing const>); // its call is for a reporter that may change
static_assert(!sonde::Reporter<sonde::record>);

} // namespace reporter_concept
