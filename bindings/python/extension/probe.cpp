// SPDX-License-Identifier: BSL-1.0
#include "agreement.hpp"
#include "arguments.hpp"
#include "module.hpp"
#include "pickle.hpp"
#include "text.hpp"

#include <sonde/lateness.hpp>
#include <sonde/monitor.hpp>
#include <sonde/probe.hpp>
#include <sonde/probe/collect.hpp>
#include <sonde/report/table.hpp>

#include <pybind11/stl.h>

#include <cstddef>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace binding {

namespace {

/// The scopes of a program, nested as its blocks are.
class probe {
public:
    explicit probe(std::size_t kept_passes) : probe_{{}, {kept_passes}} {}

    void enter(std::string const& name, sonde::scope_kind kind, sonde::scope_options const& options) {
        auto& scope =
            stack_.empty() ? find(probe_, name, kind, options) : find(*stack_.back().scope, name, kind, options);
        stack_.push_back({&scope, scope.enter()});
    }
    /// Throws RuntimeError unless the innermost scope has this name.
    void exit(std::string const& name) {
        if (stack_.empty() || stack_.back().scope->name() != name)
            throw std::runtime_error{"sonde.Probe: the scope " + name + " ends, and is not the innermost one"};
        stack_.back().pass.end();
        stack_.pop_back();
    }
    /// Collective over the communicator.
    std::vector<sonde::scope_record> collect(py::handle comm) const {
        auto ranks = group_of("sonde.Probe.collect", comm);
        return sonde::collect(ranks, probe_);
    }
    /// Collective over the communicator.
    sonde::lateness_record collect_lateness(py::handle comm, py::object const& effect,
                                            py::object const& false_alarms) const {
        constexpr auto function = "sonde.Probe.collect_lateness";
        auto ranks = group_of(function, comm);
        sonde::lateness_options options;
        on_all_ranks(ranks, [&] {
            arguments const given{function,
                                  py::dict(py::arg("effect") = effect, py::arg("false_alarms") = false_alarms)};
            options.effect = given.number("effect", "a share, 0.05 for 5 %");
            options.false_alarms = given.number("false_alarms", "a share, 0.01 for 1 %");
        });
        return sonde::collect_lateness(ranks, probe_, options);
    }

    /// The scopes have their counters in the monitor's page, which the probe keeps.
    void show_in(std::shared_ptr<sonde::monitor> monitor) {
        monitors_.push_back(monitor);
        monitor->add(probe_);
    }

private:
    struct block {
        sonde::probe_scope* scope;
        sonde::probe_scope::pass pass;
    };

    template <class Outer>
    static sonde::probe_scope& find(Outer& outer, std::string const& name, sonde::scope_kind kind,
                                    sonde::scope_options const& options) {
        switch (kind) {
        case sonde::scope_kind::work:
            return outer.work(name);
        case sonde::scope_kind::exchange:
            return outer.exchange(name, options);
        default:
            return outer.scope(name, options);
        }
    }

