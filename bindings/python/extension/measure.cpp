// SPDX-License-Identifier: BSL-1.0
#include "agreement.hpp"
#include "callable.hpp"
#include "module.hpp"
#include "patterns.hpp"
#include "report.hpp"
#include "settings.hpp"

#include <sonde/measure/compare.hpp>
#include <sonde/measure/comparison.hpp>
#include <sonde/measure/equal_plans.hpp>
#include <sonde/measure/run.hpp>

#include <pybind11/stl.h>

#include <array>
#include <exception>
#include <list>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace binding {

namespace {

/// The patterns of a call, with what they refer to.
class patterns {
public:
    patterns(arguments const& given, MPI_Comm comm) : given_{given}, comm_{comm}, alarm_{comm} {}

    /// Makes the patterns of a mapping of names. Throws TypeError or ValueError for a wrong one. Does not communicate.
    void make(py::handle asked, settings const& chosen, mpi::group const& ranks) {
        if (!py::hasattr(asked, "items")) throw py::type_error{given_.function() + ": alternatives must be a dict"};
        asked_ = py::dict{py::reinterpret_borrow<py::object>(asked)};
        bool has_callable = false;
        for (auto const& [key, pattern] : asked_) {
            if (!py::isinstance<py::str>(key)) throw py::type_error{given_.function() + ": names must be texts"};
            auto const characters = utf8_of(key);
            if (!characters) throw py::value_error{given_.function() + ": names must be without lone surrogates"};
            auto const& name = *characters;
            names_.add(name.c_str());
            sonde::point at{name, chosen.parameters};
            if (py::isinstance<description>(pattern)) {
                add_native(pattern.cast<description const&>(), ranks, std::move(at));
                continue;
            }
            if (PyCallable_Check(pattern.ptr()) == 0) refuse(name, pattern);
            all_.emplace_back(sonde::named{std::move(at), callable{pattern, chosen.role, chosen.traffic, alarm_}});
            texts_.emplace_back("a callable");
            has_callable = true;
        }
        if (all_.empty()) throw py::value_error{given_.function() + ": there is no alternative"};
        if (chosen.has_traffic && !has_callable)
            throw py::value_error{
                given_.function() +
                ": bytes, messages, hops and role are those of a callable; a native pattern has its own"};
    }
    /// A number that is equal on all ranks if the names of several alternatives are. Ranks may name one pattern as they
    /// like, because they may call different functions.
    double names() const { return all_.size() == 1 ? 0 : names_.value(); }
    /// Throws ValueError on all ranks if the kinds of patterns or the types and sizes of their arrays differ between
    /// ranks. Collective over the group.
    void require_equal(mpi::group const& ranks) const;
    std::size_t size() const { return all_.size(); }
    any_pattern& operator[](std::size_t i) { return all_[i]; }
    /// True if a callable of this rank has raised an exception.
    bool failed() const { return alarm_.started(); }

private:
    void add_native(description const& of, mpi::group const& ranks, sonde::point at) {
        if (communicator_of(of.function(), of.comm()) != comm_)
            throw py::value_error{of.function() + ": the pattern is of another communicator"};
        auto& bound = arguments_.emplace_back(of.bind(ranks));
        texts_.push_back(bound.text());
        all_.push_back(make_pattern(of.kind(), bound, std::move(at)));
    }
    [[noreturn]] void refuse(std::string const& name, py::handle pattern) const {
        auto const what = given_.function() == "sonde.run" ? "f" : '"' + name + '"';
        throw py::type_error{given_.function() + ": " + what + " is of type " +
                             py::str(py::type::handle_of(pattern).attr("__name__")).cast<std::string>() +
                             "; it must be callable, or a pattern of sonde.patterns"};
    }

