// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include "ledger.hpp"
#include "rma_calls.hpp"

#include <sonde/mpi.hpp>
#include <sonde/mpi/exchange.hpp>
#include <sonde/mpi/io.hpp>
#include <sonde/sonde.hpp>

#include <mpi.h>
#include <unistd.h>

#include <climits>
#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

using namespace sonde;
using ledger::current;

namespace {

/// The numbers of all objects that exist, by kind.
std::vector<long> objects_left() {
    auto const& calls = ledger::current();
    auto const& rma = rma_calls::current();
    auto const n = [](auto const& set) { return static_cast<long>(set.size()); };
    return {n(calls.communicators),
            n(calls.datatypes),
            n(calls.persistent),
            rma.windows,
            rma.groups,
            rma.infos,
            rma.locks,
            calls.files,
            calls.error_handlers};
}

/// Makes an object while its first MPI call fails, then its second, and so on: each time nothing is left. All ranks
/// make the same calls, so that the same call fails on each. At least one call of the object must throw.
template <class Make>
void check_undone(std::string const& what, Make make) {
    CAPTURE(what);
    bool fails = true, thrown = false;
    for (long n = 0; fails; ++n) {
        auto const before = objects_left();
        current().failed.clear();
        current().until_failure = n;
        try {
            make();
        } catch (mpi::error const&) {
            thrown = true;
        }
        fails = !current().failed.empty();
        current().until_failure = -1;
        auto const failed = fails ? current().failed.front() : "no call";
        CAPTURE(failed);
        CHECK(objects_left() == before);
    }
    CHECK(thrown);
}

struct world {
    mpi::group ranks{MPI_COMM_WORLD};
    std::vector<std::byte> bytes = std::vector<std::byte>(64);
    region memory{bytes};
};

/// Lengths of the calls that f makes, in bytes.
template <class F>
std::vector<std::size_t> lengths_of(F f) {
    current().lengths.clear();
    current().dry = true;
    f();
    current().dry = false;
    return current().lengths;
}

constexpr std::size_t most = INT_MAX;

struct two_members {
    int key;
    double values[3];
};

} // namespace

template <>
inline constexpr auto sonde::mpi::members_of<two_members> =
    sonde::mpi::members<&two_members::key, &two_members::values>{};

TEST_CASE("a group, the ranks of a host, and a topology leave nothing if a call fails") {
    world w;
    check_undone("group", [] { mpi::group const made{MPI_COMM_WORLD}; });
    check_undone("local_ranks", [&] { (void)mpi::local_ranks::of(w.ranks); });
    check_undone("cartesian", [&] { (void)mpi::topology::cartesian(w.ranks, {w.ranks.size()}, {true}); });
    check_undone("dist_graph", [&] { (void)mpi::topology::dist_graph(w.ranks, {0}, {}); });
}

TEST_CASE("a datatype that is made for a message or for a file leaves nothing if a call fails") {
    check_undone("large_contiguous", [] { (void)mpi::detail::large_contiguous(MPI_INT, 10, 4); });
    check_undone("filetype", [] { (void)mpi::io::detail::filetype_of({.offset = 8, .bytes = 16, .extent = 64}); });
    check_undone("halo_faces", [] { (void)mpi::halo_faces({3, 4}, {1, 0}, MPI_INT); });
    check_undone("datatype_of", [] { (void)mpi::datatype_of<two_members>(); });
    auto const in_parts = mpi::detail::large_contiguous(MPI_INT, 10, 4); // its contents are two derived types
    check_undone("basic_type", [&] { (void)mpi::detail::basic_type(in_parts.get()); });
}

TEST_CASE("persistent requests leave nothing if the call for a later one fails") {
    world w;
    check_undone("persistent_link", [&] { mpi::persistent_link{w.ranks, 0, 0, {}, 3}.send_buffer(slice{w.memory}); });
    check_undone("persistent_link", [&] { mpi::persistent_link{w.ranks, 0, 0, {}, 3}.recv_buffer(slice{w.memory}); });
#if SONDE_MPI_PERSISTENT_COLLECTIVES
    mpi::bcast const from_each{w.ranks, {MPI_BYTE, 64}, sonde::root_rank::rotating()};
    check_undone("persistent", [&] { mpi::persistent{from_each, slice{w.memory}}; });
#endif
}

