// SPDX-License-Identifier: BSL-1.0
#include "imb/driver/imb_reports.hpp"

#include "suite/agreement.hpp"

#include <sonde/json/lines.hpp>

#include <stdio.h> // open_memstream, of POSIX

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <new>
#include <sstream>
#include <utility>

namespace imb {

std::string text_of(result const& r) {
    char* text = nullptr;
    std::size_t bytes = 0;
    auto* const out = open_memstream(&text, &bytes);
    if (out == nullptr) throw std::bad_alloc{};
    std::fprintf(out, "%zu %d %d %d %.17g\n", r.repetitions, r.overlap.has_value(), r.work.has_value(),
                 r.defects.has_value(), r.defects.value_or(0));
    sonde::json_lines add{out}; // throws if memory is short, which ends the job
    add(r.pure);
    if (r.overlap) add(*r.overlap);
    if (r.work) add(*r.work);
    if (std::fclose(out) != 0) throw std::bad_alloc{};
    std::unique_ptr<char, decltype(&std::free)> const owner{text, std::free};
    return {text, bytes};
}

result result_of(std::string const& text) {
    std::istringstream in{text};
    bool has_overlap = false, has_work = false, has_defects = false;
    double defects = 0;
    result found;
    in >> found.repetitions >> has_overlap >> has_work >> has_defects >> defects >> std::ws;
    auto records = sonde::read_launches(in, "result of a group").at(0).records;
    found.pure = std::move(records.front());
    if (has_overlap) found.overlap = std::move(records.at(1));
    if (has_work) found.work = std::move(records.back());
    if (has_defects) found.defects = defects;
    return found;
}

namespace {

/// True for parameters without information: the number of the only group, the mode of a benchmark with a single mode,
/// the part of a benchmark without overlap.
bool is_redundant(sonde::parameter const& p, std::size_t groups, bool one_part) {
    if (p.name == "group" || p.name == "groups") return groups == 1;
    return (p.name == "mode" && p.text == "only") || (p.name == "part" && one_part);
}

} // namespace

reports::reports(options const& asked, sonde::environment const& where) {
    for (auto const& r : asked.reports)
        all_.push_back({suite::open_report("-report", r, where), sonde::properties_of(r.form).is_drawn});
}

void reports::operator()(result const& r, std::size_t groups) {
    auto const one_part = !r.overlap && !r.work;
    auto const add = [&](sonde::record full) {
        full.point.parameters.emplace_back("groups", groups);
        full.point.parameters.emplace_back("repetitions", r.repetitions);
        if (r.defects) full.errors = *r.defects > 0 ? 1 : 0;
        auto brief = full;
        std::erase_if(brief.point.parameters, [&](auto const& p) { return is_redundant(p, groups, one_part); });
        for (auto const& report : all_) report.take(report.for_people ? brief : full);
    };
    if (all_.empty()) return;
    add(r.pure);
    if (r.overlap) add(*r.overlap);
    if (r.work) add(*r.work);
}

void reports::operator()(sonde::record const& r) const {
    for (auto const& report : all_) report.take(r);
}

void reports::finish(sonde::mpi::group const& world) const {
    suite::together(world, [&] {
        for (auto const& report : all_) report.take.finish();
    });
}

reports open_reports(sonde::mpi::group const& world, options const& asked, sonde::environment const& where) {
    reports opened;
    suite::together(world, [&] {
        if (world.rank() == 0) opened = reports{asked, where};
    });
    return opened;
}

} // namespace imb
