// SPDX-License-Identifier: BSL-1.0
#include "reports.hpp"

#include "../common/open_report.hpp"

namespace imb {

reports::reports(options const& asked, sonde::environment const& where) {
    for (auto const& r : asked.reports) all_.push_back(common::open_report("-report", r, where));
}

void reports::operator()(finding const& f, std::size_t groups) {
    auto const add = [&](sonde::record r) {
        r.at.parameters.emplace_back("groups", groups);
        r.at.parameters.emplace_back("repetitions", f.repetitions);
        if (f.defects) r.errors = *f.defects > 0 ? 1 : 0;
        (*this)(r);
    };
    if (all_.empty()) return;
    add(f.found.pure);
    if (f.found.overlap) add(*f.found.overlap);
    if (f.found.work) add(*f.found.work);
}

void reports::operator()(sonde::record const& found) const {
    for (auto const& report : all_) report(found);
}

reports open_reports(sonde::mpi::group const& world, options const& asked, sonde::environment const& where) {
    reports opened;
    common::together(world, [&] {
        if (world.rank() == 0) opened = reports{asked, where};
    });
    return opened;
}

} // namespace imb
