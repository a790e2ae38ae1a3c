// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "imb/driver/setting.hpp"
#include "imb/io/access.hpp"
#include "imb/io/test_file.hpp"

#include <sonde/measure/record.hpp>
#include <sonde/memory/buffer.hpp>
#include <sonde/mpi/io.hpp>

#include <cstddef>
#include <memory>

namespace imb::io {

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
