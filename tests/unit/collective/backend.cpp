// SPDX-License-Identifier: BSL-1.0

// The backend of docs/concepts/Backend.md measures, and its data is right.

#include "../../collective_contents.hpp"
#include "my_library.hpp"

#include <doctest/doctest.h>

#include <sonde/sonde.hpp>

#include <functional>
#include <thread>
#include <vector>

namespace {

/// Calls f(group&) on every rank.
void on_all_ranks(int n, std::function<void(my_library::group&)> const& f) {
    my_library::job job{n};
    std::vector<std::thread> ranks;
    for (int rank = 0; rank != n; ++rank)
        ranks.emplace_back([&, rank] {
            my_library::group group{job, rank};
            f(group);
        });
    for (auto& r : ranks) r.join();
}

/// Four puts of 64 bytes from rank 0 to rank 1 between two fences.
sonde::record measure_puts(my_library::group& group) {
    sonde::allocation<my_library::pages> const exposed{256}, origin{256};
    my_library::window const window{group, exposed.bytes()};
    auto const pair = sonde::pair_of(group.rank(), 1);
    sonde::rma pattern{
        my_library::fence{&group}, pair.role, 4,
        my_library::put{window, pair.role == sonde::role::idle ? group.rank() : pair.peer, origin.bytes(), 64}};
    return sonde::run(group, sonde::plan<>{}.until(sonde::samples{20}), pattern);
}

/// An allgather of 1 KiB of each rank.
sonde::record measure_allgather(my_library::group& group) {
    my_library::board board{group};
    my_library::allgather const operation{group, 1024};
    sonde::host_allocation const out{operation.send_bytes()}, in{operation.recv_bytes()};
    my_library::blocking pattern{board, operation, sonde::slice{out.bytes()}, sonde::slice{in.bytes()}};
    return sonde::run(group, sonde::plan<>{}.until(sonde::samples{20}), pattern);
}

} // namespace

TEST_CASE("a backend: records of its transfers and its collectives are equal on all ranks") {
    for (int const ranks : {2, 3, 4}) {
        std::vector<sonde::record> puts(static_cast<std::size_t>(ranks)), gathers = puts;
        on_all_ranks(ranks, [&](my_library::group& group) {
            puts[static_cast<std::size_t>(group.rank())] = measure_puts(group);
            gathers[static_cast<std::size_t>(group.rank())] = measure_allgather(group);
        });
        for (auto const* all : {&puts, &gathers})
            for (auto const& r : *all) CHECK((r.series.size() == 20 && r.series == all->front().series));
        CHECK(puts.front().total.bytes == 256);
        CHECK(puts.front().total.messages == 4);
        CHECK(gathers.front().total.bytes > 0);
    }
}
TEST_CASE("a backend: puts arrive where they belong, and a rank that is none is an error of the library") {
    on_all_ranks(3, [](my_library::group& group) {
        sonde::host_allocation exposed{128}, origin{128};
        origin.fill(std::byte(group.rank() + 1));
        exposed.fill(std::byte{0});
        my_library::window const window{group, exposed.bytes()};
        my_library::put const to_next{window, (group.rank() + 1) % 3, origin.bytes(), 32};
        my_library::fence const epoch{&group};
        epoch.open(sonde::both_sides{});
        to_next(1);
        epoch.close(sonde::both_sides{});
        auto const left = std::byte((group.rank() + 2) % 3 + 1);
        for (std::size_t i = 0; i != 128; ++i) CHECK(exposed.bytes()[i] == (i / 32 == 1 ? left : std::byte{0}));
        try {
            static_cast<void>(window.of(3));
            CHECK(false);
        } catch (sonde::library_error const& e) {
            CHECK((e.call() == std::string{"my_window"} && e.code() == 1));
        }
    });
}
TEST_CASE("a backend: its collectives are validated, right and damaged") {
    auto const wrong = [](my_library::group& group, auto operation, auto damage) {
        my_library::board board{group};
        std::vector<std::byte> out(operation.send_bytes()), in(operation.recv_bytes());
        my_library::blocking pattern{board, operation, sonde::slice{sonde::region{out}},
                                     sonde::slice{sonde::region{in}}};
        return contents::wrong(
            group, pattern, [&](contents::buffers const& b) { std::ranges::copy(b.out, out.begin()), in = b.in; },
            [&](contents::buffers& b) { b.in = in; }, damage);
    };
    on_all_ranks(3, [&](my_library::group& group) {
        my_library::allgather const gathered{group, 12};
        CHECK(wrong(group, gathered, contents::keep) == 0);
        CHECK(wrong(group, gathered, contents::last_byte_of(gathered)) == 2 * 3);
        CHECK(wrong(group, my_library::bcast{group, 12, 2}, contents::keep) == 0);
        for (auto const where : {sonde::placement::out_of_place, sonde::in_place}) {
            my_library::allreduce const summed{group, 5, where};
            CHECK(summed.recv_bytes() == 5 * sizeof(int));
            CHECK(summed.traffic().bytes == 5 * sizeof(int));
            CHECK(summed.traffic().bus_factor == 2 * 2. / 3);
            CHECK(wrong(group, summed, contents::keep) == 0);
        }
    });
}
