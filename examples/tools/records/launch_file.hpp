// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/measure/environment.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace tools {

/// Command whose program writes its records to `file`: every `{json}` is replaced by its path; a command without
/// `{json}` gets `--report json=FILE` appended.
std::vector<std::string> with_report(std::vector<std::string> words, std::string const& file);

/// Throws std::runtime_error if a file has contents that are not JSON lines of Sonde: a log is no file for records.
void require_json_lines(std::string const& path);

/// Number of launches of `sonde-launch` in a file; 0 if there is no file, and for a device.
std::size_t launches_in(std::string const& path);

/// Largest number of a launch in a file, which counts starts: launches without a record are not in it; 0 as above.
std::size_t last_launch_in(std::string const& path);

/// Append a launch to the file `to`: a line of its own, then the lines that the program wrote to `from`, each record
/// with the launch's number. Without a record nothing is appended. Returns the number of records. Throws if `from` is
/// not JSON lines, or `to` cannot be written.
std::size_t collect(sonde::launch const& launch, std::string const& from, std::string const& to);

/// Throws std::system_error if the file cannot be written, so that the error is found before the launches. Leaves no
/// empty file.
void require_writable(std::string const& path);

/// Folder for temporary files, OUT.XXXXXX with other letters for each process, which the destructor removes. It is
/// beside the result: a job on other hosts sees that folder, and may not see /tmp. Throws std::system_error if it
/// cannot be made.
class temporary_folder {
public:
    explicit temporary_folder(std::string const& out);
    temporary_folder(temporary_folder const&) = delete;
    ~temporary_folder();
    /// Absolute path of a file in it.
    std::string path(std::string const& name) const { return path_ + '/' + name; }

private:
    std::string path_;
};

} // namespace tools
