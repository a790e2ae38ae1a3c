// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <string>
#include <vector>

#include <sys/types.h>

namespace tools::replay {

/// A file of a folder of pages. A rank that runs holds a lock on its page, which the system takes from a process that
/// ends in any way.
struct page_file {
    std::string path;
    std::string job;
    int rank = 0;
    pid_t process = 0; // that holds the lock; 0: it has ended
};

/// The pages of this user in a folder, in the order of jobs and ranks. Of a folder that cannot be read: none.
std::vector<page_file> page_files(std::string const& folder);

/// The pages of jobs of which a rank runs.
std::vector<page_file> pages_of_running_jobs(std::vector<page_file> const& all);

/// Remove the pages of jobs of which no rank runs.
void remove_old_pages(std::string const& folder);

} // namespace tools::replay
