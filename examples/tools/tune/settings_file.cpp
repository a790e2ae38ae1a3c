// SPDX-License-Identifier: BSL-1.0
#include "tools/tune/settings_file.hpp"

#include "tools/tune/rules_file.hpp"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <utility>

namespace tools::tune {

namespace {

std::string trimmed(std::string_view text) {
    auto const first = text.find_first_not_of(" \t\r");
    if (first == text.npos) return {};
    return std::string{text.substr(first, text.find_last_not_of(" \t\r") - first + 1)};
}

/// Text of a shell's word in quotes, or as it is.
std::string unquoted(std::string text) {
    auto const is_quoted =
        text.size() > 1 && (text.front() == '\'' || text.front() == '"') && text.back() == text.front();
    return is_quoted ? text.substr(1, text.size() - 2) : text;
}

bool is_name(std::string_view text) {
    auto const is_part = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
    return !text.empty() && std::isdigit(static_cast<unsigned char>(text.front())) == 0 &&
           std::all_of(text.begin(), text.end(), is_part);
}

constexpr std::string_view mca_prefix = "OMPI_MCA_";

/// A line of a file, in one of the forms.
struct settings_line {
    setting value;
    settings_form form;
};

bool is_environment_name(std::string_view name) {
    return std::any_of(name.begin(), name.end(), [](char c) { return std::isupper(static_cast<unsigned char>(c)); });
}

/// A shell takes no blank beside "=". "allreduce.." is the variable of "OMPI_MCA_allreduce..".
std::optional<settings_line> setting_in(std::string line) {
    constexpr std::string_view exported = "export ";
    auto const is_exported = line.starts_with(exported);
    if (is_exported) line = trimmed(std::string_view{line}.substr(exported.size()));
    auto const equal = std::min(line.find('='), line.size());
    auto const name = trimmed(std::string_view{line}.substr(0, equal));
    if (equal == line.size() || !is_name(name)) return std::nullopt;
    auto const value = std::string_view{line}.substr(equal + 1);
    if (!is_exported && !is_environment_name(name))
        return settings_line{{name, unquoted(trimmed(value))}, settings_form::parameters};
    if (name.size() != equal || trimmed(value) != value) return std::nullopt;
    auto const is_mca = name.starts_with(mca_prefix);
    return settings_line{{is_mca ? name.substr(mca_prefix.size()) : name, unquoted(std::string{value})},
                         settings_form::shell};
}

std::string text_of(std::string const& path) {
    std::ifstream file{path};
    if (!file) throw std::system_error{errno, std::generic_category(), "cannot read '" + path + "'"};
    return {std::istreambuf_iterator<char>{file}, {}};
}

/// The lines of a text without comments and blanks around them, and their numbers. Empty ones are left out.
std::vector<std::pair<std::size_t, std::string>> lines_of(std::string const& text) {
    std::vector<std::pair<std::size_t, std::string>> lines;
    std::istringstream in{text};
    std::size_t number = 0;
    for (std::string line; std::getline(in, line);) {
        ++number;
        line = trimmed(std::string_view{line}.substr(0, line.find('#')));
        if (!line.empty()) lines.emplace_back(number, line);
    }
    return lines;
}

bool begins_with_a_digit(std::string const& text) {
    return std::isdigit(static_cast<unsigned char>(text.front())) != 0;
}

/// Reader of dynamic rules that goes as far as Open MPI's: a number is what strtol takes, in any place of a line; other
/// characters are skipped.
class rules_reader {
public:
    explicit rules_reader(std::string const& path) : path_{path}, text_{text_of(path)} {}

    void read() {
        constexpr long collectives = 22; // COLLCOUNT of coll_base_functions.h
        auto const n = number("the number of collectives", collectives);
        for (long i = 0; i != n; ++i) {
            (void)number("the number of collective " + of(i, n), collectives - 1);
            auto const sizes = number("the number of communicator sizes");
            for (long size = 0; size != sizes; ++size) {
                (void)number("communicator size " + of(size, sizes));
                read_messages(number("the number of message sizes"));
            }
        }
        if (auto const more = next())
            fail("does not read " + std::to_string(*more) + " and what follows: a count is too small");
    }

private:
    static std::string of(long i, long n) { return std::to_string(i + 1) + " of " + std::to_string(n); }

    void read_messages(long n) {
        for (long i = 0; i != n; ++i) {
            auto const rule = "message size " + of(i, n);
            auto const bytes = number(rule);
            if (i == 0 && bytes != 0)
                fail("ignores the file without a word: the first message size is " + std::to_string(bytes) + ", not 0");
            for (auto const* const part : {"the algorithm", "the fan-out", "the segment size"})
                (void)number(part + (" of " + rule));
        }
    }

