// SPDX-License-Identifier: BSL-1.0
#include "module.hpp"
#include "pickle.hpp"
#include "text.hpp"

#include <sonde/lateness/lateness_record.hpp>
#include <sonde/lateness/sentences.hpp>
#include <sonde/report/lateness_table.hpp>

#include <pybind11/stl.h>

#include <optional>
#include <utility>
#include <vector>

namespace binding {

namespace {

using sonde::lateness_record;

/// A tuple for each part, from which the package makes its dataclasses.
template <class Part, class Values>
py::list list_of(std::vector<Part> const& parts, Values values) {
    py::list list;
    for (auto const& part : parts) list.append(values(part));
    return list;
}

py::list late_of(lateness_record const& r) {
    auto const waiting = sonde::waiting_share(r) * r.observed;
    return list_of(r.late, [&](sonde::late_rank const& l) {
        auto const share = sonde::seconds{} < waiting ? l.caused / waiting : 0.0;
        return py::make_tuple(l.rank, l.caused.count(), share, l.exchange, l.lateness.count(), l.steps, l.of_steps,
                              l.work.name, l.work.ratio, l.work.of_other_steps);
    });
}

py::list slow_transfers_of(lateness_record const& r) {
    return list_of(r.slow_transfers, [](sonde::slow_transfer const& s) {
        return py::make_tuple(s.exchange, s.ranks, s.ratio, s.caused.count());
    });
}

py::list exchanges_of(lateness_record const& r) {
    return list_of(r.exchanges, [](sonde::exchange_lateness const& e) {
        auto const unequal = e.unequal ? py::object{py::make_tuple(e.unequal->fewest, e.unequal->fewest_rank,
                                                                   e.unequal->most, e.unequal->most_rank)}
                                       : py::object{py::none()};
        return py::make_tuple(e.name, e.passes, e.unexamined, e.waiting.count(), e.transfer.count(), unequal);
    });
}

py::list effects_of(lateness_record const& r) {
    return list_of(r.effects, [](sonde::scope_effect const& s) {
        auto const& e = s.effect;
        return py::make_tuple(s.scope, sonde::to_string(e.kind), e.steps, e.series, e.period, e.typical.count(),
                              e.excess.count(), e.p);
    });
}

py::list ranks_of(lateness_record const& r) {
    return list_of(r.ranks, [](sonde::rank_lateness const& rank) {
        return py::make_tuple(rank.waiting.count(), rank.caused_by_work.count(), rank.caused_by_transfer.count());
    });
}

std::optional<std::pair<double, double>> waiting_interval_of(lateness_record const& r) {
    return r.low && r.high ? std::optional{std::pair{*r.low, *r.high}} : std::nullopt;
}

} // namespace

void bind_lateness(py::module_& module) {
    using record = lateness_record;
    py::class_<record>(module, "Lateness")
        .def_property_readonly("sentences", [](record const& r) { return sonde::sentences(r); })
        .def_property_readonly("waiting", [](record const& r) { return sonde::waiting_share(r); })
        .def_property_readonly("transfer", [](record const& r) { return sonde::transfer_share(r); })
        .def_property_readonly("interval", waiting_interval_of)
        .def_readonly("steps", &record::steps)
        .def_readonly("enough_steps", &record::enough_steps)
        .def_property_readonly("observed", [](record const& r) { return r.observed.count(); })
        .def_property_readonly("clock_error", [](record const& r) { return r.clock_error.count(); })
        .def_property_readonly("late", late_of)
        .def_property_readonly("slow_transfers", slow_transfers_of)
        .def_property_readonly("exchanges", exchanges_of)
        .def_property_readonly("ranks", ranks_of)
        .def_property_readonly("effects", effects_of)
        .def("table", text_by<sonde::lateness_table, record>)
        .def("json", [](record const& r) { return sonde::detail::json_line(sonde::json(r)); })
        .def(pickled_as_json<record>());
}

} // namespace binding
