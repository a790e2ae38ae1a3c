// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/lateness/lateness_record.hpp>
#include <sonde/measure/comparison.hpp>
#include <sonde/measure/environment.hpp>
#include <sonde/measure/record.hpp>
#include <sonde/probe/scope_record.hpp>
#include <sonde/report/text.hpp>

#include <istream>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sonde::inline v0_1 {

/// Reporter that writes all members of every record in JSON Lines, an object per line. A comparison is one object, with
/// the records of its alternatives, and so are the scopes of a probe (the result of `collect`). The first line is the
/// environment, if it is given. docs/json.md has the keys. A line is written completely when the call returns, so a
/// killed job leaves its measurements. If the environment was made by this process, each line says how much CPU time
/// was stolen from it since then.
///
/// A missing value is null. A time that is not finite is also null, and `read_json_lines` refuses it. All other numbers
/// are read back exactly.
class json_lines {
public:
    explicit json_lines(output_file out) : out_{std::move(out)} {}
    json_lines(output_file out, environment const& e);

    void operator()(record const& r);
    void operator()(std::vector<scope_record> const& found);
    void operator()(lateness_record const& found);
    void operator()(comparison const& found, criterion required = {});

private:
    output_file out_;
    std::optional<seconds> stolen_before_;
};

/// Read all runs of a stream, in order: the output of `sonde-launch`, or concatenated files of `json_lines`. A run
/// begins with its launch, `{"type": "launch", "launch": number, "command", "outcome", "wall_seconds"}`, or otherwise
/// with its environment. `path` is the name of the stream in messages. Throws as `for_each_json_line`.
[[nodiscard]] std::vector<run_file> read_launches(std::istream& in, std::string const& path);

/// As above, for a file.
[[nodiscard]] std::vector<run_file> read_launches(std::string const& path);

/// Read a file that `json_lines` wrote in one run. Throws as `for_each_json_line`, and if a second run begins.
[[nodiscard]] run_file read_json_lines(std::string const& path);

} // namespace sonde

#if SONDE_DEFINITIONS
#include <sonde/json/values.hpp>

#include <stdexcept>

namespace sonde::inline v0_1 {

namespace detail {

/// Write an object in one line.
SONDE_INLINE void write_line(output_file& out, json line, std::optional<seconds> const& stolen_before) {
    if (auto const stolen = stolen_since(stolen_before)) write_value(line["stolen_seconds"], *stolen);
    out.line(json_line(line));
}

} // namespace detail

SONDE_INLINE json_lines::json_lines(output_file out, environment const& e)
    : out_{std::move(out)}, stolen_before_{e.stolen_before} {
    out_.line(detail::json_line(e));
}

SONDE_INLINE void json_lines::operator()(record const& r) { detail::write_line(out_, r, stolen_before_); }
SONDE_INLINE void json_lines::operator()(std::vector<scope_record> const& found) {
    detail::write_line(out_, {{"type", "scopes"}, {"scopes", found}}, stolen_before_);
}
SONDE_INLINE void json_lines::operator()(lateness_record const& found) {
    detail::write_line(out_, found, stolen_before_);
}
SONDE_INLINE void json_lines::operator()(comparison const& found, criterion required) {
    detail::write_line(out_, reported_comparison{found, required}, stolen_before_);
}

SONDE_INLINE std::vector<run_file> read_launches(std::istream& in, std::string const& path) {
    std::vector<run_file> runs;
    for_each_json_line(in, path, [&](json const& j) { detail::add_line(j, runs); });
    return runs;
}

SONDE_INLINE std::vector<run_file> read_launches(std::string const& path) {
    std::vector<run_file> runs;
    for_each_json_line(path, [&](json const& j) { detail::add_line(j, runs); });
    return runs;
}

SONDE_INLINE run_file read_json_lines(std::string const& path) {
    std::vector<run_file> runs;
    for_each_json_line(path, [&](json const& j) {
        detail::add_line(j, runs);
        if (runs.size() > 1) throw std::invalid_argument{"a second run begins; read_launches takes several"};
    });
    return runs.empty() ? run_file{} : std::move(runs.front());
}

} // namespace sonde

#endif
