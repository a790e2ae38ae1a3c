// SPDX-License-Identifier: BSL-1.0
#include "arguments.hpp"
#include "module.hpp"
#include "pickle.hpp"
#include "report.hpp"
#include "text.hpp"

#include <sonde/measure/comparison.hpp>
#include <sonde/measure/record.hpp>
#include <sonde/report/table.hpp>
#include <sonde/report/to_string.hpp>

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <cstddef>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace binding {

namespace {

using interval = std::optional<std::pair<double, double>>;

/// Times as a read-only array of numpy, in the memory of the record.
py::array times_of(std::vector<sonde::seconds> const& times, py::handle record) {
    static_assert(sizeof(sonde::seconds) == sizeof(double));
    py::array_t<double> const found{
        {times.size()}, {sizeof(double)}, reinterpret_cast<double const*>(times.data()), record};
    found.attr("flags").attr("writeable") = false;
    return found;
}

/// Getter of a member that is a series of times.
auto series(std::vector<sonde::seconds> sonde::record::*member) {
    return [member](py::object const& self) { return times_of(self.cast<sonde::record const&>().*member, self); };
}

/// Getter of a time that is a metric.
auto time(sonde::seconds (*metric)(sonde::record const&)) {
    return [metric](sonde::record const& r) { return metric(r).count(); };
}

interval interval_of(sonde::record const& r, double confidence) {
    auto const found = sonde::median_interval(r, confidence);
    if (!found) return std::nullopt;
    return std::pair{found->low.count(), found->high.count()};
}

std::optional<double> percentile_of(sonde::record const& r, py::object const& fraction) {
    constexpr auto accepted = "a number between 0 and 1, such as 0.99";
    py::dict given;
    given["q"] = fraction;
    arguments const all{"sonde.Record.percentile", given};
    auto const q = all.number("q", accepted);
    if (!(q > 0 && q < 1)) all.refuse_value("q", accepted);
    auto const found = sonde::percentile(r, q);
    return found ? std::optional{found->count()} : std::nullopt;
}

std::vector<std::string> flags_of(sonde::record const& r) {
    std::vector<std::string> words;
    for (auto const& one : sonde::all_flags)
        if (r.flags.*one.member) words.emplace_back(one.name);
    return words;
}

/// The parameters of the point: numbers where they are numbers, whole ones as int.
py::dict parameters_of(sonde::record const& r) {
    py::dict all;
    for (auto const& [name, text, number] : r.point.parameters) {
        py::str const key{name};
        if (!number) all[key] = text;
        else if (text.find_first_not_of("-0123456789") == std::string::npos) all[key] = py::int_{py::str{text}};
        else all[key] = *number;
    }
    return all;
}

/// The rank's times per iteration, or None.
py::object rank_samples_of(py::object const& self) {
    auto const& r = self.cast<sonde::record const&>();
    if (!r.rank_samples) return py::none{};
    auto const rows = static_cast<std::size_t>(r.ranks);
    return times_of(*r.rank_samples, self).attr("reshape")(rows, r.rank_samples->size() / rows);
}

std::tuple<double, double, double> over_ranks_of(sonde::record const& r) {
    return {r.over_ranks.min.count(), r.over_ranks.mean.count(), r.over_ranks.max.count()};
}

std::vector<std::pair<double, double>> straggler_lags_of(sonde::record const& r) {
    std::vector<std::pair<double, double>> lags;
    for (auto const& lag : r.straggler_lags) lags.emplace_back(lag.time.count(), lag.share);
    return lags;
}

void bind_record(py::module_& module) {
    py::class_<sonde::record>(module, "Record")
        .def_property_readonly("name", [](sonde::record const& r) { return r.point.name; })
        .def_property_readonly("parameters", parameters_of)
        .def_property_readonly("samples", series(&sonde::record::series))
        .def_property_readonly("sample_means", series(&sonde::record::sample_means))
        .def_property_readonly("rank_means", series(&sonde::record::rank_means))
        .def_property_readonly("rank_samples", rank_samples_of)
        .def_property_readonly("median", time([](sonde::record const& r) { return sonde::median(r); }))
        .def_property_readonly("mean", time([](sonde::record const& r) { return sonde::mean(r); }))
        .def_property_readonly("min", time([](sonde::record const& r) { return sonde::min(r); }))
        .def_property_readonly("max", time([](sonde::record const& r) { return sonde::max(r); }))
        .def_property_readonly("stddev", time([](sonde::record const& r) { return sonde::stddev(r); }))
        .def_property_readonly(
            "first", [](sonde::record const& r) { return r.first ? std::optional{r.first->count()} : std::nullopt; })
        .def_property_readonly("latency", time([](sonde::record const& r) { return sonde::latency(r); }))
        .def_property_readonly("bandwidth", [](sonde::record const& r) { return sonde::bandwidth(r); })
        .def_property_readonly("bus_bandwidth", [](sonde::record const& r) { return sonde::bus_bandwidth(r); })
        .def_property_readonly("message_rate", [](sonde::record const& r) { return sonde::message_rate(r); })
        .def_property_readonly("bytes", [](sonde::record const& r) { return r.total.bytes; })
        .def_property_readonly("messages", [](sonde::record const& r) { return r.total.messages; })
        .def_property_readonly("over_ranks", over_ranks_of)
        .def_readonly("batch", &sonde::record::batch)
        .def_readonly("ranks", &sonde::record::ranks)
        .def_readonly("initiators", &sonde::record::initiators)
        .def_readonly("slowest_counts", &sonde::record::slowest_counts)
        .def_readonly("stragglers", &sonde::record::stragglers)
        .def_property_readonly("straggler_lags", straggler_lags_of)
        .def("straggler_texts", [](sonde::record const& r) { return sonde::straggler_texts(r); })
        .def_property_readonly("flags", flags_of)
        .def_property_readonly("stop",
                               [](sonde::record const& r) {
                                   return std::pair{std::string{sonde::to_string(r.stop.reason)}, r.stop.samples};
                               })
        .def("interval", interval_of)
        .def("percentile", percentile_of)
        .def("line", [](sonde::record const& r) { return sonde::to_string(r); })
        .def("table", [](sonde::record const& r) { return text_by<sonde::table>(r); })
        .def("json", [](sonde::record const& r) { return json_text(r); })
        .def(pickled_as_json<sonde::record>());
}

interval speedup_interval_of(sonde::reported_comparison const& c, std::size_t i) {
    auto const found = sonde::detail::interval_over_base(c.comparison, i, c.criterion);
    return found ? std::optional{std::pair{found->low, found->high}} : std::nullopt;
}

std::optional<std::tuple<double, double, double>> gain_of(sonde::reported_comparison const& c, std::size_t i) {
    auto const found = sonde::gain_in_application(c.comparison, i, c.criterion.confidence);
    return found ? std::optional{std::tuple{found->value, found->low, found->high}} : std::nullopt;
}

void set_application(sonde::reported_comparison& c, std::string scope, double transfer, double waiting, double loop) {
    c.comparison.application = sonde::application_scope{std::move(scope), sonde::seconds{transfer},
                                                        sonde::seconds{waiting}, sonde::seconds{loop}};
}

void bind_comparison(py::module_& module) {
    using comparison = sonde::reported_comparison;
    py::class_<comparison>(module, "Comparison")
        .def_property_readonly("records", [](comparison const& c) { return c.comparison.records; })
        .def("speedup", [](comparison const& c, std::size_t i) { return sonde::speedup(c.comparison, i); })
        .def("interval", speedup_interval_of)
        .def("gain", gain_of)
        .def("set_application", set_application)
        .def("outcome", [](comparison const& c,
                           std::size_t i) { return sonde::detail::outcome_word(c.comparison, i, c.criterion); })
        .def_property_readonly("fastest", [](comparison const& c) { return sonde::fastest(c.comparison, c.criterion); })
        .def("table", [](comparison const& c) { return text_by<sonde::comparison_table>(c.comparison, c.criterion); })
        .def("json", [](comparison const& c) { return json_text(c); })
        .def(pickled_as_json<comparison>());
}

} // namespace

void bind_records(py::module_& module) {
    bind_record(module);
    bind_comparison(module);
    module.def("from_json", result_of);
}

} // namespace binding
