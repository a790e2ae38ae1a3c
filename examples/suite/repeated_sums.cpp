// SPDX-License-Identifier: BSL-1.0
#include "suite/repeated_sums.hpp"

#include "suite/bit_check.hpp"

#include <sonde/clock.hpp>
#include <sonde/group.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace suite {

namespace {

constexpr sonde::seconds lateness{5e-5};

void wait(sonde::seconds time) {
    sonde::steady_clock const clock;
    for (auto const begin = clock.now(); clock.now() - begin < time;) {
    }
}

/// The runs of one rank.
struct compared_runs {
    std::uint64_t different = 0; // from the first
    std::uint64_t at = 0;        // the first byte that differs, in the first of these
    std::uint64_t hash = 0;      // of the first result
};

std::uint64_t hash_of(std::vector<std::byte> const& bytes) {
    std::uint64_t hash = 14695981039346656037u; // FNV-1a
    for (auto const b : bytes) hash = (hash ^ std::to_integer<std::uint64_t>(b)) * 1099511628211u;
    return hash;
}

/// Repeat a reduction on this rank. Collective over the group.
compared_runs repeat(sonde::mpi::group& world, repeated_reduction const& of, std::size_t runs) {
    std::vector<std::byte> first;
    compared_runs found;
    for (std::size_t run = 0; run != runs; ++run) {
        of.prepare();
        world.barrier();
        if (static_cast<int>(run % static_cast<std::size_t>(world.size())) == world.rank()) wait(lateness);
        of.call();
        auto result = of.result();
        if (run == 0) first = std::move(result);
        else if (result != first && found.different++ == 0)
            found.at = static_cast<std::uint64_t>(std::mismatch(first.begin(), first.end(), result.begin()).first -
                                                  first.begin());
    }
    found.hash = hash_of(first);
    return found;
}

} // namespace

bool has_bytes(std::vector<sonde::expected_block> const& blocks) {
    return std::any_of(blocks.begin(), blocks.end(), [](auto const& b) { return b.bytes != 0; });
}

std::vector<std::byte> bytes_of_blocks(sonde::region received, std::vector<sonde::expected_block> const& blocks) {
    std::vector<std::byte> all;
    for (auto const& b : blocks) {
        if (b.bytes == 0) continue; // its offset may lie beyond the region
        auto const block = received.subspan(b.offset, b.bytes);
        all.insert(all.end(), block.begin(), block.end());
    }
    return all;
}

void write_rounded(sonde::region bytes, element kind, int rank) {
    with_element(kind, [&](auto type) {
        using T = decltype(type);
        write_each<T>(bytes, [&](std::size_t i) {
            auto const word = word_of({0, rank, 0}, i);
            auto const mantissa = 1 + static_cast<double>(word >> 12) / 0x1p52;
            auto const exponent = static_cast<int>(word % 24) - 12;
            return static_cast<T>(std::ldexp((word >> 5) % 2 == 0 ? mantissa : -mantissa, exponent));
        });
    });
}

std::vector<std::string> compare_runs(sonde::mpi::group& world, repeated_reduction const& of, std::size_t runs) {
    auto const all = sonde::all_gather(world, repeat(world, of, runs));
    std::vector<std::string> found;
    auto const name = [&](std::size_t rank) {
        return "rank " + (of.names.empty() ? std::to_string(rank) : std::to_string(of.names.at(rank)));
    };
    auto const add = [&](std::size_t rank, std::string const& text) {
        found.push_back("sums of rounded numbers: " + name(rank) + ' ' + text);
    };
    for (std::size_t rank = 0; rank != all.size(); ++rank) {
        if (all[rank].different != 0)
            add(rank, "has other bits in " + std::to_string(all[rank].different) + " of " + std::to_string(runs) +
                          " runs than in the first, from byte " + std::to_string(all[rank].at) + " on");
        if (of.is_same_on_all && all[rank].hash != all[0].hash) add(rank, "has other bits than " + name(0));
    }
    return found;
}

} // namespace suite
