// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

// Limits of memory, and who shares them. Without MPI.

namespace suite {

/// A limit of memory. The processes of a host with an equal `scope` share it; "": each process has its own.
struct memory_limit {
    double bytes = 0;
    std::string scope{};  // "host", or the file of a control group and its number
    std::string phrase{}; // of a refusal, before the number: "it has"
};

/// Limits of the control groups, whose files are below `root`: "/", or another folder in tests.
std::vector<memory_limit> cgroup_limits(std::string const& root);

/// Limit of a process's resource (`ulimit`), less the bytes that are used already.
memory_limit process_limit(double bytes, double used, std::string const& option);

/// The limits of memory of this process: main memory, control groups, `ulimit -v` and `ulimit -d`.
std::vector<memory_limit> memory_limits();

/// Free bytes of /dev/shm, where MPI libraries put memory that processes share. None if there is no such file system.
std::optional<memory_limit> shared_memory_limit();

/// True if the address is in a file below /dev/shm, by the text of /proc/self/maps, or of this process.
bool is_in_shared_files(std::string_view maps, void const* address);
bool is_in_shared_files(void const* address);

/// Need of memory of a process, and its limits.
struct memory_need {
    double bytes = 0;
    std::vector<memory_limit> limits{};
};

/// One line, of one tab-separated text a limit, from which `need_of` makes an equal value.
std::string text_of(memory_need const& need);
memory_need need_of(std::string const& text);

/// The limit that the processes of a host exceed by the largest factor: "2 ranks of a host need 25 MB, it has 14". ""
/// if the memory suffices.
std::string shortage(std::vector<memory_need> const& ranks);

} // namespace suite
