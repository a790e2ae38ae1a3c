// SPDX-License-Identifier: BSL-1.0
// Limits of memory that the programs compare their needs with.
#include "suite/memory_limits.hpp"

#include <doctest/doctest.h>

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

using namespace suite;

namespace {

constexpr double mega = 1e6;

/// A folder with files that ends with the test.
struct file_tree {
    std::string root = std::filesystem::temp_directory_path() / ("sonde-limits-" + std::to_string(getpid()));
    ~file_tree() { std::filesystem::remove_all(root); }

    void add(std::string const& path, std::string const& text) const {
        std::filesystem::create_directories(std::filesystem::path{root + path}.parent_path());
        std::ofstream{root + path} << text;
    }
};

std::vector<double> bytes_of(std::vector<memory_limit> const& all) {
    std::vector<double> found;
    for (auto const& limit : all) found.push_back(limit.bytes);
    return found;
}

memory_limit host(double megabytes) { return {megabytes * mega, "host", "it has"}; }
memory_limit own(double megabytes) { return process_limit(megabytes * mega, 0, "ulimit -v"); }
memory_limit group(std::string const& name, double megabytes) { return {megabytes * mega, name, name + " allows"}; }

} // namespace

TEST_CASE_FIXTURE(file_tree, "all limits of control groups that are files count, whatever their version") {
    add("/proc/self/cgroup", "4:memory:/job\n0::/a/b\n");
    add("/sys/fs/cgroup/a/b/memory.max", "max\n");
    add("/sys/fs/cgroup/a/memory.max", "3000000\n");
    add("/sys/fs/cgroup/memory/memory.limit_in_bytes", "2000000\n"); // a container's
    auto const found = cgroup_limits(root);
    CHECK(bytes_of(found) == std::vector{2000000.0, 3000000.0});
    CHECK(found.at(1).phrase == "/sys/fs/cgroup/a/memory.max allows");
    CHECK(found.at(0).scope != found.at(1).scope);
}

TEST_CASE_FIXTURE(file_tree, "a host without control groups has no limit of them") {
    CHECK(cgroup_limits(root).empty());
}

TEST_CASE("memory that a process uses already is no longer left") {
    CHECK(process_limit(100, 30, "ulimit -v").bytes == 70);
    CHECK(process_limit(100, 130, "ulimit -v").bytes == 0);
}

TEST_CASE("main memory is shared by the ranks of a host") {
    CHECK(shortage({{5 * mega, {host(14)}}, {9 * mega, {host(14)}}}) == "");
    CHECK(shortage({{5 * mega, {host(14)}}, {20 * mega, {host(14)}}}) == "2 ranks of a host need 25 MB, it has 14");
}

TEST_CASE("the limit of a process is its own") {
    CHECK(shortage({{9 * mega, {own(10)}}, {9 * mega, {own(10)}}}) == "");
    CHECK(shortage({{9 * mega, {own(10)}}, {12 * mega, {own(10)}}}) == "a rank needs 12 MB, ulimit -v leaves it 10");
}

TEST_CASE("a control group's limit is shared by the ranks in it, not by those in another one") {
    memory_need const first{6 * mega, {host(100), group("a", 10)}}, second{6 * mega, {host(100), group("b", 10)}};
    CHECK(shortage({first, second}) == "");
    CHECK(shortage({first, second, second}) == "2 ranks of a host need 12 MB, b allows 10");
}

TEST_CASE("of several limits the one is named that is exceeded by the largest factor") {
    CHECK(shortage({{30 * mega, {host(20), group("a", 10), own(15)}}}) == "1 ranks of a host need 30 MB, a allows 10");
    CHECK(shortage({{30 * mega, {host(20), own(5), group("a", 10)}}}) == "a rank needs 30 MB, ulimit -v leaves it 5");
}

TEST_CASE("needs and limits reach another rank unchanged") {
    memory_need const need{1e30, {{7, "host", "it has"}, {0, "", "ulimit -v leaves it"}, {3, "a\tb", "c"}}};
    auto const found = need_of(text_of(need));
    CHECK(found.bytes == 1e30);
    CHECK(bytes_of(found.limits) == std::vector{7.0, 0.0, 3.0});
    CHECK(found.limits[1].scope.empty());
    CHECK(found.limits[1].phrase == "ulimit -v leaves it");
    CHECK(found.limits[2].scope == "a b"); // a separator in a name is none
    CHECK(need_of(text_of({5, {}})).limits.empty());
}

TEST_CASE("an address is in shared files if its mapping is one below /dev/shm") {
    constexpr auto maps = "1000-2000 rw-s 00000000 00:17 5 /dev/shm/window (deleted)\n"
                          "2000-3000 rw-p 00000000 00:00 0 \n"
                          "3000-4000 rw-s 00000000 08:01 7 /tmp/session/dev/shm\n";
    auto const at = [](std::uintptr_t address) { return reinterpret_cast<void const*>(address); };
    CHECK(is_in_shared_files(maps, at(0x1000)));
    CHECK(is_in_shared_files(maps, at(0x1fff)));
    CHECK(!is_in_shared_files(maps, at(0x2000)));
    CHECK(!is_in_shared_files(maps, at(0x3800)));
    CHECK(!is_in_shared_files(maps, at(0x9000)));
}

TEST_CASE("the limits of this process begin with main memory") {
    auto const found = memory_limits();
    REQUIRE(!found.empty());
    CHECK(found.front().scope == "host");
    CHECK(found.front().bytes > 1e6);
}
