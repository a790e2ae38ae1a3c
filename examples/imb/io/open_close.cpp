// SPDX-License-Identifier: BSL-1.0
#include "open_close.hpp"

#include "failure_note.hpp"
#include "workplace.hpp"

#include <sonde/mpi/io.hpp>
#include <sonde/run.hpp>

#include <array>

namespace imb::io {

namespace {

namespace mio = sonde::mpi::io;

constexpr row everyone{{mio::direction::write, mio::positioning::explicit_offset}};

/// The file is closed by all ranks, whatever the write of one says.
void open_write_close(setting const& s, std::string const& path, failure_note& failed) {
    std::array<std::byte, 1> byte{std::byte{1}};
    mio::file file{s.group, path, MPI_MODE_CREATE | MPI_MODE_RDWR, s.asked.hints};
    failed.in([&] { mio::blocking{file, everyone.how, sonde::slice{byte}, {s.group.rank(), 0}}(); });
    file.close();
}

} // namespace

work open_close(setting& s) {
    auto const place = workplace::of(s, everyone);
    return {.measure = [&s, place](std::size_t n) {
        failure_note failed{place->path().string()};
        auto const once = [&] { failed.in([&] { open_write_close(s, place->path().string(), failed); }); };
        outcome found{sonde::run(s.group, s.whole(n), once, s.point()), {}, {}};
        failed.agree(s.group);
        return found;
    }};
}

} // namespace imb::io
