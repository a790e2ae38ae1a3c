// SPDX-License-Identifier: BSL-1.0
#include "workplace.hpp"

#include "../../common/capacity.hpp"
#include "failure_note.hpp"

#include <algorithm>
#include <functional>
#include <string>

namespace imb::io {

namespace {

std::optional<sonde::mpi::group> alone(bool own_file) {
    if (own_file) return std::optional<sonde::mpi::group>{std::in_place, MPI_COMM_SELF};
    return std::nullopt;
}

/// IMB's length of a file of all processes.
std::size_t usual_length(options const& asked) {
    auto const largest = asked.sizes.empty() ? std::size_t{1} << asked.max_log
                                             : *std::max_element(asked.sizes.begin(), asked.sizes.end());
    auto const volume = asked.iter.volume;
    return volume / std::max<std::size_t>(largest, 1) > 50 ? 50 * largest : std::max(largest, volume);
}

} // namespace

std::filesystem::path path_of(setting const& s, bool own_file) {
    std::string name = "IMB_out";
    if (s.asked.multi.value_or(-1) >= 0) name += "_g" + std::to_string(s.group_number);
    if (own_file) name += '_' + std::to_string(s.world_rank);
    return std::filesystem::path{s.asked.directory} / name;
}

workplace::workplace(setting const& s, row const& of)
    : row_{of}, group_{&s.group}, host_{common::ranks_of_host(s.group)}, self_{alone(of.own_file)},
      file_{path_of(s, of.own_file), ranks().rank() == 0 ? made_file::part::makes : made_file::part::knows} {
    common::agree(s.group, file_.make());
}

std::shared_ptr<workplace> workplace::of(setting const& s, row const& which) {
    if (!*s.kept) *s.kept = std::make_shared<workplace>(s, which);
    return std::static_pointer_cast<workplace>(*s.kept);
}

void workplace::reserve(setting const& s, std::size_t transfers) {
    auto const sharing = row_.own_file ? static_cast<std::size_t>(s.group.size()) : 1;
    auto const bytes = std::max(usual_length(s.asked) / sharing, transfers * stride(s));
    auto const together = boost::mpi::all_reduce(host_, file_.lacks(bytes), std::plus<std::size_t>{});
    common::agree(s.group, file_.reserve(bytes, together, row_.how.direction == sonde::mpi::io::direction::read));
}

void workplace::look(setting const& s, sonde::mpi::io::file const& at) const {
    auto const [start, bytes] = mine(s);
    auto const interleaved = row_.how.positioning == sonde::mpi::io::positioning::individual && !row_.own_file;
    if (interleaved) sonde::mpi::io::set_strided_view(at, {start, bytes, s.bytes});
    else sonde::mpi::io::set_byte_view(at);
}

/// Where a view fails on one rank all close the file: what is open outlives that failure.
std::unique_ptr<sonde::mpi::io::file> workplace::open(setting const& s) const {
    auto const mode = MPI_MODE_CREATE | MPI_MODE_RDWR | (row_.own_file ? MPI_MODE_UNIQUE_OPEN : 0);
    std::unique_ptr<sonde::mpi::io::file> opened;
    failure_note failed{path().string()};
    failed.in([&] {
        opened = std::make_unique<sonde::mpi::io::file>(ranks(), path().string(), mode, s.asked.hints);
        look(s, *opened);
    });
    failed.agree(s.group);
    return opened;
}

part workplace::mine(setting const& s) const { return part_of(s.bytes, s.group.rank(), s.group.size()); }

sonde::mpi::io::offsets workplace::places(setting const& s) const {
    auto const first = row_.own_file ? 0 : mine(s).start;
    return {static_cast<MPI_Offset>(first), static_cast<MPI_Offset>(stride(s))};
}

} // namespace imb::io
