// SPDX-License-Identifier: BSL-1.0
#include "imb/io/io_contents.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <fstream>
#include <ios>
#include <span>
#include <stdexcept>
#include <vector>

namespace imb::io {

namespace {

using bytes = std::span<std::byte const>;

/// 1 if the contents are wrong on any rank, else 0. Collective over the setting's group.
double defects_of(setting const& s, bool wrong) {
    std::array any{wrong ? 1.0 : 0.0};
    s.group.all_reduce(any, sonde::reduction::max);
    return any[0];
}

/// True if `found` is the data of a rank from its byte `from` on.
bool is_pattern(bytes found, int rank, std::size_t from) {
    for (std::size_t i = 0; i != found.size(); ++i)
        if (found[i] != pattern_byte(rank, from + i)) return false;
    return true;
}

/// Remove the data of a rank from the front of `found`. False if other data is there.
bool remove_front(bytes& found, int rank, std::size_t length) {
    if (found.size() < length || !is_pattern(found.first(length), rank, 0)) return false;
    found = found.subspan(length);
    return true;
}

/// True if `found` has the pieces of the ranks [first, last) in their order, for each transfer.
bool has_in_order(bytes found, setting const& s, int first, int last) {
    for (std::size_t j = 0; j != checked_transfers; ++j)
        for (int r = first; r != last; ++r)
            if (!remove_front(found, r, range_of(s.bytes, r, s.group.size()).length)) return false;
    return found.empty();
}

/// True if `found` has the pieces of all ranks in any order, each as often as it was written. The first ranks, which
/// have the longer pieces, are tried first.
bool has_in_any_order(bytes found, setting const& s) {
    std::vector<std::size_t> left(static_cast<std::size_t>(s.group.size()), checked_transfers);
    auto const remove_one = [&] {
        for (int r = 0; r != s.group.size(); ++r) {
            auto const length = range_of(s.bytes, r, s.group.size()).length;
            auto& times = left[static_cast<std::size_t>(r)];
            if (length != 0 && times != 0 && remove_front(found, r, length)) return --times, true;
        }
        return false;
    };
    while (!found.empty())
        if (!remove_one()) return false;
    return true;
}

/// Read the file without MPI, because MPI_MODE_UNIQUE_OPEN forbids to open it twice. Throws std::runtime_error.
std::vector<std::byte> read_back(std::filesystem::path const& path, std::size_t length) {
    std::vector<std::byte> found(length);
    std::ifstream in{path, std::ios::binary};
    in.read(reinterpret_cast<char*>(found.data()), static_cast<std::streamsize>(length));
    if (static_cast<std::size_t>(in.gcount()) != length) throw std::runtime_error{"cannot be read back"};
    return found;
}

/// Begin and end of the pieces that all ranks have read. Collective over the setting's group.
std::vector<std::array<double, 2>> gather_pieces(setting const& s, std::vector<std::array<double, 2>> const& mine) {
    auto const first = static_cast<std::size_t>(s.group.rank()) * mine.size();
    std::vector<double> all(2 * mine.size() * static_cast<std::size_t>(s.group.size()));
    for (std::size_t i = 0; i != mine.size(); ++i) std::copy_n(mine[i].begin(), 2, &all[2 * (first + i)]);
    s.group.all_reduce(all, sonde::reduction::sum);
    std::vector<std::array<double, 2>> pieces;
    for (std::size_t i = 0; i != all.size(); i += 2) pieces.push_back({all[i], all[i + 1]});
    return pieces;
}

/// True if the pieces cover [0, length) without gaps and overlaps.
bool cover(std::vector<std::array<double, 2>> pieces, std::size_t length) {
    std::sort(pieces.begin(), pieces.end());
    double at = 0;
    for (auto const& [begin, end] : pieces) {
        if (begin == end) continue;
        if (begin != at) return false;
        at = end;
    }
    return at == static_cast<double>(length);
}

/// Offset in the file of a piece that was read: a multiple of four if the size is one. For other data the length of
/// all that is read, or more.
std::size_t offset_of(bytes piece, setting const& s) {
    auto const length = checked_transfers * s.bytes, step = s.bytes % 4 == 0 ? std::size_t{4} : std::size_t{1};
    std::size_t at = 0;
    while (at < length && !is_pattern(piece, 0, at)) at += step;
    return at;
}

} // namespace

double written_defects(setting& s, test_file const& file, std::function<void()> const& transfer, first_error& error) {
    auto const out = s.send.on_host().first(file.range(s).length);
    for (std::size_t i = 0; i != out.size(); ++i) out[i] = pattern_byte(s.group.rank(), i);
    for (std::size_t j = 0; j != checked_transfers; ++j) transfer();
    bool right = true;
    auto const check = [&] {
        auto const found = read_back(file.path(), checked_transfers * file.stride(s));
        auto const alone = file.kind().file_per_process;
        auto const first = alone ? s.group.rank() : 0, last = alone ? first + 1 : s.group.size();
        right = file.kind().is_unordered() ? has_in_any_order(found, s) : has_in_order(found, s, first, last);
    };
    if (file.ranks().rank() == 0) error.catch_in(check);
    return defects_of(s, !right);
}

double read_defects(setting& s, test_file const& file, std::function<void()> const& transfer) {
    auto const& kind = file.kind();
    auto const length = file.range(s).length;
    auto const [first, step] = file.offsets(s);
    auto const buffers = kind.with_overlap && !kind.access.collective ? s.receive.layout.count : 1;
    bool right = true;
    std::vector<std::array<double, 2>> pieces;
    for (std::size_t j = 0; j != checked_transfers; ++j) {
        s.receive.fill(std::byte{});
        transfer();
        bytes const piece = s.receive.on_host().subspan(j % buffers * s.receive.layout.stride, length);
        auto const expected = static_cast<std::size_t>(first) + j * static_cast<std::size_t>(step);
        auto const offset = kind.is_unordered() ? offset_of(piece, s) : expected;
        right = right && is_pattern(piece, 0, offset);
        pieces.push_back({static_cast<double>(offset), static_cast<double>(offset + piece.size())});
    }
    if (kind.is_unordered() && s.bytes % 4 == 0)
        right = cover(gather_pieces(s, pieces), checked_transfers * s.bytes) && right;
    return defects_of(s, !right);
}

} // namespace imb::io
