// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include "io_support.hpp"

#include <sonde/memory.hpp>
#include <sonde/sonde.hpp>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <vector>

using namespace sonde::mpi;
using namespace files;

namespace {

enum class call_mode { blocking, nonblocking, split };

bool exists(io::access how, call_mode f) {
    if (f == call_mode::nonblocking) return !(how.positioning == io::positioning::shared && how.collective);
    return f == call_mode::blocking || how.collective;
}

/// A part for each transfer, filled by f(j, i).
template <class F>
sonde::allocation<sonde::host_memory> memory_of(int rank, F f) {
    sonde::allocation<sonde::host_memory> memory{32 * transfers};
    for (std::size_t j = 0; j != transfers; ++j)
        for (std::size_t i = 0; i != part_of(rank); ++i) memory.bytes()[32 * j + i] = f(j, i);
    return memory;
}

template <template <class> class Form>
void transfer(io::file const& on, io::access how, sonde::rotating buffer, io::offsets places, io::file_sync when) {
    Form<sonde::rotating> pattern{on, how, buffer, places, when};
    static_assert(sonde::Pattern<decltype(pattern)>);
    for (std::size_t j = 0; j != transfers; ++j) pattern();
    sonde::complete(pattern);
    CHECK(sonde::traffic_of(pattern).bytes == sonde::traffic_of(pattern).shared_by * buffer.size());
}

/// All transfers of one access in its call mode, on this rank.
void all_transfers(group const& ranks, std::string const& path, io::access how, call_mode f, sonde::region memory,
                   io::file_sync when) {
    io::file const file{ranks, path};
    auto const whole = start_of(ranks.size()), mine = part_of(ranks.rank()), start = start_of(ranks.rank());
    if (how.positioning == io::positioning::individual) io::set_strided_view(file, {start, mine, whole});
    io::offsets const places{static_cast<MPI_Offset>(start), static_cast<MPI_Offset>(whole)};
    sonde::rotating const buffer{memory, mine, 32};
    if (f == call_mode::blocking) transfer<io::blocking>(file, how, buffer, places, when);
    if (f == call_mode::nonblocking) transfer<io::nonblocking>(file, how, buffer, places, when);
    if (f == call_mode::split) transfer<io::split_collective>(file, how, buffer, places, when);
}

template <class F>
void for_every(io::direction way, F f) {
    for (auto const by : {io::positioning::individual, io::positioning::explicit_offset, io::positioning::shared})
        for (auto const collective : {false, true})
            for (auto const as : {call_mode::blocking, call_mode::nonblocking, call_mode::split}) {
                io::access const how{way, by, collective};
                if (!exists(how, as)) continue;
                INFO(io::routines_of(how).blocking.name << ", form " << static_cast<int>(as));
                f(how, as);
            }
}

bool unordered(io::access how) { return how.positioning == io::positioning::shared && !how.collective; }

std::vector<std::byte> bytes_of(std::string const& path) {
    std::ifstream in{path, std::ios::binary};
    std::vector<std::byte> all;
    std::transform(std::istreambuf_iterator<char>{in}, {}, std::back_inserter(all),
                   [](char c) { return std::byte(c); });
    return all;
}

std::vector<std::byte> in_order(int ranks) {
    std::vector<std::byte> all;
    for (std::size_t j = 0; j != transfers; ++j)
        for (int r = 0; r != ranks; ++r)
            for (std::size_t i = 0; i != part_of(r); ++i) all.push_back(files::content(r, j, i));
    return all;
}

/// True if every part is complete and occurs once, in any order.
bool has_all_parts(std::vector<std::byte> const& found, int ranks) {
    std::vector<std::byte> sorted;
    std::vector<std::pair<int, std::size_t>> parts;
    for (std::size_t at = 0; at < found.size(); at += part_of(parts.back().first)) {
        auto const first = std::to_integer<int>(found[at]) - 1;
        parts.emplace_back(first / 60, static_cast<std::size_t>(first % 60) / 20);
        auto const [rank, j] = parts.back();
        if (rank >= ranks || part_of(rank) == 0 || at + part_of(rank) > found.size()) return false;
        for (std::size_t i = 0; i != part_of(rank); ++i)
            if (found[at + i] != files::content(rank, j, i)) return false;
    }
    std::sort(parts.begin(), parts.end());
    return std::adjacent_find(parts.begin(), parts.end()) == parts.end() && found.size() == transfers * start_of(ranks);
}

} // namespace

TEST_CASE("writes of every access and call mode put each rank's bytes at their offset in the file") {
    group const ranks{application::comm()};
    for_every(io::direction::write, [&](io::access how, call_mode as) {
        fresh_path const path{ranks};
        auto const rank = ranks.rank();
        auto const memory = memory_of(rank, [&](auto j, auto i) { return files::content(rank, j, i); });
        all_transfers(ranks, path.str(), how, as, memory.bytes(), io::file_sync::at_end);
        auto const found = bytes_of(path.str()); // on every rank, since the writes are synchronized
        CHECK((unordered(how) ? has_all_parts(found, ranks.size()) : found == in_order(ranks.size())));
    });
}

