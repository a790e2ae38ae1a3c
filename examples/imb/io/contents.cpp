// SPDX-License-Identifier: BSL-1.0
#include "contents.hpp"

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

namespace mio = sonde::mpi::io;
using bytes = std::span<std::byte const>;

bool unordered(row const& of) {
    return of.how.positioning == mio::positioning::shared && !of.how.collective && !of.own_file;
}

double on_any(setting const& s, bool wrong) {
    std::array found{wrong ? 1.0 : 0.0};
    s.group.all_reduce(found, sonde::reduction::max);
    return found[0];
}

/// Are these bytes those that a rank writes, from a place of its own on?
bool is_pattern(bytes found, int rank, std::size_t from) {
    for (std::size_t i = 0; i != found.size(); ++i)
        if (found[i] != pattern_byte(rank, from + i)) return false;
    return true;
}

/// The begin of what others should have read or written, cut off where it is that of a rank.
bool take(bytes& found, int rank, std::size_t length) {
    if (found.size() < length || !is_pattern(found.first(length), rank, 0)) return false;
    found = found.subspan(length);
    return true;
}

/// The pieces of some ranks, each in its turn.
bool has_in_order(bytes found, setting const& s, int first, int last) {
    for (std::size_t j = 0; j != checked_transfers; ++j)
        for (int r = first; r != last; ++r)
            if (!take(found, r, part_of(s.bytes, r, s.group.size()).bytes)) return false;
    return found.empty();
}

/// The pieces of all ranks, each as often as it was written. Longer ones are looked for first: they come first by rank.
bool has_in_any_order(bytes found, setting const& s) {
    std::vector<std::size_t> left(static_cast<std::size_t>(s.group.size()), checked_transfers);
    auto const take_one = [&] {
        for (int r = 0; r != s.group.size(); ++r) {
            auto const length = part_of(s.bytes, r, s.group.size()).bytes;
            auto& times = left[static_cast<std::size_t>(r)];
            if (length != 0 && times != 0 && take(found, r, length)) return --times, true;
        }
        return false;
    };
    while (!found.empty())
        if (!take_one()) return false;
    return true;
}

/// Without MPI, which may have the file open as one that nobody opens a second time.
std::vector<std::byte> read_back(std::filesystem::path const& path, std::size_t length) {
    std::vector<std::byte> found(length);
    std::ifstream in{path, std::ios::binary};
    in.read(reinterpret_cast<char*>(found.data()), static_cast<std::streamsize>(length));
    if (static_cast<std::size_t>(in.gcount()) != length) throw std::runtime_error{"cannot be read back"};
    return found;
}

/// Where pieces begin and end that ranks have read, of all of them. Collective.
std::vector<std::array<double, 2>> gathered(setting const& s, std::vector<std::array<double, 2>> const& mine) {
    auto const first = static_cast<std::size_t>(s.group.rank()) * mine.size();
    std::vector<double> all(2 * mine.size() * static_cast<std::size_t>(s.group.size()));
    for (std::size_t i = 0; i != mine.size(); ++i) std::copy_n(mine[i].begin(), 2, &all[2 * (first + i)]);
    s.group.all_reduce(all, sonde::reduction::sum);
    std::vector<std::array<double, 2>> pieces;
    for (std::size_t i = 0; i != all.size(); i += 2) pieces.push_back({all[i], all[i + 1]});
    return pieces;
}

/// Do pieces lie side by side, from the begin of the file to the end of what is read?
bool tiles(std::vector<std::array<double, 2>> pieces, std::size_t length) {
    std::sort(pieces.begin(), pieces.end());
    double at = 0;
    for (auto const& [begin, end] : pieces) {
        if (begin == end) continue;
        if (begin != at) return false;
        at = end;
    }
    return at == static_cast<double>(length);
}

/// Where in the file a piece is from, which is a multiple of four where sizes are; none: all that is read, and more.
std::size_t origin(bytes piece, setting const& s) {
    auto const length = checked_transfers * s.bytes, step = s.bytes % 4 == 0 ? std::size_t{4} : std::size_t{1};
    std::size_t at = 0;
    while (at < length && !is_pattern(piece, 0, at)) at += step;
    return at;
}

} // namespace

double written_defects(setting& s, workplace const& place, std::function<void()> const& transfer,
                       failure_note& failed) {
    auto const mine = place.mine(s);
    auto const out = s.send.bytes().first(mine.bytes);
    for (std::size_t i = 0; i != out.size(); ++i) out[i] = pattern_byte(s.group.rank(), i);
    for (std::size_t j = 0; j != checked_transfers; ++j) transfer();
    bool right = true;
    if (place.ranks().rank() == 0)
        failed.in([&] {
            auto const found = read_back(place.path(), checked_transfers * place.stride(s));
            auto const own = place.is().own_file;
            right = unordered(place.is())
                        ? has_in_any_order(found, s)
                        : has_in_order(found, s, own ? s.group.rank() : 0, own ? s.group.rank() + 1 : s.group.size());
        });
    return on_any(s, !right);
}

double read_defects(setting& s, workplace const& place, std::function<void()> const& transfer) {
    auto const mine = place.mine(s);
    auto const [first, step] = place.places(s);
    auto const several = place.is().beside_work && !place.is().how.collective ? s.receives.count : 1;
    bool right = true;
    std::vector<std::array<double, 2>> pieces;
    for (std::size_t j = 0; j != checked_transfers; ++j) {
        s.receive.fill(std::byte{});
        transfer();
        bytes const piece = s.receive.bytes().subspan(j % several * s.receives.stride, mine.bytes);
        auto const known = static_cast<std::size_t>(first) + j * static_cast<std::size_t>(step);
        auto const at = unordered(place.is()) ? origin(piece, s) : known;
        right = right && is_pattern(piece, 0, at);
        pieces.push_back({static_cast<double>(at), static_cast<double>(at + piece.size())});
    }
    if (unordered(place.is()) && s.bytes % 4 == 0)
        right = tiles(gathered(s, pieces), checked_transfers * s.bytes) && right;
    return on_any(s, !right);
}

} // namespace imb::io
