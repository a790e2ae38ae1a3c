// SPDX-License-Identifier: BSL-1.0
#include "tools/replay/hang/page_folder.hpp"

#include "suite/values.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>

namespace tools::replay {

namespace {

/// "sonde-JOB-3"
std::optional<page_file> named_page(std::string_view name) {
    constexpr std::string_view prefix = "sonde-";
    auto const dash = name.rfind('-');
    if (name.starts_with("sonde-monitor-")) return std::nullopt; // a page of a monitor, which locks in another way
    if (!name.starts_with(prefix) || dash <= prefix.size() || dash == name.npos) return std::nullopt;
    auto const rank = suite::number<int>(name.substr(dash + 1), 0, 1 << 30);
    if (!rank) return std::nullopt;
    return page_file{
        .path = {}, .job = std::string{name.substr(prefix.size(), dash - prefix.size())}, .rank = *rank, .process = 0};
}

/// The process that holds a lock, as this process's namespace numbers it. -1 if it is of another namespace.
std::optional<pid_t> holder_of(std::string const& path) {
    auto const file = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    if (file < 0) return std::nullopt;
    struct stat about {};
    struct flock lock {};
    lock.l_type = F_WRLCK;
    lock.l_whence = SEEK_SET;
    auto const is_own = fstat(file, &about) == 0 && S_ISREG(about.st_mode) && about.st_uid == geteuid();
    auto const is_known = is_own && fcntl(file, F_GETLK, &lock) == 0;
    close(file);
    if (!is_known) return std::nullopt;
    return lock.l_type == F_UNLCK ? 0 : lock.l_pid > 0 ? lock.l_pid : -1;
}

} // namespace

std::vector<page_file> page_files(std::string const& folder) {
    std::vector<page_file> found;
    std::unique_ptr<DIR, int (*)(DIR*)> const entries{opendir(folder.c_str()), closedir};
    if (!entries) return found;
    while (auto const* const entry = readdir(entries.get())) {
        auto page = named_page(entry->d_name);
        if (!page) continue;
        page->path = folder + '/' + entry->d_name;
        auto const holder = holder_of(page->path);
        if (!holder) continue;
        page->process = *holder;
        found.push_back(*page);
    }
    std::sort(found.begin(), found.end(),
              [](auto const& a, auto const& b) { return std::tie(a.job, a.rank) < std::tie(b.job, b.rank); });
    return found;
}

std::vector<page_file> pages_of_running_jobs(std::vector<page_file> const& all) {
    std::set<std::string> running;
    for (auto const& page : all)
        if (page.process != 0) running.insert(page.job);
    std::vector<page_file> found;
    for (auto const& page : all)
        if (running.count(page.job) != 0) found.push_back(page);
    return found;
}

void remove_old_pages(std::string const& folder) {
    auto const all = page_files(folder);
    std::set<std::string> running;
    for (auto const& page : pages_of_running_jobs(all)) running.insert(page.job);
    for (auto const& page : all)
        if (running.count(page.job) == 0) unlink(page.path.c_str());
}

} // namespace tools::replay
