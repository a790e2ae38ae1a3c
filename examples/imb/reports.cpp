// SPDX-License-Identifier: BSL-1.0
#include "reports.hpp"

#include "../common/open_report.hpp"

namespace imb {

namespace {

/// Whether a setting says nothing to who reads: the number of the only group, the mode of a benchmark that has one, the
/// part where there is no other.
bool says_nothing(sonde::parameter const& p, std::size_t groups, bool one_part) {
    if (p.name == "group" || p.name == "groups") return groups == 1;
    return (p.name == "mode" && p.text == "only") || (p.name == "part" && one_part);
}

} // namespace

reports::reports(options const& asked, sonde::environment const& where) {
    for (auto const& r : asked.reports)
        all_.push_back({common::open_report("-report", r, where), r.form == "html" || r.form == "plot"});
}

void reports::operator()(finding const& f, std::size_t groups) {
    auto const one_part = !f.found.overlap && !f.found.work;
    auto const add = [&](sonde::record r) {
        r.point.parameters.emplace_back("groups", groups);
        r.point.parameters.emplace_back("repetitions", f.repetitions);
        if (f.defects) r.errors = *f.defects > 0 ? 1 : 0;
        auto short_one = r;
        std::erase_if(short_one.point.parameters, [&](auto const& p) { return says_nothing(p, groups, one_part); });
        for (auto const& report : all_) report.take(report.read ? short_one : r);
    };
    if (all_.empty()) return;
    add(f.found.pure);
    if (f.found.overlap) add(*f.found.overlap);
    if (f.found.work) add(*f.found.work);
}

void reports::operator()(sonde::record const& found) const {
    for (auto const& report : all_) report.take(found);
}

void reports::finish(sonde::mpi::group const& world) const {
    common::together(world, [&] {
        for (auto const& report : all_) report.take.finish();
    });
}

reports open_reports(sonde::mpi::group const& world, options const& asked, sonde::environment const& where) {
    reports opened;
    common::together(world, [&] {
        if (world.rank() == 0) opened = reports{asked, where};
    });
    return opened;
}

} // namespace imb
