// SPDX-License-Identifier: BSL-1.0
#include "report.hpp"

#include "agreement.hpp"
#include "module.hpp"

#include <sonde/drawing/html.hpp>
#include <sonde/json.hpp>
#include <sonde/measure/environment.hpp>
#include <sonde/measure/equal_plans.hpp>
#include <sonde/mpi/environment.hpp>
#include <sonde/report/csv.hpp>
#include <sonde/report/table.hpp>

#include <pybind11/stl.h>

#include <array>
#include <optional>
#include <stdexcept>
#include <type_traits>
#include <utility>

namespace binding {

namespace {

/// A reporter of Sonde of any type; empty on ranks that write nothing.
template <class R>
class reporter_of_type final : public reporter {
public:
    explicit reporter_of_type(R made) : report_{std::move(made)} {}

    void take(reported const& found) override {
        if (is_closed()) throw py::value_error{"sonde.Reporter: the report is closed"};
        std::visit([this](auto const& one) { this->write(one); }, found);
    }
    void close() override {
        if constexpr (requires(R& r) { r.finish(); })
            if (report_) report_->finish();
        report_.reset();
    }
    bool is_closed() const override { return !report_; }

private:
    void write(sonde::reported_comparison const& one) { (*report_)(one.comparison, one.criterion); }
    void write(auto const& one) { (*report_)(one); }

    std::optional<R> report_;
};

struct writes_nothing {
    void operator()(auto const&...) const {}
};

template <class R>
std::shared_ptr<reporter> erased(R made) {
    return std::make_shared<reporter_of_type<R>>(std::move(made));
}

std::string extension_of(std::string const& path) {
    auto const name = path.substr(path.rfind('/') + 1);
    auto const dot = name.rfind('.');
    return dot == name.npos ? "" : name.substr(dot);
}

bool is_known(std::string const& extension) {
    for (auto const* known : {".jsonl", ".csv", ".html", ".txt"})
        if (extension == known) return true;
    return false;
}

std::shared_ptr<reporter> opened(std::string const& path, std::optional<sonde::environment> const& where) {
    auto const extension = extension_of(path);
    if (extension == ".csv") return erased(sonde::csv{path});
    if (extension == ".html") return erased(sonde::html{path, where});
    if (extension == ".txt") return erased(sonde::table{path});
    return erased(where ? sonde::json_lines{path, *where} : sonde::json_lines{path});
}

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

std::shared_ptr<reporter> open_report(std::string const& function, std::string const& path,
                                      sonde::mpi::group const& ranks) {
    on_all_ranks(ranks, [&] {
        if (!is_known(extension_of(path)))
            throw py::value_error{function + ": the report is " + path +
                                  "; its name must end with .jsonl, .csv, .html or .txt"};
    });
    auto const where = job_environment(ranks);
    std::shared_ptr<reporter> made;
    on_all_ranks(ranks, [&] { made = ranks.rank() == 0 ? opened(path, where) : erased(writes_nothing{}); });
    return made;
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
        .def("close", &reporter::close);
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
