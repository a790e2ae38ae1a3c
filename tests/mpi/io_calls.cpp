// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include "io_support.hpp"
#include "ledger.hpp"
#include "library_faults.hpp"

#include <sonde/sonde.hpp>

#include <mpi.h>

#include <stdexcept>
#include <utility>
#include <vector>

using namespace sonde::mpi;
using files::file_fixture;
using files::fresh_path;
using files::path_fixture;
using files::shim;

files::file_calls& files::shim() {
    static file_calls the_one;
    return the_one;
}

// MPI's profiling interface: Sonde's calls are recorded, and may fail.
int MPI_File_open(MPI_Comm comm, char const* path, int mode, MPI_Info info, MPI_File* made) {
    char value[MPI_MAX_INFO_VAL + 1]{};
    int there = 0;
    if (info != MPI_INFO_NULL) PMPI_Info_get(info, "cb_nodes", MPI_MAX_INFO_VAL, value, &there);
    shim().hint = value;
    auto const code = PMPI_File_open(comm, path, mode, info, made);
    int fails = shim().open_fails ? 1 : 0;
    PMPI_Allreduce(MPI_IN_PLACE, &fails, 1, MPI_INT, MPI_MAX, comm);
    if (fails != 0) {
        PMPI_File_close(made);
        return shim().open_fails ? MPI_ERR_ACCESS : MPI_SUCCESS;
    }
    shim().opened += code == MPI_SUCCESS;
    return code;
}
int MPI_File_write_all_begin(MPI_File file, void const* data, int n, MPI_Datatype type) {
    auto const code = PMPI_File_write_all_begin(file, data, n, type);
    if (!shim().begin_fails) return code;
    MPI_Status status;
    PMPI_File_write_all_end(file, data, &status); // the others wait in it
    return MPI_ERR_NO_SPACE;
}
/// Leaves the status as it is where there is nothing to read, as ROMIO does.
int MPI_File_read_all(MPI_File file, void* data, int n, MPI_Datatype type, MPI_Status* status) {
    MPI_Status elsewhere;
    return PMPI_File_read_all(file, data, n, type, n == 0 ? &elsewhere : status);
}
int MPI_File_read_all_end(MPI_File file, void* data, MPI_Status* status) {
    MPI_Status found;
    MPI_Count bytes = 0;
    auto const code = PMPI_File_read_all_end(file, data, &found);
    PMPI_Get_elements_x(&found, MPI_BYTE, &bytes);
    if (bytes != 0) *status = found;
    return code;
}
int MPI_File_close(MPI_File* file) {
    ++shim().closed;
    return PMPI_File_close(file);
}
int MPI_File_sync(MPI_File file) {
    ++shim().synced;
    auto const code = PMPI_File_sync(file);
    return shim().sync_fails ? MPI_ERR_NO_SPACE : code;
}

// File requests are in the ledger, too, so that none may be left.
#define RECORDED(name)                                                                                                 \
    int MPI_File_i##name(MPI_File file, IO_CONST void* data, int n, MPI_Datatype type, MPI_Request* made) {            \
        return ledger::record_request(PMPI_File_i##name(file, data, n, type, made));                                   \
    }
