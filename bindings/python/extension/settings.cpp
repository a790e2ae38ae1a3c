// SPDX-License-Identifier: BSL-1.0
#include "settings.hpp"

#include <sonde/measure/equal_plans.hpp>
#include <sonde/stop.hpp>
#include <sonde/stop/precision.hpp>
#include <sonde/sync.hpp>

#include <optional>
#include <string_view>

namespace binding {

namespace {

constexpr std::string_view role_words[] = {"initiator", "responder", "idle"};
constexpr std::string_view keep_words[] = {"sample_means", "rank_means", "rank_samples", "on_all_ranks"};

/// A number above 0 and below 1.
double fraction_of(arguments const& given, char const* key) {
    constexpr auto accepted = "a number between 0 and 1: 0.01 is 1 %";
    auto const found = given.number(key, accepted);
    if (!(found > 0 && found < 1)) given.refuse_value(key, accepted);
    return found;
}

/// The rule of the arguments `until`, `budget` and `samples`: whichever stops first. Without any of them 100 samples; a
/// precision alone has a budget of 1 s, because it may never be reached.
sonde::any_rule rule_of(arguments const& given, double confidence) {
    auto const has = [&](char const* key) { return !given.is_none(key); };
    std::optional<sonde::relative_error> precise;
    if (has("until")) precise.emplace(fraction_of(given, "until"), confidence);
    std::optional<sonde::time_budget> budget;
    if (has("budget")) budget.emplace(sonde::time_budget{sonde::seconds{given.positive("budget")}});
    else if (precise && !has("samples")) budget.emplace(sonde::time_budget{sonde::seconds{1}});
    std::optional<sonde::samples> count;
    if (has("samples")) count.emplace(sonde::samples{given.count("samples", 1)});
    else if (!precise && !budget) count.emplace(sonde::samples{100});
    return sonde::first_rule(precise, budget, count);
}

double confidence_of(arguments const& given) {
    auto const confidence = given.positive("confidence");
    if (confidence >= 1) given.refuse_value("confidence", "a number between 0 and 1");
    return confidence;
}

/// The least gain of a comparison; 0 for a run.
double gain_of(arguments const& given) {
    constexpr auto accepted = "a number of at least 0 and below 1: 0.02 is 2 %";
    auto const gain = given.number("gain", accepted);
    if (!(gain >= 0 && gain < 1)) given.refuse_value("gain", accepted);
    return gain;
}

sonde::keep_options keep_of(arguments const& given) {
    sonde::keep_options keep;
    bool* const options[] = {&keep.sample_means, &keep.rank_means, &keep.rank_samples, &keep.on_all_ranks};
    for (auto const i : given.words("keep", keep_words)) *options[i] = true;
    return keep;
}

plan plan_of(arguments const& given, double confidence) {
    auto made = sonde::plan<>{}
                    .until(rule_of(given, confidence))
                    .synchronized(sonde::any_synchronizer<sonde::mpi::group>{sonde::barrier_once{}})
                    .agree_on_errors()
                    .keep(keep_of(given));
    auto const is = [&](char const* key, char const* word) {
        auto const value = given[key];
        return py::isinstance<py::str>(value) && value.equal(py::str{word});
    };
    made = is("warmup", "stable") ? made.warmup(sonde::until_stable{}) : made.warmup(given.count("warmup"));
    return is("batch", "timer") ? made.batch(sonde::by_timer) : made.batch(given.count("batch", 1));
}

constexpr auto accepted_parameters = "a dict of texts and numbers, by names";

/// A parameter of a point: a text or a number.
sonde::parameter parameter_of(arguments const& given, py::handle key, py::handle value) {
    if (!py::isinstance<py::str>(key)) given.refuse_type("parameters", accepted_parameters);
    auto const name = given.text_of("parameters", key);
    if (py::isinstance<py::str>(value)) return {name, given.text_of("parameters", value)};
    if (PyIndex_Check(value.ptr()) != 0) {
        auto const whole = py::reinterpret_steal<py::object>(PyNumber_Index(value.ptr()));
        if (!whole) throw py::error_already_set{};
        int overflow = 0;
        auto const number = PyLong_AsLongLongAndOverflow(whole.ptr(), &overflow);
        if (overflow != 0) given.refuse_value("parameters", "of whole numbers with at most 64 bits");
        return {name, number};
    }
    auto const number = PyFloat_AsDouble(value.ptr());
    if (PyErr_Occurred() == nullptr) return {name, number};
    PyErr_Clear();
    given.refuse_type("parameters", accepted_parameters);
}

std::vector<sonde::parameter> parameters_of(arguments const& given) {
    std::vector<sonde::parameter> all;
    if (given.is_none("parameters")) return all;
    if (!py::hasattr(given["parameters"], "items")) given.refuse_type("parameters", accepted_parameters);
    for (auto const& [key, value] : py::dict{given["parameters"]}) all.push_back(parameter_of(given, key, value));
    return all;
}

} // namespace

double settings::identity_of_parameters() const {
    sonde::detail::fingerprint all;
    for (auto const& one : parameters) all.add(one.name.c_str()).add(one.text.c_str()).add(one.number ? 1 : 0);
    return all.value();
}

settings read_settings(arguments const& given) {
    auto const confidence = confidence_of(given);
    settings found{plan_of(given, confidence)};
    found.criterion = {gain_of(given), confidence};
    found.synchronize =
        static_cast<sonde::mpi::synchronization>(given.word("synchronize", sonde::mpi::synchronization_names));
    found.role = static_cast<sonde::role>(given.word("role", role_words));
    found.traffic.bytes = given.count("bytes");
    found.traffic.messages = given.count("messages");
    found.traffic.hops = given.positive("hops");
    auto const& moved = found.traffic;
    found.has_traffic =
        moved.bytes != 0 || moved.messages != 0 || moved.hops != 1 || found.role != sonde::role::initiator;
    found.rule = {given.is_none("samples") ? 0 : static_cast<double>(given.count("samples")),
                  given.is_none("until") ? 0 : given.positive("until"),
                  given.is_none("budget") ? 0 : given.positive("budget")};
    found.name = given.text("name");
    found.parameters = parameters_of(given);
    found.plan.validate();
    return found;
}

} // namespace binding
