// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/measure/comparison.hpp>
#include <sonde/measure/environment.hpp>
#include <sonde/measure/record.hpp>
#include <sonde/report/columns.hpp>
#include <sonde/report/text.hpp>

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sonde::inline v0_1 {

namespace detail {

/// The value of a label, in quotes: one line of plain text whose backslashes and quotes are escaped.
std::string openmetrics_value(std::string_view text);

/// The name of a label: letters, digits and underscores, a letter first. Other characters become underscores.
std::string openmetrics_name(std::string_view text);

/// The library's name and version without the rest of its version text: "Open MPI v4.1.4", "MPICH Version: 4.0.2".
std::string short_library_name(std::string_view version_text);

/// The whole file. The label "library" is left out if `library` is empty. Of several records with equal labels the last
/// one is written.
std::string openmetrics_text(std::vector<record> const& records, std::string const& library);

/// Write the text to a file beside it, then rename this file: a reader sees the old contents or the new. A path that is
/// no file on a disk is written directly. Throws std::system_error, and leaves the old contents.
void replace_file(std::string const& path, std::string_view text);

} // namespace detail

/// Reporter: the latest figures for monitoring, in the text format of OpenMetrics 1.0, which is also Prometheus' text
/// format 0.0.4. The textfile collector of Prometheus' node exporter reads the file if its name ends in ".prom".
///
/// The gauges are `sonde_median_seconds` with its 95 % confidence interval, `sonde_median_low_seconds` and
/// `sonde_median_high_seconds`, of the time of an iteration; `sonde_samples`; and `sonde_errors`, for records whose
/// contents were validated. Their labels are "test", the name of the point; its parameters, such as "bytes"; "ranks";
/// and "library", of the environment. A value that a record does not have is left out. There are no times of day,
/// which the collector refuses.
///
/// The file is written when `finish` is called, or otherwise when the last copy of the reporter is destroyed, and
/// renamed at the end, so that no half of it is ever read. Until then, and if the job is killed, the old file stays.
/// The constructor throws std::system_error if the file cannot be written. `finish` throws the same; without `finish`
/// the error is printed to stderr.
class openmetrics {
public:
    explicit openmetrics(std::string path, std::optional<environment> const& where = {});

    void operator()(record const& r) { kept_->add(r); }
    /// Add the records of the alternatives, of which those without a name are "alternative 0", the base, and so on.
    void operator()(comparison const& found, criterion = {}) {
        for (std::size_t i = 0; i != found.records.size(); ++i) {
            auto r = found.records[i];
            r.point.name = detail::alternative_name(found, i);
            kept_->add(r);
        }
    }
    /// Write the file, once, after the last record.
    void finish() { kept_->finish(); }

private:
    std::shared_ptr<detail::kept_records> kept_;
};

} // namespace sonde

#if SONDE_DEFINITIONS
#include <cstdio>
#include <filesystem>
#include <map>
#include <system_error>