#define NOTED_AT(name)                                                                                                 \
    int MPI_File_i##name(MPI_File file, MPI_Offset at, IO_CONST void* data, int n, MPI_Datatype type,                  \
                         MPI_Request* made) {                                                                          \
        if (shim().begin_fails) return MPI_ERR_NO_SPACE;                                                               \
        return ledger::record_request(PMPI_File_i##name(file, at, data, n, type, made));                               \
    }
// clang-format off
#define IO_CONST const
RECORDED(write)
RECORDED(write_all)
RECORDED(write_shared)
NOTED_AT(write_at)
NOTED_AT(write_at_all)
#undef IO_CONST
#define IO_CONST
RECORDED(read)
RECORDED(read_all)
RECORDED(read_shared)
NOTED_AT(read_at)
NOTED_AT(read_at_all)
#undef IO_CONST
// clang-format on

namespace {

/// The text of the exception that f throws, or an empty text.
template <class E, class F>
std::string thrown_by(F f) {
    try {
        f();
    } catch (E const& e) {
        return e.what();
    }
    return {};
}

/// Overwrites the memory below this frame of the stack, in which a later call has its variables.
[[gnu::noinline]] void soil_the_stack() {
    unsigned char volatile used[8192];
    for (auto& byte : used) byte = ' ';
}

std::string text_of(int code) { return error{"", code}.what(); }

} // namespace

TEST_CASE_FIXTURE(path_fixture, "a file that cannot be opened throws on all ranks, with the routine's name") {
    auto const text = thrown_by<error>([&] { io::file const opened{ranks, path.str() + "/not/there"}; });
    CHECK(text.rfind("MPI_File_open: ", 0) == 0);
}

TEST_CASE_FIXTURE(path_fixture, "a file that one rank cannot open throws on all ranks, with the class of that error") {
    auto const before = shim().opened;
    shim().open_fails = ranks.rank() == ranks.size() - 1;
    auto const text = thrown_by<error>([&] { io::file const opened{ranks, path.str()}; });
    shim().open_fails = false;
    CHECK(text == "MPI_File_open" + text_of(MPI_ERR_ACCESS));
    CHECK(shim().opened == before);
}

TEST_CASE_FIXTURE(path_fixture, "hints are passed to the open, and a file is closed by close() or by its destructor") {
    auto const before = shim();
    {
        io::file const file{ranks, path.str(), MPI_MODE_CREATE | MPI_MODE_RDWR, {{"cb_nodes", "1"}}};
        CHECK(shim().hint == "1");
    }
    io::file file{ranks, path.str()};
    CHECK(shim().hint.empty());
    file.close();
    CHECK(shim().opened - before.opened == 2);
    CHECK(shim().closed - before.closed == 2);
    CHECK_THROWS_AS((io::file{ranks, path.str(), MPI_MODE_RDWR, {{"", "x"}}}), std::invalid_argument);
}

TEST_CASE_FIXTURE(
    file_fixture,
    "writes are synchronized by two calls of MPI_File_sync: never, at the end of a batch, or in each iteration") {
    auto const syncs = [&](auto access_pattern) {
        auto const before = shim().synced;
        auto const plan = sonde::plan<>{}.warmup(0).batch(5).until(sonde::samples{1});
        (void)sonde::run(ranks, plan, access_pattern);
        return shim().synced - before;
    };
    for (auto const collective : {false, true})
        for (auto const& [when, expected] :
             {std::pair{io::file_sync::never, 0}, {io::file_sync::at_end, 2}, {io::file_sync::each_iteration, 10}}) {
            io::access const how{io::direction::write, io::positioning::explicit_offset, collective};
            CHECK(syncs(io::blocking{file, how, buffer, {}, when}) == expected);
            CHECK(syncs(io::nonblocking{file, how, buffer, {}, when}) == expected);
            if (collective) CHECK(syncs(io::split_collective{file, how, buffer, {}, when}) == expected);
        }
}

TEST_CASE_FIXTURE(file_fixture, "a rank whose MPI_File_sync fails throws, and leaves no other rank waiting") {
    shim().sync_fails = ranks.rank() == 0;
    auto const text = thrown_by<error>([&] { file.sync(); });
    shim().sync_fails = false;
    CHECK(text == (ranks.rank() == 0 ? "MPI_File_sync" + text_of(MPI_ERR_NO_SPACE) : ""));
}

TEST_CASE_FIXTURE(file_fixture,
                  "a rank whose access fails to begin throws from the end, after the file_sync of the other ranks") {
    auto const fails = [&](auto access_pattern, char const* routine) {
        shim().begin_fails = ranks.rank() == 0;
        auto const text = thrown_by<error>([&] { access_pattern(); });
        shim().begin_fails = false;
        CHECK(text == (ranks.rank() == 0 ? routine + text_of(MPI_ERR_NO_SPACE) : ""));
        CHECK(thrown_by<error>([&] { access_pattern(); }) == "");
    };
    io::access const alone{io::direction::write, io::positioning::explicit_offset};
    fails(io::nonblocking{file, alone, buffer, {}, io::file_sync::each_iteration}, "MPI_File_iwrite_at");
    fails(
        io::split_collective{
            file, {io::direction::write, io::positioning::individual, true}, buffer, {}, io::file_sync::each_iteration},
        "MPI_File_write_all_begin");
}

TEST_CASE_FIXTURE(file_fixture,
                  "the end of a split access that has not begun does nothing, whatever the previous one moved") {
    io::access const how{io::direction::write, io::positioning::explicit_offset, true};
    io::split_collective writes{file, how, buffer, {}, io::file_sync::each_iteration};
    auto const before = shim().synced;
    CHECK_NOTHROW(writes.wait());
    writes();
    CHECK_NOTHROW(writes.wait());
    CHECK(shim().synced == before + 2); // of the one that has begun
}

TEST_CASE_FIXTURE(file_fixture, "if some requests fail the others are waited for, and each has its own code") {
    io::nonblocking writes{file, {io::direction::write, io::positioning::explicit_offset}, buffer};
    auto const before = ledger::current().active_requests;
    for (int i = 0; i != 3; ++i) writes.start();
    ledger::current().fail_next_waitall = true;
    CHECK(thrown_by<error>([&] { writes.wait(); }) == "MPI_File_iwrite_at" + text_of(MPI_ERR_IO)); // the second one's
    CHECK(ledger::current().active_requests == before);
    CHECK(thrown_by<error>([&] { writes(); }) == "");
}

TEST_CASE_FIXTURE(path_fixture, "the application's default error handler for files is neither called nor changed") {
    MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_ARE_FATAL);
    CHECK_THROWS_AS((io::file{ranks, path.str() + "/not/there"}), error);
    MPI_Errhandler of_file = MPI_ERRHANDLER_NULL, of_none = MPI_ERRHANDLER_NULL;
    {
        io::file const file{ranks, path.str()};
        MPI_File_get_errhandler(file.handle(), &of_file);
    }
    MPI_File_get_errhandler(MPI_FILE_NULL, &of_none);
    CHECK(of_file == MPI_ERRORS_RETURN);
    CHECK(of_none == MPI_ERRORS_ARE_FATAL);
    MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_RETURN);
}

