// SPDX-License-Identifier: BSL-1.0
#include "option_files.hpp"

#include "../common/numbers.hpp"
#include "../common/refusal.hpp"

#include <cerrno>
#include <cstdint>
#include <fstream>
#include <functional>
#include <system_error>

namespace imb {

namespace {

std::string trimmed(std::string const& line) {
    constexpr auto blanks = " \t\r\v\f";
    auto const from = line.find_first_not_of(blanks);
    return from == line.npos ? "" : line.substr(from, line.find_last_not_of(blanks) + 1 - from);
}

/// Lines that say something, without blanks around, each with its number from 1.
void for_lines(std::string const& path, char const* option, std::function<void(std::string const&, int)> const& f) {
    errno = 0;
    std::ifstream file{path};
    std::string line;
    for (auto number = 1; std::getline(file, line); ++number)
        if (auto const text = trimmed(line); !text.empty() && line.front() != '#') f(text, number);
    if (file.eof() && !file.bad()) return;
    throw common::refusal{"Cannot read the file of " + std::string{option} + " " + path + ": " +
                          std::generic_category().message(errno)};
}

/// The bits that a suffix shifts a number by.
int shift_of(char suffix) {
    if (suffix == 'k' || suffix == 'K') return 10;
    if (suffix == 'm' || suffix == 'M') return 20;
    return suffix == 'g' || suffix == 'G' ? 30 : 0;
}

} // namespace

std::optional<std::size_t> size_of(std::string text) {
    auto const shift = text.empty() ? 0 : shift_of(text.back());
    if (shift != 0) text.pop_back();
    auto const found = common::number<std::size_t>(text, 0, std::size_t{PTRDIFF_MAX} >> shift);
    return found ? std::optional{*found << shift} : std::nullopt;
}

std::vector<std::size_t> sizes_in(std::string const& path) {
    std::vector<std::size_t> all;
    for_lines(path, "-msglen", [&](std::string const& line, int number) {
        auto const size = size_of(line);
        if (!size)
            throw common::refusal{"Invalid size in line " + std::to_string(number) + " of -msglen " + path + ": " +
                                  line + "; accepted: a whole number of bytes, also with k, m or g"};
        all.push_back(*size);
    });
    if (all.empty()) throw common::refusal{"No size in the file of -msglen " + path + "; accepted: one a line"};
    return all;
}

std::vector<std::string> names_in(std::string const& path) {
    std::vector<std::string> all;
    for_lines(path, "-input",
              [&](std::string const& line, int) { all.push_back(line.substr(0, line.find_first_of(" \t"))); });
    return all;
}

} // namespace imb
