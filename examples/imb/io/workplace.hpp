// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../setting.hpp"
#include "made_file.hpp"
#include "part.hpp"
#include "row.hpp"

#include <sonde/mpi/io.hpp>

#include <boost/mpi/communicator.hpp>

#include <memory>
#include <optional>

namespace imb::io {

/// The file that a benchmark works on, and who has it open: the group, or each process alone. Kept from size to size,
/// as long as the driver keeps it. Building it is collective over the setting's group.
class workplace {
public:
    /// Throws common::refusal on all ranks where the file is there already, or cannot be made.
    workplace(setting const& s, row const& of);

    /// That of the setting, made where it is not there yet. Collective.
    static std::shared_ptr<workplace> of(setting const& s, row const& which);

    /// Room for so many transfers of the size, on disk, too; throws common::refusal on all ranks. Collective.
    void reserve(setting const& s, std::size_t transfers);
    /// The file, open, with the view of the benchmark; throws common::refusal on all ranks. Collective.
    std::unique_ptr<sonde::mpi::io::file> open(setting const& s) const;

    /// What this rank moves of each transfer, and bytes of the file from one transfer to the next.
    part mine(setting const& s) const;
    std::size_t stride(setting const& s) const { return row_.own_file ? mine(s).bytes : s.bytes; }
    sonde::mpi::io::offsets places(setting const& s) const;

    sonde::mpi::group const& ranks() const { return self_ ? *self_ : *group_; }
    std::filesystem::path const& path() const { return file_.path(); }
    row const& is() const { return row_; }

private:
    void look(setting const& s, sonde::mpi::io::file const& at) const;

    row row_;
    sonde::mpi::group const* group_;
    boost::mpi::communicator host_; // the ranks of the group on this host
    std::optional<sonde::mpi::group> self_;
    made_file file_;
};

/// Where the file is made; with `-multi`, that of the group.
std::filesystem::path path_of(setting const& s, bool own_file);

} // namespace imb::io
