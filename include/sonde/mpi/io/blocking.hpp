// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/mpi/io/series.hpp>

#include <utility>

namespace sonde::mpi::io {

/// One access an iteration, by the call that returns when the memory may be used again: MPI_File_write, _read_at_all,
/// _write_shared ... Collective over the file's group where the access is, and where writes are assured.
///
///     io::blocking{file, {io::way::write, io::pointer::explicit_offset}, buffer, {.step = 4096}, io::assured::at_end}
///
/// The pointers of the file go on from iteration to iteration, as `offsets` do. Writes that are assured at the end are
/// so in `complete()`, once for all iterations of a batch. Throws mpi::error, and short_transfer.
template <Buffer B>
class blocking : public detail::series<B> {
public:
    blocking(file const&& temporary, access, B, offsets = {}, assured = assured::never) = delete;
    blocking(file const& on, access how, B buffer, offsets places = {}, assured when = assured::never)
        : detail::series<B>{on, how, std::move(buffer), places, when} {}

    void operator()() {
        MPI_Status status;
        auto const code = this->calls().blocking(this->next(), &status);
        this->assure_each(); // whatever the code: the other ranks are there
        this->check_moved(code, status, this->calls().name);
    }
};

} // namespace sonde::mpi::io
