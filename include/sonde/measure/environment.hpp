// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/clock.hpp>
#include <sonde/detail/affinity.hpp>
#include <sonde/group.hpp>
#include <sonde/group/agreement.hpp>
#include <sonde/lateness/lateness_record.hpp>
#include <sonde/measure/comparison.hpp>
#include <sonde/measure/record.hpp>
#include <sonde/measure/system.hpp>
#include <sonde/probe/scope_record.hpp>
#include <sonde/version.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sonde::inline v0_1 {

/// Version of the lines of `json_lines`, which docs/records.schema.json describes. A change by which a reader of the
/// version before misreads a line raises it; further optional keys do not.
inline constexpr int schema_version = 1;

/// System, build and job in which records were made: written once per file, before them. Each member is filled
/// explicitly; of the environment variables, only those of `recorded_environment_variables`, `recorded_array_variables`
/// and `recorded_transport_variables` are recorded, because others may hold secrets. With several ranks, only rank 0
/// has the date, the lists of hosts, ranks, bindings and devices, the transport, the system, the job, the stolen time.
struct environment {
    std::optional<int> schema_version = sonde::schema_version; // empty: from a file of a version without it
    std::string date;                                          // of the start, in UTC: "2026-01-31T08:05:00Z"
    std::string sonde_version = SONDE_VERSION;                 // version of the library
    std::string compiler;                                      // name and version
    std::string build;                        // "optimized" or "not optimized", and whether assertions are on
    std::string command_line;                 // of the program
    std::string communication_library;        // such as the result of MPI_Get_library_version; empty without a library
    std::vector<parameter> control_variables; // of the library, on rank 0: eager limits, algorithms; empty without any
    std::vector<parameter> transport;         // settings that select the library's networks; empty if none is set
    std::vector<std::string> hosts;           // without duplicates, in the order of their first ranks
    std::vector<int> ranks_per_host;          // number of ranks, for each of hosts
    std::vector<int> host_of_rank;            // index in hosts, for each rank
    std::vector<std::string> bindings;        // list of allowed processors, for each rank: "0-3,8"
    std::vector<std::string> devices;         // description of the device in use, for each rank; empty without devices
    system_info system;                       // of the host of rank 0
    std::vector<std::string> unlike_hosts;    // hosts whose processors, kernel, GPU driver or memory are not rank 0's
    job_info job;                             // of rank 0
    std::optional<seconds> stolen_before;     // `stolen_time` on the host of rank 0, at the start; not in files
    std::optional<seconds> stolen;            // of a file: `stolen_since` the start, when the last line was written
};

/// One start of a program by `sonde-launch`.
struct launch {
    std::size_t number = 1; // from 1, in the file it was first written to
    std::string command;    // quoted for a shell
    std::string outcome;    // "exit status 0", "signal 9", "time-out"
    seconds wall{};         // duration of the run
};

/// Contents of a result file, for one run of a program.
struct run_file {
    std::optional<sonde::launch> launch;             // if `sonde-launch` started the run
    std::optional<sonde::environment> environment;   // empty for a file without one
    std::vector<record> records;                     // in the order of the file
    std::vector<reported_comparison> comparisons{};  // in the order of the file
    std::vector<std::vector<scope_record>> scopes{}; // a list for each result of `collect` that was reported
    std::vector<lateness_record> lateness{};         // a record for each result of `collect_lateness` that was reported
};

namespace detail {

// These functions depend on macros of the including file, so each file has its own functions, with internal linkage. If
// they were inline, the linker would keep the functions of one file for all files.

static inline std::string compiler_name() {
#if defined(__clang__)
    return "clang " + std::to_string(__clang_major__) + '.' + std::to_string(__clang_minor__) + '.' +
           std::to_string(__clang_patchlevel__);
#elif defined(__GNUC__)
    return "g++ " __VERSION__;
#else
    return "unknown";
#endif
}

static inline std::string build_kind() {
#ifdef __OPTIMIZE__
    std::string const optimized = "optimized";
#else
    std::string const optimized = "not optimized";
#endif
#ifdef NDEBUG
    return optimized + ", assertions off";
#else
    return optimized + ", assertions on";
#endif
}

/// "0-3,8" for processors 0, 1, 2, 3 and 8.
std::string processor_list(std::vector<bool> const& set);

/// List of processors to which this process is bound; "unknown" if the system does not report it.
std::string binding();

/// Quotes a word for a shell: in single quotes unless it has no special characters.
std::string shell_word(std::string const& word);

/// Sets the hosts of an environment and the ranks on each host. Each host is listed once, in the order of the hosts'
/// first ranks.
void set_hosts(environment& e, std::vector<std::string> const& name_of_rank);

/// Sets the hosts that are unlike the host of rank 0, after `set_hosts`.
void set_unlike_hosts(environment& e, std::vector<host_kind> const& kind_of_rank);

/// Sets what rank 0 alone describes: the date, the transport, the system, the job and the stolen time.
void set_system(environment& e);

/// "mlx5_0/1 (InfiniBand, 200 Gbit/s)"
std::string text_of_port(network_port const& port);

} // namespace detail