    std::vector<std::shared_ptr<sonde::monitor>> monitors_;
    sonde::probe probe_;
    std::vector<block> stack_; // active scopes, the outermost first
};

/// A scope as a context manager; its parent is the scope that is active when it is entered.
struct scope {
    py::object owner; // keeps the probe
    probe* of;
    std::string name;
    sonde::scope_kind kind;
    sonde::scope_options options;
};

scope scope_of(py::object self, py::object name, py::object bytes) {
    auto* const of = self.cast<probe*>();
    arguments const given{"sonde.Probe", py::dict(py::arg("name") = name, py::arg("bytes") = bytes)};
    return {std::move(self), of, given.text("name"), sonde::scope_kind::part, {given.count("bytes")}};
}

scope work_of(py::object self, py::object name) {
    auto* const of = self.cast<probe*>();
    arguments const given{"sonde.Probe.work", py::dict(py::arg("name") = name)};
    return {std::move(self), of, given.text("name"), sonde::scope_kind::work, {}};
}

scope exchange_of(py::object self, py::object name, py::object bytes, py::object partners) {
    auto* const of = self.cast<probe*>();
    arguments const given{"sonde.Probe.exchange",
                          py::dict(py::arg("name") = name, py::arg("bytes") = bytes, py::arg("partners") = partners)};
    return {std::move(self),
            of,
            given.text("name"),
            sonde::scope_kind::exchange,
            {given.count("bytes"), given.ranks("partners")}};
}

std::optional<double> count_of(std::optional<sonde::seconds> time) {
    return time ? std::optional{time->count()} : std::nullopt;
}

/// A monitor that ends when it is closed and no probe has counters in its page.
class monitor {
public:
    monitor(py::object path, py::object comm, py::object interval) {
        arguments const given{"sonde.Monitor", py::dict(py::arg("path") = path, py::arg("interval") = interval)};
        int rank = 0;
        MPI_Comm_rank(communicator_of("sonde.Monitor", comm), &rank);
        monitor_ = std::make_shared<sonde::monitor>(
            given.text("path"), rank, sonde::monitor_options{.interval = sonde::seconds{given.positive("interval")}});
    }
    void add(probe& shown) { shown.show_in(open()); }
    bool write() {
        auto const to = open();
        py::gil_scoped_release const others_run; // while it waits for the thread
        return to->write();
    }
    void close() { monitor_.reset(); }

private:
    std::shared_ptr<sonde::monitor> open() const {
        if (monitor_ == nullptr) throw std::runtime_error{"sonde.Monitor: it is closed"};
        return monitor_;
    }

    std::shared_ptr<sonde::monitor> monitor_;
};

void bind_scope_record(py::module_& module) {
    using record = sonde::scope_record;
    py::class_<record>(module, "ScopeRecord")
        .def_readonly("name", &record::name)
        .def_readonly("parent", &record::parent)
        .def_readonly("depth", &record::depth)
        .def_property_readonly("kind", [](record const& r) { return sonde::to_string(r.kind); })
        .def_readonly("ranks", &record::ranks)
        .def_readonly("slowest", &record::slowest)
        .def_readonly("bytes", &record::bytes)
        .def_property_readonly("passes", [](record const& r) { return r.times.count(); })
        .def_property_readonly("median", [](record const& r) { return count_of(sonde::median(r)); })
        .def_property_readonly("p99", [](record const& r) { return count_of(sonde::percentile(r, 0.99)); })
        .def_property_readonly("max", [](record const& r) { return r.times.max().count(); })
        .def_property_readonly("total", [](record const& r) { return r.times.sum().count(); })
        .def_property_readonly("share", [](record const& r) { return sonde::share(r); })
        .def_property_readonly("slow_rank", [](record const& r) { return sonde::slow_rank(r); })
        .def_property_readonly("imbalance", [](record const& r) { return sonde::imbalance(r); })
        .def_property_readonly("bandwidth", [](record const& r) { return sonde::bandwidth(r); })
        .def(pickled_as_json<record>());
}

} // namespace

void bind_probe(py::module_& module) {
    bind_scope_record(module);
    py::class_<scope>(module, "Scope")
        .def("__enter__", [](scope& s) { s.of->enter(s.name, s.kind, s.options); })
        .def("__exit__", [](scope& s, py::handle, py::handle, py::handle) { s.of->exit(s.name); });
    py::class_<probe>(module, "Probe")
        .def(py::init([](py::object const& kept_passes) {
            arguments const given{"sonde.Probe", py::dict(py::arg("kept_passes") = kept_passes)};
            return probe{given.count("kept_passes", 1)};
        }))
        .def("__call__", scope_of, py::arg("name"), py::kw_only(), py::arg("bytes"))
        .def("work", work_of, py::arg("name"))
        .def("exchange", exchange_of, py::arg("name"), py::kw_only(), py::arg("bytes"), py::arg("partners"))
        .def("collect", &probe::collect)
        .def("collect_lateness", &probe::collect_lateness, py::arg("comm"), py::kw_only(), py::arg("effect"),
             py::arg("false_alarms"));
    py::class_<monitor>(module, "Monitor")
        .def(py::init<py::object, py::object, py::object>(), py::arg("path"), py::arg("comm"), py::arg("interval"))
        .def("add", &monitor::add)
        .def("write", &monitor::write)
        .def("close", &monitor::close);
    module.def("scope_table", text_by<sonde::probe_table, std::vector<sonde::scope_record>>);
}

} // namespace binding
