// SPDX-License-Identifier: BSL-1.0
#include "imb/driver/imb_program.hpp"

#include "suite/refusal.hpp"

#include <sonde/json.hpp>

#include <optional>

namespace imb {

namespace {

template <class T>
sonde::json json_of(std::optional<T> const& value) {
    return value ? sonde::json(*value) : sonde::json{};
}

template <class T>
std::optional<T> optional_in(sonde::json const& j) {
    if (j.is_null()) return std::nullopt;
    return j.get<T>();
}

} // namespace

std::string json_text(result const& r) {
    sonde::json const j = {{"repetitions", r.repetitions},
                           {"pure", r.pure},
                           {"overlap", json_of(r.overlap)},
                           {"work", json_of(r.work)},
                           {"defects", json_of(r.defects)}};
    return j.dump();
}

result result_of(std::string const& json) {
    auto const j = sonde::json::parse(json);
    return {.pure = j.at("pure").get<sonde::record>(),
            .overlap = optional_in<sonde::record>(j.at("overlap")),
            .work = optional_in<sonde::record>(j.at("work")),
            .repetitions = j.at("repetitions").get<std::size_t>(),
            .defects = optional_in<double>(j.at("defects"))};
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
        all_.push_back({suite::open_report("-report", r, where), r.form == "html" || r.form == "plot"});
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
