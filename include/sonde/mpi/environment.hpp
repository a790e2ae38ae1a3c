// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/environment.hpp>
#include <sonde/mpi/error.hpp>
#include <sonde/mpi/group.hpp>

#include <mpi.h>
#ifdef __linux__
#include <sched.h>
#endif

#include <cstddef>
#include <cstring>
#include <string>
#include <vector>

namespace sonde::mpi {

namespace detail {

inline std::string library_version() {
    char text[MPI_MAX_LIBRARY_VERSION_STRING];
    int length = 0;
    check(MPI_Get_library_version(text, &length), "MPI_Get_library_version");
    std::string const version{text};
    return version.substr(0, version.find('\n'));
}

inline std::string host_name() {
    char text[MPI_MAX_PROCESSOR_NAME];
    int length = 0;
    check(MPI_Get_processor_name(text, &length), "MPI_Get_processor_name");
    return {text, static_cast<std::size_t>(length)};
}

/// "0-3,8" for processors 0, 1, 2, 3 and 8.
inline std::string as_list(std::vector<bool> const& set) {
    std::string list;
    for (std::size_t i = 0; i != set.size(); ++i) {
        if (!set[i]) continue;
        auto last = i;
        while (last + 1 != set.size() && set[last + 1]) ++last;
        list += (list.empty() ? "" : ",") + std::to_string(i);
        if (last != i) list += "-" + std::to_string(last);
        i = last;
    }
    return list;
}

/// The processors this process may run on; "unknown" where the system does not say.
inline std::string binding() {
#ifdef __linux__
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0) {
        std::vector<bool> allowed(CPU_SETSIZE);
        for (std::size_t i = 0; i != allowed.size(); ++i) allowed[i] = CPU_ISSET(i, &set);
        return as_list(allowed);
    }
#endif
    return "unknown";
}

/// Every rank's text, on every rank, cut at `width` - 1 characters. Collective over the group.
inline std::vector<std::string> gather(group const& ranks, std::string const& mine, std::size_t width = 256) {
    std::vector<char> own(width), all(width * static_cast<std::size_t>(ranks.size()));
    std::memcpy(own.data(), mine.data(), mine.size() < width ? mine.size() : width - 1);
    auto const n = static_cast<int>(width);
    check(MPI_Allgather(own.data(), n, MPI_CHAR, all.data(), n, MPI_CHAR, ranks.comm()), "MPI_Allgather");
    std::vector<std::string> texts;
    for (std::size_t at = 0; at != all.size(); at += width) texts.emplace_back(all.data() + at);
    return texts;
}

inline void count_hosts(std::vector<std::string> const& host_of_rank, environment& into) {
    for (auto const& host : host_of_rank) {
        std::size_t i = 0;
        while (i != into.hosts.size() && into.hosts[i] != host) ++i;
        if (i == into.hosts.size()) {
            into.hosts.push_back(host);
            into.ranks_per_host.push_back(0);
        }
        ++into.ranks_per_host[i];
    }
}

} // namespace detail

/// The environment of a group, equal on all ranks. Collective over the group.
inline environment environment_of(group const& ranks, int argc = 0, char const* const* argv = nullptr) {
    auto e = local_environment(argc, argv);
    e.communication_library = detail::library_version();
    detail::count_hosts(detail::gather(ranks, detail::host_name()), e);
    e.bindings = detail::gather(ranks, detail::binding());
    return e;
}

} // namespace sonde::mpi
