// SPDX-License-Identifier: BSL-1.0
#include "settings.hpp"

#include <sonde/stop.hpp>
#include <sonde/stop/precision.hpp>
#include <sonde/sync.hpp>
#include <sonde/sync/synchronized_start.hpp>

#include <optional>
#include <string_view>

namespace binding {

namespace {

enum class synchronizer : std::size_t { once, each, none, dissemination, start };
constexpr std::string_view synchronizer_words[] = {"once", "each", "none", "dissemination", "start"};
constexpr std::string_view role_words[] = {"initiator", "responder", "idle"};
constexpr std::string_view keep_words[] = {"sample_means", "rank_means", "rank_samples", "on_all_ranks"};

/// The rule of the arguments `until`, `budget` and `samples`: whichever stops first. Without any of them 100 samples; a
/// precision alone has a budget of 1 s, because it may never be reached.
sonde::any_rule rule_of(arguments const& given, double confidence) {
    auto const is_none = [&](char const* key) { return given.is_none(key); };
    auto const seconds = [&](double none) {
        return sonde::seconds{is_none("budget") ? none : given.positive("budget")};
    };
    auto const count = [&] { return sonde::samples{given.count("samples", 1)}; };
    if (!is_none("until")) {
        sonde::relative_error const precise{given.positive("until"), confidence};
        if (is_none("samples")) return precise.within(seconds(1));
        if (is_none("budget")) return precise || count();
        return precise.within(seconds(1)) || count();
    }
    if (!is_none("budget")) {
        sonde::time_budget const budget{seconds(1)};
        if (is_none("samples")) return budget;
        return budget || count();
    }
    return is_none("samples") ? sonde::samples{100} : count();
}

double confidence_of(arguments const& given) {
    auto const confidence = given.positive("confidence");
    if (confidence >= 1) given.refuse_value("confidence", "a number between 0 and 1");
    return confidence;
}

/// The least gain of a comparison; 0 for a run.
double gain_of(arguments const& given) {
    auto const gain = given.number("gain", "a number of at least 0");
    if (gain < 0) given.refuse_value("gain", "a number of at least 0");
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
        return py::isinstance<py::str>(value) && value.cast<std::string>() == word;
    };
    made = is("warmup", "stable") ? made.warmup(sonde::until_stable{}) : made.warmup(given.count("warmup"));
    return is("batch", "timer") ? made.batch(sonde::by_timer) : made.batch(given.count("batch", 1));
}

/// Parameters of a point, by name: texts and numbers.
std::vector<sonde::parameter> parameters_of(arguments const& given) {
    std::vector<sonde::parameter> all;
    if (given.is_none("parameters")) return all;
    constexpr auto accepted = "a dict of texts and numbers, by names";
    if (!py::hasattr(given["parameters"], "items")) given.refuse_type("parameters", accepted);
    for (auto const& [key, value] : py::dict{given["parameters"]}) {
        if (!py::isinstance<py::str>(key)) given.refuse_type("parameters", accepted);
        auto const name = key.cast<std::string>();
        auto const object = py::reinterpret_borrow<py::object>(value);
        if (py::isinstance<py::str>(value)) all.emplace_back(name, value.cast<std::string>());
        else if (PyIndex_Check(value.ptr()) != 0) all.emplace_back(name, py::int_{object}.cast<long long>());
        else if (PyNumber_Check(value.ptr()) != 0) all.emplace_back(name, py::float_{object}.cast<double>());
        else given.refuse_type("parameters", accepted);
    }
    return all;
}

} // namespace

settings read_settings(arguments const& given) {
    auto const confidence = confidence_of(given);
    settings found{plan_of(given, confidence)};
    found.criterion = {gain_of(given), confidence};
    found.synchronizer = given.word("synchronize", synchronizer_words);
    found.role = static_cast<sonde::role>(given.word("role", role_words));
    found.traffic.bytes = given.count("bytes");
    found.traffic.messages = given.count("messages");
    found.traffic.hops = given.positive("hops");
    auto const& moved = found.traffic;
    found.has_traffic =
        moved.bytes != 0 || moved.messages != 0 || moved.hops != 1 || found.role != sonde::role::initiator;
    found.name = given.text("name");
    found.parameters = parameters_of(given);
    found.plan.validate();
    return found;
}

plan synchronized(settings const& chosen, sonde::mpi::group& ranks) {
    using any = sonde::any_synchronizer<sonde::mpi::group>;
    using enum synchronizer;
    switch (static_cast<synchronizer>(chosen.synchronizer)) {
    case each:
        return chosen.plan.synchronized(any{sonde::barrier_each{}});
    case none:
        return chosen.plan.synchronized(any{sonde::no_sync{}});
    case dissemination:
        return chosen.plan.synchronized(any{sonde::mpi::dissemination_barrier(ranks)});
    case start:
        return chosen.plan.synchronized(any{sonde::synchronized_start{ranks}});
    default:
        return chosen.plan;
    }
}

} // namespace binding