TEST_CASE("a strided view of more bytes than an int counts covers its whole extent") {
    constexpr auto gib = std::size_t{1} << 30;
    auto const type = io::detail::filetype_of({.offset = 8, .bytes = 3 * gib + 4, .extent = 4 * gib});
    MPI_Count bytes = 0, low = 0, extent = 0;
    MPI_Type_size_x(type.get(), &bytes);
    MPI_Type_get_extent_x(type.get(), &low, &extent);
    CHECK(bytes == MPI_Count(3 * gib + 4));
    CHECK(extent == MPI_Count(4 * gib));
    MPI_Type_get_true_extent_x(type.get(), &low, &extent);
    CHECK(low == 8);
    CHECK(extent == bytes);
}

TEST_CASE("all_ranks_arrive is true on all ranks, or false on each of them if one has given up") {
    group const ranks{application::comm()};
    CHECK(sonde::mpi::detail::all_ranks_arrive(ranks.comm()));
    if (ranks.size() == 1) return;
    if (ranks.rank() == 0) { // the others arrive later
        CHECK_FALSE(sonde::mpi::detail::all_ranks_arrive(ranks.comm()));
        ledger::current().active_requests -= 2; // a rank that gives up leaves its two requests active
    }
    application::everywhere(true);
    if (ranks.rank() != 0) CHECK_FALSE(sonde::mpi::detail::all_ranks_arrive(ranks.comm()));
    application::everywhere(true);
}