TEST_CASE_FIXTURE(path_fixture, "reads of every access and call mode return the file's bytes at their offset") {
    auto const whole = start_of(ranks.size()), mine = part_of(ranks.rank()), start = start_of(ranks.rank());
    if (ranks.rank() == 0) {
        std::ofstream out{path.str(), std::ios::binary};
        for (std::size_t at = 0; at != transfers * whole; ++at) out.put(static_cast<char>(at)); // below 256
    }
    ranks.barrier();
    for_every(io::direction::read, [&](io::access how, call_mode as) {
        auto const memory = memory_of(ranks.rank(), [](auto, auto) { return std::byte{255}; });
        all_transfers(ranks, path.str(), how, as, memory.bytes(), io::file_sync::never);
        std::vector<double> taken(transfers * whole);
        std::size_t wrong = 0;
        for (std::size_t j = 0; j != transfers && mine != 0; ++j) {
            auto const at = std::to_integer<std::size_t>(memory.bytes()[32 * j]);
            if (!unordered(how)) wrong += at != j * whole + start;
            for (std::size_t i = 0; i != mine && at + i < taken.size(); ++i) {
                wrong += memory.bytes()[32 * j + i] != std::byte(at + i);
                taken[at + i] += 1;
            }
        }
        ranks.all_reduce(taken, sonde::reduction::sum);
        CHECK(wrong == 0);
        CHECK(std::all_of(taken.begin(), taken.end(), [](double times) { return times == 1; }));
    });
}

TEST_CASE("each rank has a private file through a group of itself") {
    group const ranks{application::comm()}, self{MPI_COMM_SELF};
    fresh_path const path{ranks};
    auto const own = path.str() + "_" + std::to_string(ranks.rank());
    auto const memory = memory_of(0, [&](auto j, auto i) { return files::content(ranks.rank(), j, i); });
    {
        io::file const file{self, own, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_UNIQUE_OPEN};
        transfer<io::blocking>(file, {io::direction::write}, {memory.bytes(), part_of(0), 32}, {},
                               io::file_sync::at_end);
    }
    auto const found = bytes_of(own);
    std::filesystem::remove(own);
    REQUIRE(found.size() == transfers * part_of(0));
    CHECK(found[0] == files::content(ranks.rank(), 0, 0));
    CHECK(found.back() == files::content(ranks.rank(), transfers - 1, part_of(0) - 1));
}

TEST_CASE_FIXTURE(file_fixture,
                  "rewound file pointers are at the view's beginning, and a file has the size of its resize") {
    file.resize(4096);
    CHECK(file.size() == 4096);
    std::vector<std::byte> memory(8, std::byte(ranks.rank() + 1)), back(8);
    auto const place = 8 * static_cast<std::size_t>(ranks.rank()), whole = 8 * static_cast<std::size_t>(ranks.size());
    for (auto const by : {io::positioning::individual, io::positioning::shared}) {
        if (by == io::positioning::individual) io::set_strided_view(file, {place, 8, whole});
        else io::set_byte_view(file);
        for (int round = 0; round != 2; ++round) {
            io::blocking write{file, {io::direction::write, by, true}, sonde::slice{memory}, {}, io::file_sync::at_end};
            io::blocking read{file, {io::direction::read, by, true}, sonde::slice{back}};
            file.rewind(by);
            write();
            write.complete();
            file.rewind(by);
            back.assign(8, std::byte{});
            read();
            CHECK(back == memory);
        }
    }
    CHECK(file.size() == 4096);
}

TEST_CASE("work runs between the begin and the end of an access, and a record has the access's traffic") {
    group const ranks{application::comm()};
    auto const rank = ranks.rank();
    auto const memory = memory_of(rank, [&](auto j, auto i) { return files::content(rank, j, i); });
    auto const measured = [&](auto split) {
        int worked = 0;
        auto work = [&worked] { ++worked; };
        auto plan = sonde::plan<>{}.warmup(0).batch(transfers).until(sonde::samples{1});
        auto const found = sonde::run(ranks, plan, sonde::overlapped<decltype(split)&, decltype(work)&>{split, work});
        CHECK(worked == int(transfers));
        CHECK(found.total.bytes == start_of(ranks.size()));
        return found.total.messages;
    };
    auto const whole = static_cast<MPI_Offset>(start_of(ranks.size()));
    io::offsets const places{static_cast<MPI_Offset>(start_of(rank)), whole};
    sonde::rotating const buffer{memory.bytes(), part_of(rank), 32};
    for (auto const collective : {false, true}) {
        fresh_path const path{ranks};
        io::file const file{ranks, path.str()};
        io::access const how{io::direction::write, io::positioning::explicit_offset, collective};
        auto const messages = collective
                                  ? measured(io::split_collective{file, how, buffer, places, io::file_sync::at_end})
                                  : measured(io::nonblocking{file, how, buffer, places, io::file_sync::at_end});
        CHECK(messages == static_cast<std::size_t>(collective ? 1 : ranks.size()));
        CHECK(bytes_of(path.str()) == in_order(ranks.size()));
    }
}

TEST_CASE_FIXTURE(file_fixture, "requests of several accesses may be active before the wait") {
    auto const rank = ranks.rank();
    auto const memory = memory_of(rank, [&](auto j, auto i) { return files::content(rank, j, i); });
    io::nonblocking writes{file,
                           {io::direction::write, io::positioning::explicit_offset},
                           sonde::rotating{memory.bytes(), part_of(rank), 32},
                           {MPI_Offset(start_of(rank)), MPI_Offset(start_of(ranks.size()))},
                           io::file_sync::at_end};
    writes.reserve(transfers);
    for (std::size_t j = 0; j != transfers; ++j) writes.start();
    while (!writes.test()) {
    }
    writes.wait();
    writes.complete();
    CHECK(writes.test());
    CHECK(bytes_of(path.str()) == in_order(ranks.size()));
}
