// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../setting.hpp"
#include "failure_note.hpp"
#include "row.hpp"
#include "workplace.hpp"

#include <sonde/mpi/io.hpp>

#include <memory>
#include <string>

namespace imb::io {

/// A benchmark of one size: its file is open as long as this lives. Building it is collective over the setting's group,
/// and so are all functions and the end.
class task {
public:
    task(setting& s, row const& of);

    /// What n transfers take; beside work, too, where the row says so.
    outcome measure(std::size_t n);
    /// `-check`: 1 where another access does not find what was written, or a read delivers something else.
    double defects();

private:
    sonde::record alone(std::size_t n, failure_note& failed);
    sonde::record both(std::size_t n, failure_note& failed);
    void reopen();
    sonde::record work_alone();
    sonde::mpi::io::file_sync completion() const;
    /// From the first transfer on.
    void rewind(failure_note& failed) const;
    std::string name() const { return place_->path().string(); }

    template <template <class> class Form>
    auto made(sonde::mpi::io::file_sync when) const;

    setting& s_;
    row row_;
    std::shared_ptr<workplace> place_;
    std::unique_ptr<sonde::mpi::io::file> file_;
};

} // namespace imb::io