TEST_CASE_FIXTURE(file_fixture, "a read past the end of a file throws") {
    file.resize(6);
    io::access const how{io::direction::read, io::positioning::explicit_offset};
    io::blocking read{file, how, buffer, {.step = 4}};
    io::nonblocking later{file, how, buffer, {.step = 4}};
    read();
    later();
    CHECK(thrown_by<io::short_transfer>([&] { read(); }) == "MPI_File_read_at: moved 2 of 4 bytes");
    if (!library::works("MPI_File_iread_at behind the end")) return;
    CHECK(thrown_by<io::short_transfer>([&] { later(); }) == "MPI_File_iread_at: moved 2 of 4 bytes");
}

TEST_CASE_FIXTURE(file_fixture,
                  "a blocking access of 0 bytes moves all of them, whether or not the library sets its status") {
    sonde::slice const nothing{sonde::region{four}.first(0)};
    for (auto const collective : {false, true}) {
        io::blocking read{file, {io::direction::read, io::positioning::individual, collective}, nothing};
        soil_the_stack();
        CHECK(thrown_by<io::short_transfer>([&] { read(); }) == "");
    }
}

TEST_CASE_FIXTURE(file_fixture, "the same of nonblocking and split accesses, before an access of some bytes") {
    file.resize(4 * ranks.size());
    sonde::slice const nothing{sonde::region{four}.first(0)};
    io::access const how{io::direction::read, io::positioning::individual, true};
    io::split_collective split{file, how, nothing};
    io::nonblocking later{file, how, nothing};
    for (int i = 0; i != 3; ++i) {
        soil_the_stack();
        CHECK(thrown_by<io::short_transfer>([&] { split(); }) == "");
        CHECK(thrown_by<io::short_transfer>([&] { later(); }) == "");
    }
    io::blocking some{file, how, buffer};
    CHECK(thrown_by<io::short_transfer>([&] { some(); }) == "");
}

TEST_CASE_FIXTURE(path_fixture, "hints, and a part of a file, that are refused on one rank are refused on all") {
    auto const last = ranks.size() - 1;
    auto const here = ranks.rank() == last;
    auto const by = here ? std::string{} : "rank " + std::to_string(last) + ": ";
    hints const info{{here ? "" : "cb_nodes", "1"}};
    CHECK(thrown_by<std::invalid_argument>([&] {
              io::file const made{ranks, path.str(), MPI_MODE_RDWR, info};
          }) == by + "sonde::mpi: an info hint needs a key and a value of 1 to " +
                    std::to_string(MPI_MAX_INFO_KEY - 1) + " characters, not \"\"");
    io::file const file{ranks, path.str()};
    io::strided_view const part{.offset = here ? 5u : 4u, .bytes = 4, .extent = 8};
    CHECK(thrown_by<std::invalid_argument>([&] { io::set_strided_view(file, part); }) ==
          by + "sonde::mpi::io: a rank's part of the file ends behind the extent of the view");
    io::strided_view const endless{.offset = 8, .bytes = static_cast<std::size_t>(-4), .extent = 8};
    CHECK_THROWS_AS(io::set_strided_view(file, endless), std::invalid_argument);
}

TEST_CASE_FIXTURE(file_fixture,
                  "calls that MPI does not have are refused, and parts of a file behind the extent of the view") {
    sonde::slice const none{};
    CHECK_THROWS_AS((io::split_collective{file, {}, none}), std::invalid_argument);
    CHECK_THROWS_AS((io::nonblocking{file, {io::direction::read, io::positioning::shared, true}, none}),
                    std::invalid_argument);
    CHECK_THROWS_AS(io::set_strided_view(file, {.offset = 5, .bytes = 4, .extent = 8}), std::invalid_argument);
    io::set_strided_view(file, {.offset = 4, .bytes = 4, .extent = 8}); // to the end
}