namespace sonde::inline v0_1::detail {

/// Columns of a record and their help, which is equal in all files: the collector refuses different ones.
inline constexpr std::pair<char const*, char const*> openmetrics_gauges[] = {
    {"median_seconds", "Median time of an iteration."},
    {"median_low_seconds", "Low end of the median's 95 % confidence interval."},
    {"median_high_seconds", "High end of the median's 95 % confidence interval."},
    {"samples", "Number of samples."},
    {"errors", "Number of wrong elements that the validation found."},
};

SONDE_INLINE std::string openmetrics_value(std::string_view text) {
    std::string value = "\"";
    for (char const c : plain_text(text)) {
        if (c == '"' || c == '\\') value += '\\';
        value += c;
    }
    return value + '"';
}

SONDE_INLINE std::string openmetrics_name(std::string_view text) {
    auto const is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
    std::string name{text};
    for (char& c : name)
        if (!is_letter(c) && !(c >= '0' && c <= '9')) c = '_';
    return name.empty() || !is_letter(name.front()) ? 'p' + name : name;
}

SONDE_INLINE std::string short_library_name(std::string_view version_text) {
    auto const line = version_text.substr(0, version_text.find_first_of(",\n"));
    std::string name;
    for (char const c : plain_text(line))
        if (c != ' ' || (!name.empty() && name.back() != ' ')) name += c;
    while (name.ends_with(' ')) name.pop_back();
    return name;
}

/// Labels of a record, in braces. A parameter with the name of a label before it gets underscores.
SONDE_INLINE std::string openmetrics_labels(record const& r, std::string const& library) {
    std::vector<std::pair<std::string, std::string>> labels{{"test", r.point.name}, {"ranks", std::to_string(r.ranks)}};
    if (!library.empty()) labels.emplace_back("library", library);
    auto const is_used = [&](std::string const& name) {
        for (auto const& label : labels)
            if (label.first == name) return true;
        return false;
    };
    for (auto const& p : r.point.parameters) {
        auto name = openmetrics_name(p.name);
        while (is_used(name)) name += '_';
        labels.emplace_back(std::move(name), p.text);
    }
    auto const text = [](auto const& label) { return label.first + '=' + openmetrics_value(label.second); };
    return '{' + joined(labels, ",", text) + '}';
}

SONDE_INLINE std::string openmetrics_text(std::vector<record> const& records, std::string const& library) {
    std::vector<std::string> labels;
    std::vector<std::vector<column_field>> fields;
    std::map<std::string_view, std::size_t> last; // record with these labels: a series must not be there twice
    for (auto const& r : records) {
        labels.push_back(openmetrics_labels(r, library));
        fields.push_back(fields_of(r));
    }
    for (std::size_t i = 0; i != records.size(); ++i) last[labels[i]] = i;
    std::string text;
    for (auto const& [column, help] : openmetrics_gauges) {
        auto const name = std::string{"sonde_"} + column;
        text += "# TYPE " + name + " gauge\n" + (name.ends_with("_seconds") ? "# UNIT " + name + " seconds\n" : "") +
                "# HELP " + name + ' ' + help + '\n';
        for (std::size_t i = 0; i != records.size(); ++i)
            for (auto const& field : fields[i])
                if (last[labels[i]] == i && std::string_view{field.name} == column && field.number &&
                    is_finite(*field.number))
                    text += name + labels[i] + ' ' + shortest(*field.number) + '\n';
    }
    return text + "# EOF\n";
}

/// True for a device or a pipe, which cannot be replaced by renaming.
SONDE_INLINE bool is_device(std::string const& path) {
    std::error_code absent;
    return std::filesystem::exists(path, absent) && !std::filesystem::is_regular_file(path, absent);
}

/// The file beside `path` that is written first. The collector does not read it: its name does not end in ".prom".
SONDE_INLINE std::string part_of(std::string const& path) { return path + ".part"; }

SONDE_INLINE void replace_file(std::string const& path, std::string_view text) {
    if (is_device(path)) return output_file{path}.write(text);
    auto const part = part_of(path);
    try {
        output_file{part}.write(text);
        std::filesystem::rename(part, path);
    } catch (std::system_error const&) {
        std::remove(part.c_str());
        throw;
    }
}

} // namespace sonde::detail

namespace sonde::inline v0_1 {

SONDE_INLINE openmetrics::openmetrics(std::string path, std::optional<environment> const& where) {
    auto const part = detail::is_device(path) ? path : detail::part_of(path);
    require_writable(part);
    if (part != path) std::remove(part.c_str());
    auto library = where ? detail::short_library_name(where->communication_library) : std::string{};
    kept_ = std::make_shared<detail::kept_records>(
        [path = std::move(path), library = std::move(library)](std::vector<record> const& all) {
            detail::replace_file(path, detail::openmetrics_text(all, library));
        });
}

} // namespace sonde

#endif
