// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <sys/types.h>

namespace tools::replay {

/// A file that is mapped into a process.
struct mapped_file {
    std::uint64_t begin = 0, end = 0;
    std::uint64_t base = 0; // of the whole file
    std::string path{};
};

/// The files in a text of /proc/PID/maps.
std::vector<mapped_file> mapped_files(std::string const& maps);

/// Names of return addresses in processes of this node: "solver.cpp:88" by addr2line(1), if it is installed and the
/// program has debug information, else "solver+0x2b59", as a trace has it.
class source_lines {
public:
    /// Call for all addresses, then `look_up` once.
    void add(pid_t process, std::uint64_t return_address);
    void look_up();
    /// Empty for an address in no file.
    std::string text(pid_t process, std::uint64_t return_address) const;

private:
    struct place {
        std::string path{};
        std::uint64_t offset = 0; // of the call in the file

        friend auto operator<=>(place const&, place const&) = default;
    };

    place place_of(pid_t process, std::uint64_t return_address) const;

    std::map<pid_t, std::vector<mapped_file>> files_;
    std::map<std::string, std::set<std::uint64_t>> wanted_; // offsets by file
    std::map<place, std::string> lines_;
};

} // namespace tools::replay
