// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/version.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// Files by which a kernel describes itself: lines, keys, lists of numbers, folders, and limits of control groups. A
// file that cannot be read is empty.

namespace sonde::inline v0_1::detail {

/// File, word or variable by which something is recognized, and its name.
struct known_sign {
    char const* sign;
    char const* name;
};

/// The first `most` bytes of a file, in whole blocks of 4 KiB; empty if it cannot be read.
std::string file_text(std::string const& path, std::size_t most = 65536);

/// Bytes in the text of a control group's limit. None without a limit, which is "max" or a number near 2^63.
std::optional<std::uint64_t> limit_in_text(std::string_view text);

/// Files with the limits of this process's control group and of all groups around it (versions 1 and 2), from the text
/// of /proc/self/cgroup. A container may see its group at the root of the file system only.
std::vector<std::string> limit_files(std::string_view cgroups);

} // namespace sonde::detail

#if SONDE_DEFINITIONS
#include <cstdio>
#include <dirent.h>
#include <unistd.h>

namespace sonde::inline v0_1::detail {

SONDE_INLINE std::string file_text(std::string const& path, std::size_t most) {
    std::string text;
    auto* const file = std::fopen(path.c_str(), "r");
    if (file == nullptr) return text;
    char part[4096];
    for (auto n = sizeof part; n == sizeof part && text.size() < most;) {
        n = std::fread(part, 1, sizeof part, file);
        text.append(part, n);
    }
    std::fclose(file);
    return text;
}

/// The first line of a file, without blanks at its end.
SONDE_INLINE std::string file_line(std::string const& path) {
    auto line = file_text(path, 4096);
    line.resize(line.find('\n') == line.npos ? line.size() : line.find('\n'));
    while (!line.empty() && line.back() == ' ') line.pop_back();
    return line;
}

/// Removes the first line from a text, and returns it.
SONDE_INLINE std::string_view take_line(std::string_view& text) {
    auto const end = text.find('\n');
    auto const line = text.substr(0, end);
    text.remove_prefix(end == text.npos ? text.size() : end + 1);
    return line;
}

/// The number at the beginning of a text, after blanks. None if there is no digit, or a number of more than 18 digits.
SONDE_INLINE std::optional<std::uint64_t> number_at(std::string_view text) {
    while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
    auto const digits = text.substr(0, text.find_first_not_of("0123456789"));
    if (digits.empty() || digits.size() > 18) return std::nullopt;
    std::uint64_t number = 0;
    for (auto const c : digits) number = 10 * number + static_cast<std::uint64_t>(c - '0');
    return number;
}

/// The value of a line "key : value"; empty if no line has the key.
SONDE_INLINE std::string value_of(std::string_view text, std::string_view key) {
    while (!text.empty()) {
        auto line = take_line(text);
        if (line.substr(0, key.size()) != key) continue;
        line.remove_prefix(key.size());
        auto const colon = line.find_first_not_of(" \t");
        if (colon == line.npos || line[colon] != ':') continue;
        auto const begin = line.find_first_not_of(" \t", colon + 1);
        if (begin != line.npos) return std::string{line.substr(begin)};
    }
    return "";
}

/// Numbers in a list of the kernel: "0-3,8".
SONDE_INLINE std::vector<int> numbers_in_list(std::string_view list) {
    constexpr std::uint64_t most = 1 << 20;
    std::vector<int> all;
    for (std::size_t at = 0; at < list.size();) {
        auto const item = list.substr(at, list.find(',', at) - at);
        auto const dash = item.find('-');
        auto const first = number_at(item), last = dash == item.npos ? first : number_at(item.substr(dash + 1));
        for (auto i = first.value_or(1); first && last && i <= *last && i < most; ++i)
            all.push_back(static_cast<int>(i));
        at += item.size() + 1;
    }
    return all;
}

/// Names in a folder, in ascending order.
SONDE_INLINE std::vector<std::string> names_in(std::string const& folder) {
    std::vector<std::string> names;
    auto* const stream = opendir(folder.c_str());
    if (stream == nullptr) return names;
    while (auto const* const entry = readdir(stream))
        if (entry->d_name[0] != '.') names.emplace_back(entry->d_name);
    closedir(stream);
    for (std::size_t i = 1; i < names.size(); ++i) // insertion: there are a few
        for (auto k = i; k != 0 && names[k] < names[k - 1]; --k) names[k].swap(names[k - 1]);
    return names;
}

SONDE_INLINE bool exists(std::string const& path) { return access(path.c_str(), F_OK) == 0; }

SONDE_INLINE std::optional<std::uint64_t> limit_in_text(std::string_view text) {
    while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.remove_suffix(1);
    auto const is_number = text.find_first_not_of("0123456789") == text.npos;
    return is_number ? number_at(text) : std::nullopt; // 2^63 has 19 digits
}

/// Add the file in a group and in all groups around it, up to the root of the file system.
SONDE_INLINE void add_files(std::vector<std::string>& into, std::string const& mount, std::string path,
                            std::string const& file) {
    if (path.find("/..") != path.npos) path.clear(); // a group outside of this namespace
    while (!path.empty() && path.back() == '/') path.pop_back();
    for (; !path.empty(); path.erase(path.rfind('/'))) into.push_back(mount + path + '/' + file);
    into.push_back(mount + '/' + file);
}

SONDE_INLINE std::vector<std::string> limit_files(std::string_view cgroups) {
    std::vector<std::string> all;
    while (!cgroups.empty()) {
        auto const line = take_line(cgroups); // NUMBER:CONTROLLERS:PATH
        auto const first = line.find(':'), second = line.find(':', first + 1);
        if (first == line.npos || second == line.npos || line.substr(second + 1, 1) != "/") continue;
        auto const controllers = ',' + std::string{line.substr(first + 1, second - first - 1)} + ',';
        std::string const path{line.substr(second + 1)};
        if (controllers == ",,") {
            add_files(all, "sys/fs/cgroup", path, "memory.max");
            add_files(all, "sys/fs/cgroup/unified", path, "memory.max"); // beside version 1
        }
        if (controllers.find(",memory,") != controllers.npos)
            add_files(all, "sys/fs/cgroup/memory", path, "memory.limit_in_bytes");
    }
    return all;
}

} // namespace sonde::detail

#endif
