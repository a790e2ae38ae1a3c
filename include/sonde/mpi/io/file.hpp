// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/mpi/datatype.hpp>
#include <sonde/mpi/error.hpp>
#include <sonde/mpi/group.hpp>
#include <sonde/mpi/hints.hpp>
#include <sonde/mpi/link.hpp>

#include <mpi.h>

#include <cstddef>
#include <string>
#include <type_traits>

namespace sonde::inline v0_1::mpi::io {

/// Direction of an access.
enum class direction : unsigned char { write, read };

/// Positioning of an access (MPI 3.1, 13.4.1): by the rank's individual file pointer, by an explicit offset argument,
/// or by the file pointer that all ranks share. A group of one rank opens a private file, and may use any positioning.
enum class positioning : unsigned char { individual, explicit_offset, shared };

/// A data access: direction, positioning and coordination. All ranks of the file's group make a collective access
/// together; with the shared file pointer they access the file in rank order.
struct access {
    io::direction direction = io::direction::write;            // write or read
    io::positioning positioning = io::positioning::individual; // where in the file
    bool collective = false;                                   // by all ranks together
};

/// When writes are transferred to storage, so that other ranks can read them (file::sync): never, once after all
/// iterations (in `complete()`), or in each iteration.
enum class file_sync : unsigned char { never, at_end, each_iteration };

/// A rank's part of a file with a repeated layout: `bytes` bytes from `offset` on within every `extent` bytes. A part
/// of 0 bytes becomes a view of all bytes, because MPI libraries divide by the size of a view. A rank whose part has 0
/// bytes transfers nothing.
struct strided_view {
    std::size_t offset = 0;
    std::size_t bytes = 0;
    std::size_t extent = 0;
};

namespace detail {

/// MPI_File_open that returns its errors, and whose file returns errors. Both depend on the error handler of
/// MPI_FILE_NULL. It belongs to the application, so it is changed and then restored.
inline int open_file(MPI_Comm comm, char const* path, int mode, MPI_Info info, MPI_File* opened) {
    mpi::detail::owned_handle<MPI_Errhandler> before{MPI_ERRHANDLER_NULL, MPI_Errhandler_free};
    check(MPI_File_get_errhandler(MPI_FILE_NULL, before.address()), "MPI_File_get_errhandler");
    check(MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_RETURN), "MPI_File_set_errhandler");
    auto const code = MPI_File_open(comm, path, mode, info, opened);
    MPI_File_set_errhandler(MPI_FILE_NULL, before.get());
    return code;
}

inline owned_datatype filetype_of(strided_view part) {
    auto const bytes = mpi::detail::count_and_type_of(part.bytes, {});
    auto const offset = static_cast<MPI_Aint>(part.offset);
    mpi::detail::datatype_part placed;
    MPI_Datatype filetype = MPI_DATATYPE_NULL;
    check(MPI_Type_create_hindexed(1, &bytes.count, &offset, bytes.type, placed.address()), "MPI_Type_create_hindexed");
    check(MPI_Type_create_resized(placed.get(), 0, static_cast<MPI_Aint>(part.extent), &filetype),
          "MPI_Type_create_resized");
    return owned_datatype{filetype};
}

} // namespace detail

/// An open file of a group. The destructor closes it. Constructor and destructor are collective over the group, which
/// must outlive the file.
///
/// `mode` is a combination of MPI_MODE_... constants; `info` has hints such as `{{"cb_nodes", "1"}}` (MPI 3.1,
/// 13.2.8). Errors are thrown as mpi::error, whatever error handler the application has set on MPI_FILE_NULL; if one
/// rank cannot open the file or has an invalid hint, all ranks throw. If an exception destroys the object on one rank
/// alone, the file stays open there.
class [[nodiscard]] file {
public:
    file(group_ref ranks, std::string const& path, int mode = MPI_MODE_CREATE | MPI_MODE_RDWR, hints const& info = {})
        : ranks_{&ranks.get()}, file_{MPI_FILE_NULL, {MPI_File_close, ranks.comm()}} {
        mpi::detail::require_on_all(ranks, mpi::detail::problem_of(info));
        auto const made = mpi::detail::info_with(info);
        MPI_File opened = MPI_FILE_NULL; // stays open if another rank fails: MPI_File_close would wait for that rank
        auto const code = detail::open_file(ranks.comm(), path.c_str(), mode, made.get(), &opened);
        mpi::detail::check_on_all(ranks, code, "MPI_File_open");
        *file_.address() = opened;
    }

    MPI_File handle() const { return file_.get(); }
    /// The group that opened the file.
    group const& ranks() const { return *ranks_; }

    /// Closes the file before its destructor, which ignores errors. Collective.
    void close() { check(MPI_File_close(file_.address()), "MPI_File_close"); }

    /// Sets the length of the file to `bytes`. Collective.
    void resize(MPI_Offset bytes) const { check(MPI_File_set_size(handle(), bytes), "MPI_File_set_size"); }
    MPI_Offset size() const {
        MPI_Offset bytes = 0;
        check(MPI_File_get_size(handle(), &bytes), "MPI_File_get_size");
        return bytes;
    }

    /// Sets the file pointer of a positioning to the start of the view. Collective for the shared file pointer.
    void rewind(positioning pointer) const {
        if (pointer == positioning::individual) check(MPI_File_seek(handle(), 0, MPI_SEEK_SET), "MPI_File_seek");
        if (pointer == positioning::shared)
            check(MPI_File_seek_shared(handle(), 0, MPI_SEEK_SET), "MPI_File_seek_shared");
    }

