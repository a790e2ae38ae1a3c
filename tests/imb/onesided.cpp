// SPDX-License-Identifier: BSL-1.0
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include "imb/driver/setting.hpp"
#include "imb/one_sided/rma_measure.hpp"
#include "onesided_trace.hpp"

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

// Every row of IMB-EXT and IMB-RMA without the driver, on all ranks, or on the first two.

namespace {

constexpr std::size_t n = 3;

std::string times(std::size_t count, std::string const& what) {
    std::string all;
    for (; count != 0; --count) all += what;
    return all;
}

/// The letters of a rank's calls in a repetition, and between two readings of the clock.
struct rank_of {
    int rank;
    int ranks;

    bool first() const { return rank == 0; }
    std::string others(char const* call) const { return times(static_cast<std::size_t>(ranks - 1), call); }
    std::string if_first(std::string const& calls) const { return first() ? calls : ""; }
};

std::string each(std::string const& transfer, std::string const& end) { return times(n, transfer + end); }
std::string all(std::string const& transfer, std::string const& end) { return times(n, transfer) + end; }

/// The letter of a row's transfer.
std::string letter(std::string const& name) {
    if (name == "Accumulate") return "a";
    if (name == "Get_accumulate") return "m";
    if (name == "Fetch_and_op") return "o";
    if (name == "Compare_and_swap") return "c";
    return name.find("ut") != name.npos ? "p" : "g"; // Put, put
}

/// The MPI calls of a sample by IMB's definition, from the first reading of the clock to the last.
std::string ext_calls(std::string const& name, imb::mode m, rank_of r) {
    auto const aggregate = m == imb::mode::aggregate;
    if (name == "Window") return "t" + times(n, "CfpfX") + "t";
    if (name == "Accumulate") return aggregate ? "tf" + all("a", "f") + "t" : times(n, "tfaft");
    auto const one_way = name.starts_with("Unidir");
    auto const origin = name == "Unidir_Get" ? r.rank == 1 : r.rank == 0;
    auto const transfer = one_way && !origin ? std::string{} : letter(name);
    return "t" + (aggregate ? all(transfer, "f") : each(transfer, "f")) + "t";
}

std::string rma_calls(std::string const& name, imb::mode m, rank_of r) {
    auto const call = letter(name);
    auto const is = [&](char const* what) { return name == what; };
    if (is("All_put_all") || is("All_get_all")) return "t" + all(r.others(call.c_str()), "A") + "t";
    if (is("One_put_all") || is("One_get_all")) return "t" + r.if_first(all(r.others(call.c_str()), "A")) + "t";
    if (is("Put_all_local") || is("Get_all_local")) return "t" + r.if_first(all(r.others(call.c_str()), "B")) + "t";
    if (name.starts_with("Exchange")) return "t" + each(call + call, r.ranks > 2 ? "FF" : "F") + "t";
    if (is("Truly_passive_put")) return "t" + times(n, r.if_first("pF") + "b") + "t";
    auto const end = is("Put_local") || is("Get_local") ? "l" : "F";
    auto const calls = m == imb::mode::aggregate ? all(call, end) : each(call, end);
    return "t" + (name.starts_with("Bidir") ? calls : r.if_first(calls)) + "t";
}

bool is_of_two(imb::benchmark const& row) {
    return row.kind == imb::family::single_transfer || row.kind == imb::family::single_element;
}

/// The group of a row's ranks; null on other ranks.
std::unique_ptr<sonde::mpi::group> group_of(imb::benchmark const& row) {
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    auto const in = !is_of_two(row) || rank < 2;
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Comm_split(MPI_COMM_WORLD, in ? 0 : MPI_UNDEFINED, rank, &comm);
    if (!in) return nullptr;
    auto group = std::make_unique<sonde::mpi::group>(comm);
    MPI_Comm_free(&comm);
    return group;
}

std::vector<std::size_t> sizes_of(imb::benchmark const& row) {
    if (row.kind == imb::family::single_element) return {4};
    return {4, 24};
}

/// f(setting) for a row in each of its modes and some sizes, in memory with the given number of slots.
template <class F>
void with_settings(imb::benchmark const& row, std::size_t slots, F f) {
    auto const group = group_of(row);
    if (group == nullptr) return;
    imb::options const asked;
    for (auto const m : row.modes)
        for (std::size_t const bytes : sizes_of(row)) {
            auto const needs = row.needs(bytes, static_cast<std::size_t>(group->size()));
            imb::buffer_layout const out{slots, (needs.send + 127) / 64 * 64},
                in{slots, (needs.receive + 127) / 64 * 64};
            auto const memory = imb::memory_of(asked);
            imb::message_memory send{out.bytes(), memory}, receive{in.bytes(), memory};
            send.fill({}), receive.fill({});
            imb::setting on{.group = *group,
                            .options = asked,
                            .test = row,
                            .bytes = bytes,
                            .send = {send.bytes(), memory, out},
                            .receive = {receive.bytes(), memory, in},
                            .data = MPI_BYTE,
                            .reduced = MPI_FLOAT,
                            .sum = MPI_SUM,
                            .element_bytes = row.reduces ? std::size_t{4} : std::size_t{1},
                            .world_rank = group->rank(),
                            .mode = m,
                            .max_repetitions = n};
            CAPTURE(row.name);
            CAPTURE(static_cast<int>(m));
            CAPTURE(bytes);
            f(on);
        }
}

std::vector<imb::benchmark> rows() {
    auto found = imb::ext().tests;
    for (auto& row : imb::rma().tests) found.push_back(row);
    return found;
}

using calls_of = std::string (*)(std::string const&, imb::mode, rank_of);

void check_calls(imb::component const& about, calls_of expected) {
    for (auto const& row : about.tests)
        with_settings(row, n, [&](imb::setting& on) {
            auto const work = row.make(on);
            trace::calls.clear();
            auto const found = work.measure(n);
            auto const wanted = "bb" + expected(row.name, on.mode, {on.group.rank(), on.group.size()});
            CHECK(trace::calls.find(wanted) != trace::calls.npos);
            CHECK(found.overlap.has_value() == (row.shows == imb::columns::passive_overlap));
        });
}

/// The bytes of a repetition, of all ranks.
double moved(imb::benchmark const& row, double s, double ranks) {
    auto const& name = row.name;
    if (name == "Window") return ranks;
    if (name.starts_with("Bidir")) return 2 * s;
    if (name.starts_with("Exchange")) return 2 * ranks * s;
    if (name.starts_with("All_")) return ranks * (ranks - 1) * s;
    if (row.to_all_others) return (ranks - 1) * s;
    return name == "Accumulate" && row.kind == imb::family::collective ? ranks * s : s;
}

} // namespace