    long number(std::string const& what, long most = std::numeric_limits<long>::max()) {
        auto const read = next();
        if (!read) fail("ignores the file without a word: it ends before " + what);
        if (*read < 0 || *read > most)
            fail("ignores the file without a word: " + what + " is " + std::to_string(*read));
        return *read;
    }

    std::optional<long> next() {
        for (; at_ < text_.size(); ++at_) {
            char* end = nullptr;
            auto const* const from = text_.c_str() + at_;
            auto const is_blank = std::isspace(static_cast<unsigned char>(*from)) != 0;
            auto const read = is_blank ? 0 : std::strtol(from, &end, 0);
            if (!is_blank && end != from) {
                at_ += static_cast<std::size_t>(end - from);
                return read;
            }
            if (*from == '#') at_ = std::min(text_.find('\n', at_), text_.size());
        }
        return std::nullopt;
    }

    [[noreturn]] void fail(std::string const& what) const {
        auto const end = text_.begin() + static_cast<std::ptrdiff_t>(std::min(at_, text_.size()));
        auto const line =
            1 + std::count(text_.begin(), end, '\n') - (at_ >= text_.size() && text_.ends_with('\n') ? 1 : 0);
        throw std::runtime_error{path_ + ':' + std::to_string(line) + ": Open MPI " + what};
    }

    std::string path_, text_;
    std::size_t at_ = 0;
};

/// False for a variable of another library than MPI, whose value nobody knows.
bool is_control_variable(std::string const& name) {
    return !is_environment_name(name) || name.starts_with("MPIR_CVAR_") || name.starts_with("I_MPI_");
}

} // namespace

void require_applied_rules(std::string const& path) { rules_reader{path}.read(); }

environment_words words_for_parameters(std::string const& path) {
    auto const name = "OMPI_MCA_mca_base_envar_file_prefix";
    auto const* const present = std::getenv(name);
    auto const others = present == nullptr || *present == '\0' ? std::string{} : ',' + std::string{present};
    return {name + ('=' + std::filesystem::absolute(path).string()) + others};
}

environment_words settings_file::environment() const {
    return form == settings_form::parameters ? words_for_parameters(path) : environment_of(settings);
}

std::vector<std::string> variables_before_file(std::vector<setting> const& settings) {
    std::vector<std::string> names;
    for (auto const& s : settings)
        if (auto name = environment_name(s.variable); std::getenv(name.c_str()) != nullptr)
            names.push_back(std::move(name));
    return names;
}

settings_file read_settings_file(std::string const& path) {
    auto const lines = lines_of(text_of(path));
    if (lines.empty()) throw std::runtime_error{path + ": has no setting"};
    if (begins_with_a_digit(lines.front().second)) {
        require_applied_rules(path);
        return {path, settings_form::rules, settings_for_rules(path)};
    }
    settings_file file{path, settings_form::parameters, {}};
    for (auto const& [number, line] : lines) {
        auto const fail = [&, n = number](char const* reason) {
            throw std::runtime_error{path + ':' + std::to_string(n) + reason};
        };
        auto const read = setting_in(line);
        if (!read) fail(": is no setting, NAME = VALUE or NAME=VALUE of a shell, and no rule");
        if (file.settings.empty()) file.form = read->form;
        if (file.form != read->form) fail(": mixes lines for a shell with parameters of Open MPI");
        file.settings.push_back(read->value);
        if (read->value.variable == "coll_tuned_dynamic_rules_filename") require_applied_rules(read->value.value);
    }
    return file;
}

std::vector<std::string> settings_without_effect(settings_file const& file, library_settings const& without,
                                                 library_settings const& with) {
    if (file.form != settings_form::shell && with.library() != mpi_library::open_mpi)
        throw std::runtime_error{file.path + ": is for Open MPI, and the program uses " + with.version};
    std::vector<std::string> lines;
    std::size_t judged = 0, unchanged = 0;
    for (auto const& s : file.settings) {
        if (!is_control_variable(s.variable)) continue;
        ++judged;
        auto const* const now = with.find(s.variable);
        auto const* const before = without.find(s.variable);
        if (now == nullptr) lines.push_back(s.variable + " is no control variable of the library in this program");
        if (now == nullptr && before == nullptr) ++unchanged;
        if (now == nullptr || before == nullptr || now->value != before->value) continue;
        ++unchanged;
        auto const name = environment_name(s.variable);
        auto const is_behind = file.form == settings_form::parameters && std::getenv(name.c_str()) != nullptr;
        lines.push_back(s.variable + " is " + now->value + " without the file, too" +
                        (is_behind ? ": " + name + " of the environment goes before it" : ""));
    }
    if (judged != 0 && judged == file.settings.size() && unchanged == judged)
        throw std::runtime_error{file.path + ": changes nothing: " + lines.front()};
    return lines;
}

} // namespace tools::tune
