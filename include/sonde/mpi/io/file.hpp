// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/mpi/company.hpp>
#include <sonde/mpi/error.hpp>
#include <sonde/mpi/group.hpp>
#include <sonde/mpi/io/access.hpp>
#include <sonde/mpi/rma/hints.hpp>

#include <mpi.h>

#include <array>
#include <exception>
#include <string>
#include <utility>

namespace sonde::mpi::io {

namespace detail {

/// While it lives, errors of opening a file are returned, and those of the file: both go by the handler of no file,
/// which is the application's.
class [[nodiscard]] returned_errors {
public:
    returned_errors() {
        check(MPI_File_get_errhandler(MPI_FILE_NULL, &before_), "MPI_File_get_errhandler");
        check(MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_RETURN), "MPI_File_set_errhandler");
    }
    returned_errors(returned_errors&&) = delete;
    ~returned_errors() {
        MPI_File_set_errhandler(MPI_FILE_NULL, before_);
        MPI_Errhandler_free(&before_);
    }

private:
    MPI_Errhandler before_ = MPI_ERRHANDLER_NULL;
};

/// Throws, on all ranks, where a call failed on one: there its code, elsewhere the class of the worst. Collective over
/// the group.
inline void check_on_all(group const& ranks, int code, char const* routine) {
    int of = MPI_SUCCESS;
    if (code != MPI_SUCCESS) MPI_Error_class(code, &of);
    std::array<double, 1> worst{static_cast<double>(of)};
    ranks.all_reduce(worst, reduction::max);
    check(code, routine);
    check(static_cast<int>(worst[0]), routine);
}

} // namespace detail

/// A file that the ranks of a group have open; closed at the end. Collective over the group, and so is the end.
///
/// `mode` is an MPI_MODE_...; hints are `{{"cb_nodes", "1"}}` (MPI 3.1, 13.2.8), of which a library ignores what it
/// does not know. Errors are returned, then thrown as mpi::error, whatever handler the application has set for files to
/// come; a file that cannot be opened throws on all ranks. Should an exception end it on one rank alone, it is left
/// open, because MPI_File_close waits for the others. The group must outlive it.
class [[nodiscard]] file {
public:
    file(group_ref ranks, std::string const& path, int mode = MPI_MODE_CREATE | MPI_MODE_RDWR, hints const& told = {})
        : ranks_{&ranks.get()} {
        mpi::detail::info const info{told};
        detail::returned_errors const returned;
        auto const code = MPI_File_open(ranks.comm(), path.c_str(), mode, info.get(), &file_);
        detail::check_on_all(ranks, code, "MPI_File_open");
    }
    file(file&& other) noexcept
        : ranks_{other.ranks_}, file_{std::exchange(other.file_, MPI_FILE_NULL)}, exceptions_{other.exceptions_} {}
    file& operator=(file&&) = delete;
    ~file() {
        if (file_ == MPI_FILE_NULL) return;
        if (std::uncaught_exceptions() == exceptions_ || mpi::detail::all_come(ranks_->comm())) MPI_File_close(&file_);
    }

    MPI_File handle() const { return file_; }
    group const& ranks() const { return *ranks_; }

    /// Before the end, so that what the library says to it is heard. Collective.
    void close() { check(MPI_File_close(&file_), "MPI_File_close"); }

    /// Make the file so many bytes long, or short. Collective.
    void resize(MPI_Offset bytes) const { check(MPI_File_set_size(file_, bytes), "MPI_File_set_size"); }
    MPI_Offset size() const {
        MPI_Offset bytes = 0;
        check(MPI_File_get_size(file_, &bytes), "MPI_File_get_size");
        return bytes;
    }

    /// Set the pointer that an access goes by back to the begin of the view. Collective for the shared one.
    void rewind(pointer which) const {
        if (which == pointer::individual) check(MPI_File_seek(file_, 0, MPI_SEEK_SET), "MPI_File_seek");
        if (which == pointer::shared) check(MPI_File_seek_shared(file_, 0, MPI_SEEK_SET), "MPI_File_seek_shared");
    }

    /// Let what was written arrive: MPI_File_sync, MPI_Barrier, MPI_File_sync (MPI 3.1, 13.6.1). The first brings what
    /// this rank wrote to the storage, the barrier makes others wait for it, the second makes them look at the storage.
    /// Collective. All three are called whatever the first says: the other ranks are in them.
    void assure() const {
        auto const brought = MPI_File_sync(file_);
        auto const met = MPI_Barrier(ranks_->comm());
        auto const seen = MPI_File_sync(file_);
        check(brought, "MPI_File_sync");
        check(met, "MPI_Barrier");
        check(seen, "MPI_File_sync");
    }

private:
    group const* ranks_;
    MPI_File file_ = MPI_FILE_NULL;
    int exceptions_ = std::uncaught_exceptions();
};

} // namespace sonde::mpi::io