TEST_CASE("IMB-EXT: between the clock readings are the MPI calls of IMB's definition, and no others") {
    check_calls(imb::ext(), ext_calls);
}

TEST_CASE("IMB-RMA: between the clock readings are the MPI calls of IMB's definition, and no others") {
    check_calls(imb::rma(), rma_calls);
}

TEST_CASE("IMB's one-sided benchmarks: a record counts the bytes that all ranks move in a repetition") {
    for (auto const& row : rows())
        with_settings(row, n, [&](imb::setting& on) {
            auto const r = row.make(on).measure(n).pure;
            CHECK(r.total.bytes == moved(row, static_cast<double>(on.bytes), on.group.size()));
            CHECK(r.stop.samples * r.batch == n);
            auto const exposed = std::string{"Unidir_put Put_local Truly_passive_put One_put_all"};
            if (exposed.find(row.name) != exposed.npos) CHECK(r.initiators == 1);
        });
}

TEST_CASE("IMB's one-sided benchmarks: transfers arrive at their places, and a check finds a wrong one") {
    for (auto const& row : rows())
        for (auto const slots : {std::size_t{1}, std::size_t{3}})
            with_settings(row, slots, [&](imb::setting& on) {
                auto const work = row.make(on);
                if (row.name == "Window") {
                    CHECK_FALSE(work.defects);
                    return;
                }
                CHECK(work.defects() == 0);
                trace::forgets = on.group.rank() == (row.name == "Unidir_Get" ? 1 : 0);
                CHECK(work.defects() == 1);
                trace::forgets = false;
                CHECK(work.defects() == 0);
            });
}

TEST_CASE("IMB's one-sided benchmarks: repetitions beyond the number of slots begin with the first slot again") {
    for (auto const& row : rows())
        with_settings(row, 2, [&](imb::setting& on) {
            if (!row.disjoint) return;
            trace::transfers.clear();
            auto const parts = row.make(on).measure(7).overlap ? std::size_t{2} : std::size_t{1};
            auto const& all = trace::transfers;
            auto const each = all.size() / 7 / parts;
            CHECK(all.size() == each * 7 * parts);
            if (on.group.rank() == (row.name == "Unidir_Get" ? 1 : 0)) CHECK(each != 0);
            auto const gets = letter(row.name) == "g";
            auto const origin = gets ? on.receive.layout.stride : on.send.layout.stride;
            auto const target = gets ? on.send.layout.stride : on.receive.layout.stride;
            for (std::size_t i = 0; i != 7 * each; ++i) {
                auto const slot = i / each % 2;
                CHECK(all[i].origin == all[i % each].origin + slot * origin);
                CHECK(all[i].target == all[i % each].target + static_cast<std::ptrdiff_t>(slot * target));
            }
        });
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int failed = doctest::Context{argc, argv}.run();
    MPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    MPI_Finalize();
    return failed;
}