TEST_CASE("windows and epochs leave nothing if a call fails") {
    world w;
    if (w.ranks.size() == 1) return; // Open MPI 4.1 has no windows of one rank
    mpi::hints const info{{"accumulate_ordering", "none"}, {"same_size", "true"}};
    check_undone("created", [&] { mpi::created_window const made{w.ranks, w.memory, info}; });
    check_undone("allocated", [&] { mpi::allocated_window const made{w.ranks, 64, info}; });
    check_undone("shared", [&] { mpi::shared_window const made{w.ranks, 64, info}; });
    check_undone("dynamic", [&] { mpi::dynamic_window const made{w.ranks, w.memory, info}; });
    mpi::allocated_window const window{w.ranks, 64};
    mpi::peers const both{{0, 1}};
    check_undone("pscw", [&] { mpi::pscw{window, both}; });
    check_undone("flush", [&] { mpi::flush{window, both}; });
    check_undone("flush_local", [&] { mpi::flush_local{window, both}; });
    check_undone("flush_all", [&] { mpi::flush_all{window}; });
    w.ranks.barrier();
}

TEST_CASE("a file leaves no error handler and no hints if a call fails") {
    world w;
    double pid[1] = {static_cast<double>(::getpid())};
    broadcast(w.ranks, pid);
    auto const path =
        (std::filesystem::temp_directory_path() / ("sonde_nth_" + std::to_string(static_cast<long>(*pid)))).string();
    check_undone("file", [&] {
        mpi::io::file const made{w.ranks, path, MPI_MODE_CREATE | MPI_MODE_RDWR, {{"cb_nodes", "1"}}};
    });
    w.ranks.barrier();
    if (w.ranks.rank() == 0) std::filesystem::remove(path);
}

TEST_CASE("a length is cut into pieces that an int counts") {
    auto const pieces = [](std::size_t n, std::size_t longest) {
        std::vector<std::size_t> found;
        std::size_t end = 0;
        mpi::detail::for_each_piece(
            n,
            [&](std::size_t first, int count) {
                CHECK(first == end);
                found.push_back(static_cast<std::size_t>(count));
                end += found.back();
            },
            longest);
        return found;
    };
    using lengths = std::vector<std::size_t>;
    CHECK(pieces(0, 4) == lengths{0}); // every rank makes a call
    CHECK(pieces(3, 4) == lengths{3});
    CHECK(pieces(4, 4) == lengths{4});
    CHECK(pieces(10, 4) == lengths{4, 4, 2});
    CHECK(pieces(std::size_t{46'341} * 46'341, most) == lengths{most, 4'634}); // a matrix of so many ranks
}

TEST_CASE("a group and a channel move more values than an int counts, all of them") {
    world w;
    mpi::control_channel const channel{w.ranks};
    double nothing = 0; // the calls do not look at the values
    for (auto const n : {std::size_t{7}, most, most + 5, 2 * most + 1, std::size_t{1} << 32}) {
        std::span<double> const values{&nothing, n};
        std::size_t sum = 0;
        auto const add = [&](std::vector<std::size_t> const& lengths) {
            sum = 0;
            for (auto const l : lengths) sum += l;
            return sum;
        };
        CHECK(add(lengths_of([&] { w.ranks.all_reduce(values, reduction::sum); })) == 8 * n);
        auto const bytes = std::as_writable_bytes(values);
        CHECK(add(lengths_of([&] { w.ranks.broadcast(bytes, 0); })) == 8 * n);
        CHECK(add(lengths_of([&] { w.ranks.gather(bytes, bytes); })) == 8 * n);
        CHECK(add(lengths_of([&] { channel.send(0, bytes); })) == 8 * n);
        CHECK(add(lengths_of([&] { channel.receive(0, bytes); })) == 8 * n);
    }
    CHECK(lengths_of([&] {
              w.ranks.all_reduce({&nothing, most + 5}, reduction::sum);
          }) == std::vector<std::size_t>{8 * most, 40});
}

TEST_CASE("more requests than MPI_Waitall counts are refused before there are any") {
    mpi::requests<mpi::active_request_policy::cancel> pending;
    CHECK_THROWS_AS(pending.reserve(most + 1), std::length_error);
    world w;
    CHECK_THROWS_AS((mpi::persistent_link{w.ranks, 0, 0, {}, most}), std::length_error);
}