    arguments const& given_;
    MPI_Comm comm_;
    failure_alarm alarm_;
    std::list<native_arguments> arguments_;
    py::dict asked_; // keeps the callables
    std::vector<any_pattern> all_;
    sonde::detail::fingerprint names_;
    std::vector<std::string> texts_; // of the patterns, equal on all ranks if the patterns fit together
};

void patterns::require_equal(mpi::group const& ranks) const {
    auto const differs = [&](std::size_t i) {
        std::array const number{sonde::detail::fingerprint{texts_[i].c_str()}.value()};
        return sonde::detail::differences(ranks, number)[0];
    };
    for (std::size_t i = 0; i != texts_.size(); ++i) {
        if (!differs(i)) continue;
        auto of_root = texts_[i];
        sonde::broadcast(ranks, of_root, 0);
        auto first = static_cast<double>(texts_[i] == of_root ? ranks.size() : ranks.rank());
        ranks.all_reduce({&first, 1}, sonde::reduction::min);
        auto of_first = texts_[i];
        sonde::broadcast(ranks, of_first, static_cast<int>(first));
        throw py::value_error{given_.function() + ": the patterns must be equal on all ranks; on rank 0 " + of_root +
                              "; on rank " + std::to_string(static_cast<int>(first)) + " " + of_first};
    }
}

/// A call of `run` or `compare` up to the measurement. Collective over the communicator; faults of the arguments are
/// thrown on all ranks.
struct call {
    arguments given;
    MPI_Comm comm;
    mpi::group ranks;
    patterns measured;
    std::unique_ptr<settings> chosen;
    report_argument reports;
    std::shared_ptr<reporter> report; // null without a report
    std::unique_ptr<binding::plan> plan;

    call(std::string function, py::handle on, py::handle asked, py::dict values)
        : given{std::move(function), std::move(values)}, comm{communicator_of(given.function(), on)}, ranks{comm},
          measured{given, comm} {
        sonde::detail::watched_call const watched{ranks, given.function().c_str() + sizeof "sonde." - 1};
        on_all_ranks(ranks, [&] {
            chosen = std::make_unique<settings>(read_settings(given));
            measured.make(asked, *chosen, ranks);
            reports = {given.function(), given["report"]};
        });
        std::array const parts{sonde::detail::fingerprint{given.function().c_str()}.value(),
                               static_cast<double>(chosen->synchronize),
                               reports.identity(),
                               chosen->rule[0],
                               chosen->rule[1],
                               chosen->rule[2],
                               chosen->criterion.gain,
                               chosen->criterion.confidence,
                               chosen->identity_of_parameters(),
                               static_cast<double>(measured.size()),
                               measured.names()};
        constexpr std::array words{"function",
                                   "synchronize",
                                   "report",
                                   "samples",
                                   "until",
                                   "budget",
                                   "gain",
                                   "confidence",
                                   "parameters",
                                   "number of alternatives",
                                   "names of alternatives"};
        sonde::detail::require_equal_parts(ranks, parts, words,
                                           given.function() + ": the arguments must be equal on all ranks");
        measured.require_equal(ranks);
        report = reports.open(ranks);
        plan = std::make_unique<binding::plan>(
            chosen->plan.synchronized(sonde::mpi::synchronizer_of(chosen->synchronize, ranks)));
    }

    /// Returns f(), a collective call that throws on all ranks. If a callable has raised on some rank, the exceptions
    /// of the other ranks name it.
    template <class F>
    auto measured_by(F f) {
        std::exception_ptr failure;
        try {
            auto found = f();
            if (report) on_all_ranks(ranks, [&] { report->take(found); });
            return found;
        } catch (...) {
            failure = std::current_exception();
        }
        throw_on_all(ranks, measured.failed() ? failure : nullptr);
        std::rethrow_exception(failure);
    }
};

sonde::record run(std::string const& function, py::handle comm, py::handle one, py::dict values) {
    call c{function, comm, one, std::move(values)};
    return c.measured_by([&] {
        auto const has_name = !c.chosen->name.empty(); // the functions of ranks in other roles have other names
        return std::visit(
            [&](auto& pattern) {
                return sonde::detail::run(c.ranks, *c.plan, pattern, {.at = pattern.point(), .is_compared = has_name});
            },
            c.measured[0]);
    });
}

sonde::reported_comparison compare(std::string const& function, py::handle comm, py::handle all, py::dict values) {
    call c{function, comm, all, std::move(values)};
    return c.measured_by([&] {
        auto const visit = [&](std::size_t i, auto f) { std::visit(f, c.measured[i]); };
        return sonde::reported_comparison{
            sonde::compare(c.ranks, *c.plan, sonde::alternatives{c.measured.size(), visit}), c.chosen->criterion};
    });
}

} // namespace

void bind_measure(py::module_& module) {
    detail::count_forks();
    module.def("run", run);
    module.def("compare", compare);
}

} // namespace binding