/// Command line whose words are quoted, so that a shell reads the same words.
[[nodiscard]] std::string command_line(int argc, char const* const* argv);

/// The environment of a group, equal on all ranks except for the members that only rank 0 has: lists with an element
/// for each rank or host, so that no other rank needs memory for them, and date, transport, system, job and stolen
/// time, which are read there only. Compiler, build and command line are rank 0's, since ranks may run different
/// programs. Compiler and build describe the file that calls this function. Collective over the group.
template <Group G>
[[nodiscard]] static inline environment environment_of(G& group, int argc = 0, char const* const* argv = nullptr) {
    auto e = sonde::collectively(group, [&] {
        environment mine;
        mine.communication_library = detail::group_hook::library(group);
        mine.command_line = sonde::command_line(argc, argv);
        mine.hosts = {detail::host_name_of(group)};
        mine.bindings = {detail::binding()};
        return mine;
    });
    e.compiler = detail::compiler_name();
    e.build = detail::build_kind();
    for (auto* text : {&e.compiler, &e.build, &e.command_line}) sonde::broadcast(group, *text);
    detail::set_hosts(e, sonde::gather(group, e.hosts.front()).value_or(std::vector<std::string>{}));
    e.bindings = sonde::gather(group, e.bindings.front()).value_or(std::vector<std::string>{});
    if (auto const kinds = sonde::gather(group, detail::kind_of_host())) {
        detail::set_unlike_hosts(e, *kinds);
        detail::set_system(e);
    }
    return e;
}

/// Environment without a communication library: one rank on this host. Compiler and build describe the file that calls
/// this function.
[[nodiscard]] static inline environment local_environment(int argc = 0, char const* const* argv = nullptr) {
    single_rank alone;
    return sonde::environment_of(alone, argc, argv);
}

} // namespace sonde

#if SONDE_DEFINITIONS
#include <algorithm>

namespace sonde::inline v0_1::detail {

SONDE_INLINE std::string processor_list(std::vector<bool> const& set) {
    std::string list;
    for (std::size_t i = 0; i != set.size(); ++i) {
        if (!set[i]) continue;
        auto last = i;
        while (last + 1 != set.size() && set[last + 1]) ++last;
        if (!list.empty()) list += ',';
        list += std::to_string(i);
        if (last != i) list.append("-").append(std::to_string(last));
        i = last;
    }
    return list;
}

SONDE_INLINE std::string binding() {
    auto const allowed = allowed_processors();
    std::vector<bool> set(64 * allowed.size());
    for (std::size_t i = 0; i != set.size(); ++i) set[i] = (allowed[i / 64] >> i % 64 & 1) != 0;
    return set.empty() ? "unknown" : processor_list(set);
}

SONDE_INLINE std::string shell_word(std::string const& word) {
    constexpr char const* plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@%+=:,./-";
    if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) return word;
    std::string quoted = "'";
    for (char const c : word) quoted += c == '\'' ? std::string{"'\\''"} : std::string{c};
    return quoted + '\'';
}

SONDE_INLINE std::string text_of_port(network_port const& port) {
    auto const& rate = port.gigabits_per_second;
    return port.name + " (" + port.kind + (rate ? ", " + text_of(*rate) + " Gbit/s)" : ")");
}

SONDE_INLINE void set_system(environment& e) {
    e.date = utc_date();
    e.transport = transport_of_process();
    e.system = system_of_host();
    e.job = job_of_process();
    e.stolen_before = stolen_time();
}

SONDE_INLINE void set_hosts(environment& e, std::vector<std::string> const& name_of_rank) {
    e.hosts.clear();
    e.ranks_per_host.clear();
    e.host_of_rank.clear();
    std::vector<std::size_t> by_name; // indices of the hosts
    for (auto const& name : name_of_rank) {
        auto at = std::lower_bound(by_name.begin(), by_name.end(), name,
                                   [&](std::size_t host, std::string const& wanted) { return e.hosts[host] < wanted; });
        if (at == by_name.end() || e.hosts[*at] != name) {
            at = by_name.insert(at, e.hosts.size());
            e.hosts.push_back(name);
            e.ranks_per_host.push_back(0);
        }
        ++e.ranks_per_host[*at];
        e.host_of_rank.push_back(static_cast<int>(*at));
    }
}

SONDE_INLINE void set_unlike_hosts(environment& e, std::vector<host_kind> const& kind_of_rank) {
    std::vector<bool> is_known(e.hosts.size());
    for (std::size_t rank = 0; rank != kind_of_rank.size(); ++rank) {
        auto const host = static_cast<std::size_t>(e.host_of_rank[rank]);
        if (is_known[host]) continue;
        is_known[host] = true;
        if (is_unlike(kind_of_rank[rank], kind_of_rank[0])) e.unlike_hosts.push_back(e.hosts[host]);
    }
}

} // namespace sonde::detail

namespace sonde::inline v0_1 {

SONDE_INLINE std::string command_line(int argc, char const* const* argv) {
    std::string line;
    for (int i = 0; i != argc; ++i) line.append(i == 0 ? "" : " ").append(detail::shell_word(argv[i]));
    return line;
}

} // namespace sonde

#endif
