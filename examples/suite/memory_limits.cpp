// SPDX-License-Identifier: BSL-1.0
#include "suite/memory_limits.hpp"

#include "suite/values.hpp"

#include <sonde/detail/kernel_files.hpp>
#include <sonde/report/text.hpp>

#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <map>

namespace suite {

namespace {

std::string text_in(std::string const& path) {
    std::ifstream file{path};
    return {std::istreambuf_iterator<char>{file}, {}};
}

/// Number of a file: control groups with equal paths in the namespaces of two containers differ in it.
std::string file_number(std::string const& path) {
    struct stat found {};
    return stat(path.c_str(), &found) == 0 ? std::to_string(found.st_ino) : "";
}

/// Bytes of the n-th number of /proc/self/statm, which counts pages.
double used_bytes(std::size_t n) {
    auto const numbers = split(text_in("/proc/self/statm"), ' ');
    auto const pages = n < numbers.size() ? number<double>(numbers[n], 0, 1e18) : std::nullopt;
    return pages.value_or(0) * static_cast<double>(sysconf(_SC_PAGESIZE));
}

void add_process_limit(std::vector<memory_limit>& into, int resource, double used, char const* option) {
    rlimit limit{};
    if (getrlimit(static_cast<decltype(RLIMIT_AS)>(resource), &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return;
    into.push_back(process_limit(static_cast<double>(limit.rlim_cur), used, option));
}

} // namespace

std::vector<memory_limit> cgroup_limits(std::string const& root) {
    std::vector<memory_limit> all;
    for (auto const& file : sonde::detail::limit_files(text_in(root + "/proc/self/cgroup")))
        if (auto const bytes = sonde::detail::limit_in_text(text_in(root + '/' + file)))
            all.push_back(
                {static_cast<double>(*bytes), file + ' ' + file_number(root + '/' + file), '/' + file + " allows"});
    return all;
}

memory_limit process_limit(double bytes, double used, std::string const& option) {
    return {std::max(0.0, bytes - used), "", option + " leaves it"};
}

std::vector<memory_limit> memory_limits() {
    auto const page = static_cast<double>(sysconf(_SC_PAGESIZE));
    std::vector<memory_limit> all{{static_cast<double>(sysconf(_SC_PHYS_PAGES)) * page, "host", "it has"}};
    for (auto& limit : cgroup_limits("")) all.push_back(std::move(limit));
    add_process_limit(all, RLIMIT_AS, used_bytes(0), "ulimit -v");
    add_process_limit(all, RLIMIT_DATA, used_bytes(5), "ulimit -d");
    return all;
}

std::optional<memory_limit> shared_memory_limit() {
    struct statvfs found {};
    if (statvfs("/dev/shm", &found) != 0) return std::nullopt;
    return memory_limit{static_cast<double>(found.f_bavail) * static_cast<double>(found.f_frsize), "/dev/shm",
                        "/dev/shm has"};
}

bool is_in_shared_files(std::string_view maps, void const* address) {
    auto const at = reinterpret_cast<std::uintptr_t>(address);
    for (auto const& line : split(maps, '\n')) { // FROM-TO RIGHTS OFFSET DEVICE NUMBER PATH
        std::uintptr_t from = 0, to = 0;
        auto const end = line.data() + line.size();
        auto const middle = std::from_chars(line.data(), end, from, 16).ptr;
        if (middle == end || *middle != '-') continue;
        std::from_chars(middle + 1, end, to, 16);
        if (from <= at && at < to) return line.find(" /dev/shm/") != line.npos;
    }
    return false;
}

bool is_in_shared_files(void const* address) { return is_in_shared_files(text_in("/proc/self/maps"), address); }

std::string text_of(memory_need const& need) {
    auto const digits = [](double bytes) { return sonde::detail::fixed(bytes, 0); };
    auto text = digits(need.bytes);
    for (auto limit : need.limits) {
        for (auto* part : {&limit.scope, &limit.phrase}) std::replace(part->begin(), part->end(), '\t', ' ');
        text += '\t' + digits(limit.bytes) + '\t' + limit.scope + '\t' + limit.phrase;
    }
    return text;
}

memory_need need_of(std::string const& text) {
    auto const bytes = [](std::string const& digits) { return number<double>(digits, 0, 1e300).value_or(0); };
    auto const parts = split(text, '\t');
    memory_need need{bytes(parts[0])};
    for (std::size_t i = 1; i + 2 < parts.size(); i += 3)
        need.limits.push_back({bytes(parts[i]), parts[i + 1], parts[i + 2]});
    return need;
}

namespace {

/// Bytes that the processes with this limit need, and their number.
struct common_need {
    double bytes = 0;
    std::size_t ranks = 0;
};

/// Need of all processes, by the scope of a limit.
std::map<std::string, common_need> needs_by_scope(std::vector<memory_need> const& ranks) {
    std::map<std::string, common_need> all;
    for (auto const& rank : ranks)
        for (auto const& limit : rank.limits) {
            auto& found = all[limit.scope];
            found.bytes += rank.bytes;
            ++found.ranks;
        }
    return all;
}

std::string text_of(common_need const& need, memory_limit const& limit) {
    auto const megabytes = [](double b) { return sonde::detail::fixed(1e-6 * b, 0); };
    auto const who = limit.scope.empty() ? "a rank needs " : std::to_string(need.ranks) + " ranks of a host need ";
    return who + megabytes(need.bytes) + " MB, " + limit.phrase + ' ' + megabytes(limit.bytes);
}

} // namespace

std::string shortage(std::vector<memory_need> const& ranks) {
    auto const of_scope = needs_by_scope(ranks);
    std::string worst;
    auto factor = 1.0;
    for (auto const& rank : ranks)
        for (auto const& limit : rank.limits) {
            auto const need = limit.scope.empty() ? common_need{rank.bytes, 1} : of_scope.at(limit.scope);
            auto const excess = need.bytes / std::max(1.0, limit.bytes);
            if (excess <= factor) continue;
            factor = excess;
            worst = text_of(need, limit);
        }
    return worst;
}

} // namespace suite
