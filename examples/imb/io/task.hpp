// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "imb/driver/setting.hpp"
#include "imb/io/test_file.hpp"

#include <sonde/memory/buffer.hpp>
#include <sonde/mpi/io.hpp>

#include <cstddef>
#include <functional>
#include <memory>

namespace imb::io {

/// Transfers in a check of contents. The second one begins where the first one has left the file pointers.
constexpr std::size_t checked_transfers = 2;

/// Check of `transfer`, which synchronizes what it writes: 1 if the file has other contents than the ranks wrote, else
/// 0. Each rank's bytes have their place; of unordered ranks each piece is there once and whole. An error in reading
/// the file goes to `error`. Collective over the setting's group.
double written_defects(setting& s, test_file const& file, std::function<void()> const& transfer, first_error& error);

/// Check of `transfer`: 1 if it reads other contents than the file has, else 0. The pieces of unordered ranks may come
/// from anywhere, and together are all that is read. Collective over the setting's group.
double read_defects(setting& s, test_file const& file, std::function<void()> const& transfer);

/// An access benchmark of one size. The file is open during its lifetime. Constructor, destructor and functions are
/// collective over the setting's group.
class task {
public:
    task(setting& s, access_kind const& kind);

    /// Measure n transfers, alone and, if the benchmark has overlap, beside work.
    result measure(std::size_t n);
    /// `-check`: 1 if another access does not find the written contents, or if a read returns other contents; else 0.
    double defects();

private:
    sonde::record measure_access(std::size_t n, first_error& error);
    sonde::record measure_overlap(std::size_t n, first_error& error);
    sonde::record measure_work();
    void reopen();
    void rewind(first_error& error) const;
    sonde::mpi::io::file_sync completion() const;
    first_error no_error() const { return first_error{file_->path().string()}; }

    /// An access pattern of Sonde's (mio::blocking, ...). The transfers use one buffer, except for non-blocking reads.
    template <template <class> class Form>
    Form<sonde::opaque_rotating> access_pattern(sonde::mpi::io::file_sync when) const;

    setting& s_;
    access_kind kind_;
    std::shared_ptr<test_file> file_;
    std::unique_ptr<sonde::mpi::io::file> open_file_;
};

} // namespace imb::io
