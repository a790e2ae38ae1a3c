// SPDX-License-Identifier: BSL-1.0
#include "report.hpp"

#include "agreement.hpp"
#include "module.hpp"

#include <sonde/json.hpp>
#include <sonde/measure/environment.hpp>
#include <sonde/measure/equal_plans.hpp>
#include <sonde/mpi/environment.hpp>
#include <sonde/report/form.hpp>
#include <sonde/report/open.hpp>

#include <pybind11/stl.h>

#include <array>
#include <optional>
#include <stdexcept>
#include <utility>

namespace binding {

namespace {

/// The environment of the group, with the command line of the interpreter. Collective over the group.
sonde::environment job_environment(sonde::mpi::group const& ranks) {
    auto const words = py::module_::import("sys").attr("orig_argv").cast<std::vector<std::string>>();
    std::vector<char const*> argv;
    for (auto const& word : words) argv.push_back(word.c_str());
    return sonde::mpi::environment_of(ranks, static_cast<int>(argv.size()), argv.data());
}

/// The bytes of a path. Throws TypeError or ValueError, whose message begins with `what` and describes what is
/// accepted.
std::string path_of(std::string const& what, py::handle path, std::string const& accepted) {
    auto const os = py::module_::import("os");
    auto const is_path =
        py::isinstance<py::str>(path) || py::isinstance<py::bytes>(path) || py::isinstance(path, os.attr("PathLike"));
    if (!is_path) throw py::type_error{what + " is " + py::repr(path).cast<std::string>() + "; it must be " + accepted};
    auto const bytes = os.attr("fsencode")(path).cast<std::string>();
    if (bytes.find('\0') != bytes.npos) throw py::value_error{what + " has a null character"};
    return bytes;
}

} // namespace

void reporter::take(reported const& found) {
    if (is_closed()) throw py::value_error{"sonde.Reporter: the report is closed"};
    if (auto const* const compared = std::get_if<sonde::reported_comparison>(&found))
        (*report_)(compared->comparison, compared->criterion);
    else if (auto const* const r = std::get_if<sonde::record>(&found)) (*report_)(*r);
    else if (auto const* const late = std::get_if<sonde::lateness_record>(&found)) (*report_)(*late);
    else (*report_)(std::get<std::vector<sonde::scope_record>>(found));
}

void reporter::close() {
    if (report_) report_->finish();
    report_.reset();
}

std::shared_ptr<reporter> open_report(std::string const& function, std::string const& path,
                                      sonde::mpi::group const& ranks) {
    auto const* const row = sonde::report_form_of_file(path);
    on_all_ranks(ranks, [&] {
        if (row == nullptr)
            throw py::value_error{function + ": the report is " + path + "; its name must end with " +
                                  sonde::report_endings()};
    });
    auto const where = job_environment(ranks);
    sonde::any_reporter made;
    on_all_ranks(ranks, [&] {
        if (ranks.rank() == 0) made = sonde::open_report(row->form, path, where);
    });
    return std::make_shared<reporter>(std::move(made));
}

report_argument::report_argument(std::string function, py::handle report) : function_{std::move(function)} {
    if (report.is_none()) return;
    if (py::isinstance<reporter>(report)) opened_ = report.cast<std::shared_ptr<reporter>>();
    else path_ = path_of(function_ + ": report", report, "a path or a sonde.Reporter");
    if (opened_ && opened_->is_closed()) throw py::value_error{function_ + ": the report is closed"};
}

double report_argument::identity() const {
    return path_ ? sonde::detail::fingerprint{path_->c_str()}.value() : opened_ ? 1 : 0;
}

std::shared_ptr<reporter> report_argument::open(sonde::mpi::group const& ranks) const {
    return path_ ? open_report(function_, *path_, ranks) : opened_;
}

std::string json_text(reported const& found) {
    return std::visit([](auto const& one) { return sonde::detail::json_line(sonde::json(one)); }, found);
}

reported result_of(std::string const& line) {
    try {
        auto const j = sonde::json::parse(line);
        auto const type = j.at("type").get<std::string>();
        if (type == "record") return j.get<sonde::record>();
        if (type == "comparison") return j.get<sonde::reported_comparison>();
        if (type == "scopes") return j.at("scopes").get<std::vector<sonde::scope_record>>();
        if (type == "lateness") return j.get<sonde::lateness_record>();
        throw std::invalid_argument{"a line of type '" + type + "' has no result"};
    } catch (std::exception const& e) {
        std::string message = e.what();
        // Without the prefix of nlohmann/json: "[json.exception.out_of_range.403] ".
        if (message.starts_with("[json.exception.")) message.erase(0, message.find("] ") + 2);
        throw py::value_error{message};
    }
}

void bind_reports(py::module_& module) {
    py::class_<reporter, std::shared_ptr<reporter>>(module, "Reporter")
        .def("take", [](reporter& r, sonde::record const& found) { r.take(found); })
        .def("take", [](reporter& r, sonde::reported_comparison const& found) { r.take(found); })
        .def("take", [](reporter& r, std::vector<sonde::scope_record> const& found) { r.take(found); })
        .def("take", [](reporter& r, sonde::lateness_record const& found) { r.take(found); })
        .def("close", &reporter::close);
    py::dict endings; // of the files of each form
    for (auto const& row : sonde::report_forms) {
        py::list of_form;
        for (auto const ending : row.endings)
            if (!ending.empty()) of_form.append(ending);
        endings[py::str{row.name}] = py::tuple{of_form};
    }
    module.attr("report_endings") = endings;
    module.def("needs_rank_samples", [](std::string const& path) {
        auto const* const row = sonde::report_form_of_file(path);
        return row != nullptr && row->needs_rank_samples;
    });
    module.def("open_report", [](std::string const& function, py::handle path, py::handle comm) {
        auto const ranks = group_of(function, comm);
        sonde::detail::watched_call const watched{ranks, "Reporter"};
        std::string name;
        on_all_ranks(ranks, [&] { name = path_of(function + ": path", path, "a path"); });
        sonde::detail::require_equal_parts(ranks, std::array{sonde::detail::fingerprint{name.c_str()}.value()},
                                           std::array{"path"}, function + ": the arguments must be equal on all ranks");
        return open_report(function, name, ranks);
    });
}

} // namespace binding
