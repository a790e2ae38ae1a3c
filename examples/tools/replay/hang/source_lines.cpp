// SPDX-License-Identifier: BSL-1.0
#include "tools/replay/hang/source_lines.hpp"

#include "tools/process.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <memory>
#include <optional>
#include <sstream>
#include <system_error>

namespace tools::replay {

std::vector<mapped_file> mapped_files(std::string const& maps) {
    std::vector<mapped_file> found;
    std::map<std::string, std::uint64_t> bases;
    std::istringstream lines{maps};
    for (std::string line; std::getline(lines, line);) {
        mapped_file one;
        unsigned long long begin = 0, end = 0, offset = 0;
        int path = 0;
        auto const read = std::sscanf(line.c_str(), "%llx-%llx %*s %llx %*s %*s %n", &begin, &end, &offset, &path);
        if (read != 3 || path == 0 || line[static_cast<std::size_t>(path)] != '/') continue;
        one.begin = begin;
        one.end = end;
        one.path = line.substr(static_cast<std::size_t>(path));
        one.base = bases.try_emplace(one.path, begin - offset).first->second;
        found.push_back(std::move(one));
    }
    return found;
}

namespace {

std::string name_of(std::string const& path) { return path.substr(path.rfind('/') + 1); }

/// The address of the first byte of a program that is not position-independent is a part of all its addresses.
bool has_fixed_addresses(std::string const& path) {
    std::ifstream file{path, std::ios::binary};
    char head[18] = {}; // of ELF: four letters, and at 16 the type in the order of this machine's bytes
    std::uint16_t type = 0;
    constexpr std::uint16_t executable = 2;
    if (!file.read(head, sizeof head) || std::memcmp(head, "\177ELF", 4) != 0) return false;
    std::memcpy(&type, head + 16, sizeof type);
    return type == executable;
}

std::string hexadecimal(std::uint64_t n) {
    char text[20];
    std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(n));
    return text;
}

/// What a program writes; empty if it cannot be started, or takes longer than ten seconds.
std::string output_of(std::vector<std::string> const& words) {
    std::unique_ptr<std::FILE, int (*)(std::FILE*)> const file{std::tmpfile(), std::fclose};
    if (!file) return {};
    try {
        if (!run_program(words, fileno(file.get()), sonde::seconds{10}).succeeded()) return {};
    } catch (std::system_error const&) {
        return {};
    }
    std::rewind(file.get());
    std::string text;
    char piece[4096];
    while (auto const n = std::fread(piece, 1, sizeof piece, file.get())) text.append(piece, n);
    return text;
}

/// "solver.cpp:88" of "/home/solver.cpp:88 (discriminator 2)"; empty for "??:0" and "solver.cpp:?".
std::string line_in(std::string const& text) {
    auto const line = name_of(text.substr(0, text.find(" (")));
    auto const colon = line.rfind(':');
    auto const is_known = colon != line.npos && colon + 1 != line.size() && line[0] != '?' &&
                          line.find_first_not_of("0123456789", colon + 1) == line.npos && line.substr(colon) != ":0";
    return is_known ? line : std::string{};
}

} // namespace

source_lines::place source_lines::place_of(pid_t process, std::uint64_t return_address) const {
    auto const known = files_.find(process);
    if (known == files_.end()) return {};
    for (auto const& one : known->second)
        if (one.begin <= return_address && return_address < one.end) return {one.path, return_address - one.base - 1};
    return {};
}

void source_lines::add(pid_t process, std::uint64_t return_address) {
    auto const [at, is_new] = files_.try_emplace(process);
    if (is_new) {
        std::ifstream file{"/proc/" + std::to_string(process) + "/maps"};
        at->second = mapped_files(std::string{std::istreambuf_iterator<char>{file}, {}});
    }
    auto const found = place_of(process, return_address);
    if (!found.path.empty()) wanted_[found.path].insert(found.offset);
}

void source_lines::look_up() {
    for (auto const& [path, offsets] : wanted_) {
        std::uint64_t first = 0;
        if (has_fixed_addresses(path))
            for (auto const& [process, files] : files_)
                for (auto const& one : files)
                    if (one.path == path) first = one.base;
        std::vector<std::string> words{"addr2line", "-a", "-e", path};
        for (auto const offset : offsets) words.push_back(hexadecimal(first + offset));
        std::istringstream answer{output_of(words)};
        std::optional<std::uint64_t> address;
        for (std::string line; std::getline(answer, line);) {
            if (line.starts_with("0x")) address = std::strtoull(line.c_str(), nullptr, 16) - first;
            else if (address) lines_[{path, *address}] = line_in(line);
        }
    }
}

std::string source_lines::text(pid_t process, std::uint64_t return_address) const {
    auto const at = place_of(process, return_address);
    if (at.path.empty()) return {};
    auto const known = lines_.find(at);
    if (known != lines_.end() && !known->second.empty()) return known->second;
    return name_of(at.path) + '+' + hexadecimal(at.offset);
}

} // namespace tools::replay