    /// Makes the writes of all ranks visible to all ranks: MPI_File_sync, MPI_Barrier, MPI_File_sync (MPI 3.1, 13.6.1).
    /// The first call transfers this rank's writes to storage, the barrier waits until all ranks have done so, and the
    /// last call discards stale data of this rank. Collective. All three are called even if one fails, because the
    /// other ranks call them.
    void sync() const {
        auto const first = MPI_File_sync(handle());
        auto const barrier = MPI_Barrier(ranks_->comm());
        auto const second = MPI_File_sync(handle());
        check(first, "MPI_File_sync");
        check(barrier, "MPI_Barrier");
        check(second, "MPI_File_sync");
    }

private:
    group const* ranks_;
    mpi::detail::owned_handle<MPI_File, mpi::detail::collective_release<MPI_File>> file_;
};

/// Sets the view to the bytes of the file, from `displacement` on. Collective over the file's group.
inline void set_byte_view(file const& on, MPI_Offset displacement = 0) {
    check(MPI_File_set_view(on.handle(), displacement, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL),
          "MPI_File_set_view");
}

/// Sets the view of this rank to its parts of the file, one after the other. Collective over the file's group; the
/// ranks' parts may differ. Throws std::invalid_argument on all ranks if the part of any rank ends behind its extent.
inline void set_strided_view(file const& on, strided_view part) {
    auto const fits = part.offset <= part.extent && part.bytes <= part.extent - part.offset; // the sum may overflow
    mpi::detail::require_on_all(
        on.ranks(), fits ? "" : "sonde::mpi::io: a rank's part of the file ends behind the extent of the view");
    if (part.bytes == 0) return set_byte_view(on);
    auto const type = detail::filetype_of(part);
    check(MPI_File_set_view(on.handle(), 0, MPI_BYTE, type.get(), "native", MPI_INFO_NULL), "MPI_File_set_view");
}

/// Arguments of one data access call. The offset, in etypes of the view, is for routines with explicit offsets.
struct access_arguments {
    MPI_File file;     // handle of the file
    MPI_Offset offset; // in etypes of the view
    message buffer;    // memory of the data
};

/// A function of the MPI library and its name. The function is null if MPI has no such routine.
template <class... Last>
struct routine {
    char const* name = "";                                   // of the function
    int (*call)(access_arguments const&, Last...) = nullptr; // the call; null if MPI has none
};

/// The data access routines of one access (MPI 3.1, table 13.1). Collective accesses by the shared file pointer have no
/// nonblocking routine, accesses that are not collective have no split collective ones.
struct routines {
    routine<MPI_Status*> blocking;       // returns when the access is complete
    routine<MPI_Request*> nonblocking{}; // makes a request
    routine<> begin{};                   // of a split collective access
    routine<MPI_Status*> end{};          // of a split collective access
};

namespace detail {

/// Calls a function of the MPI library, with or without the offset.
template <auto F, class... Last>
int call(access_arguments const& a, Last... last) {
    if constexpr (std::is_invocable_v<decltype(F), MPI_File, MPI_Offset, void*, int, MPI_Datatype, Last...>)
        return F(a.file, a.offset, a.buffer.data, a.buffer.count, a.buffer.type, last...);
    else return F(a.file, a.buffer.data, a.buffer.count, a.buffer.type, last...);
}

template <auto F>
int call_end(access_arguments const& a, MPI_Status* status) {
    return F(a.file, a.buffer.data, status);
}

// clang-format off
#define SONDE_IO_BLOCKING(name) {"MPI_File_" #name, call<MPI_File_##name, MPI_Status*>}
#define SONDE_IO_NONBLOCKING(name) {"MPI_File_i" #name, call<MPI_File_i##name, MPI_Request*>}
#define SONDE_IO_SPLIT(name) \
    {"MPI_File_" #name "_begin", call<MPI_File_##name##_begin>}, {"MPI_File_" #name "_end", call_end<MPI_File_##name##_end>}
#define SONDE_IO_BOTH(name) SONDE_IO_BLOCKING(name), SONDE_IO_NONBLOCKING(name)
#define SONDE_IO_DIRECTION(name) \
    {{{SONDE_IO_BOTH(name)}, {SONDE_IO_BOTH(name##_all), SONDE_IO_SPLIT(name##_all)}}, \
     {{SONDE_IO_BOTH(name##_at)}, {SONDE_IO_BOTH(name##_at_all), SONDE_IO_SPLIT(name##_at_all)}}, \
     {{SONDE_IO_BOTH(name##_shared)}, {SONDE_IO_BLOCKING(name##_ordered), {}, SONDE_IO_SPLIT(name##_ordered)}}}
// clang-format on

/// Indexed by direction, positioning and coordination.
inline constexpr routines routine_table[2][3][2] = {SONDE_IO_DIRECTION(write), SONDE_IO_DIRECTION(read)};

#undef SONDE_IO_DIRECTION
#undef SONDE_IO_BOTH
#undef SONDE_IO_SPLIT
#undef SONDE_IO_NONBLOCKING
#undef SONDE_IO_BLOCKING

} // namespace detail

/// The routines of MPI for an access.
[[nodiscard]] constexpr routines const& routines_of(access how) {
    return detail::routine_table[static_cast<int>(how.direction)][static_cast<int>(how.positioning)][how.collective];
}

} // namespace sonde::mpi::io
