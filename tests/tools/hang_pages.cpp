// SPDX-License-Identifier: BSL-1.0
#include "tools/replay/hang/page_folder.hpp"
#include "tools/replay/hang/page_reader.hpp"
#include "tools/replay/hang/process_state.hpp"
#include "tools/replay/hang/source_lines.hpp"
#include "tools/replay/hang/state_lines.hpp"
#include "tools/replay/recorder/own_page.hpp"

#include <doctest/doctest.h>

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

using tools::replay::any_partner;
using tools::replay::begin_call;
using tools::replay::end_call;
using tools::replay::mapped_page;
using tools::replay::own_page;
using tools::replay::page_call;
using tools::replay::rank_activity;
using tools::replay::rank_page;
using tools::replay::rank_state;

namespace {

struct folder {
    folder() {
        char name[] = "/tmp/sonde-pages-XXXXXX";
        if (mkdtemp(name) == nullptr) throw std::runtime_error{"no temporary folder"};
        path = name;
    }
    ~folder() { std::filesystem::remove_all(path); }
    folder(folder const&) = delete;
    folder& operator=(folder const&) = delete;

    std::size_t files() const {
        auto const all = std::filesystem::directory_iterator{path};
        return static_cast<std::size_t>(std::distance(begin(all), end(all)));
    }
    std::string path;
};

constexpr char const* calls[] = {"Recv", "Allreduce", "Waitall", "Irecv", "Iprobe"};

std::unique_ptr<own_page> page_in(folder const& f, int rank = 1) {
    return own_page::make(f.path, "7.job", rank, 4, calls);
}

/// Runs f in another process, because a process does not see its own locks. True if it succeeded.
bool elsewhere(auto f) {
    auto const child = fork();
    if (child == 0) _exit(f() ? 0 : 1);
    int status = 0;
    waitpid(child, &status, 0);
    return status == 0;
}

std::string site(std::uint64_t address) { return "a.cpp:" + std::to_string(address); }

page_call call(std::int32_t number, std::uint64_t key = 0) {
    page_call made;
    made.call = number;
    made.object = key;
    made.site = 8;
    return made;
}

} // namespace

TEST_CASE("a record is whole whenever it is read, and the writer does not wait") {
    struct value {
        std::uint64_t numbers[16];
    };
    auto const record = std::make_unique<tools::replay::shared_record<value>>();
    CHECK(!record->load());
    std::atomic<bool> ends{false};
    std::thread writer{[&] {
        for (std::uint64_t n = 1; !ends; ++n) {
            value v{};
            for (auto& one : v.numbers) one = n;
            record->store(v);
        }
    }};
    int changes = 0, torn = 0;
    std::uint64_t last = 0;
    auto const end = std::chrono::steady_clock::now() + std::chrono::seconds{20};
    while (changes < 3000 && std::chrono::steady_clock::now() < end)
        if (auto const v = record->load()) {
            changes += std::exchange(last, v->numbers[0]) != v->numbers[0];
            for (auto const one : v->numbers) torn += one != v->numbers[0];
        }
    ends = true;
    writer.join();
    CHECK(changes == 3000);
    CHECK(torn == 0);
}

TEST_CASE("a page is there from its lock to the end, and those of ended jobs are replaced") {
    folder const f;
    auto own = page_in(f);
    REQUIRE(own);
    CHECK(elsewhere([&] {
        auto const found = tools::replay::page_files(f.path);
        return found.size() == 1 && found[0].job == "7.job" && found[0].rank == 1 && found[0].process == getppid();
    }));
    CHECK(elsewhere([&] { return tools::replay::remove_old_pages(f.path), f.files() == 1; }));
    own.reset();
    CHECK(f.files() == 0);
    CHECK(elsewhere([&] { return page_in(f).release() != nullptr; })); // as a process that is killed
    CHECK(f.files() == 1);
    CHECK(tools::replay::pages_of_running_jobs(tools::replay::page_files(f.path)).empty());
    own = own_page::make(f.path, "8", 0, 4, calls);
    CHECK(f.files() == 1);
    CHECK(own_page::make(f.path + "/none", "8", 0, 4, calls) == nullptr);
}

TEST_CASE("a page tells where its rank is") {
    folder const f;
    auto const own = page_in(f);
    own->add_object(0, 100, false, 1, "0-3");
    own->add_object(1, 101, false, 0, "1,3");
    own->add_type(50, 8);
    auto& thread = *own->thread(0);
    auto const page = mapped_page::open(f.path + "/sonde-7.job-1");
    REQUIRE(page);
    auto const state = [&](auto between) {
        auto const first = read(page->page());
        between();
        return state_between(page->page(), first, read(page->page()), 5'000'000'000, site);
    };
    auto const nothing = [] {};
    CHECK(state(nothing).activity == rank_activity::outside);

    auto reduce = call(1, 101);
    reduce.roles = tools::replay::collective_role;
    reduce.count = 3;
    reduce.type = 50;
    reduce.root = 1;
    begin_call(thread, reduce, 1'000'000'000);
    auto s = state(nothing);
    CHECK(s.activity == rank_activity::in_call);
    CHECK(s.seconds == 4);
    CHECK((s.rank == 1 && s.size == 4 && s.call.name == "Allreduce" && s.call.object == "1,3" && s.call.number == 1));
    CHECK((s.call.root == 3 && s.call.count == 3 && s.call.bytes == 24 && s.call.site == "a.cpp:8"));
    s = state([&] {
        own->end_collective(1, false, reduce);
        end_call(thread, true, 2'000'000'000);
    });
    CHECK(s.activity == rank_activity::goes_on);
    s = state(nothing);
    CHECK((s.activity == rank_activity::outside && s.seconds == 3 && s.call.number == 1));
    CHECK((s.collectives.size() == 1 && s.collectives_on.at("1,3") == 1));

    auto begun = call(3, 100);
    begun.from = 2;
    begun.recv_tag = 9;
    own->add_message(begun, 77, 0);
    auto wait = call(2);
    wait.request_count = 2;
    wait.requests[0] = 77;
    wait.requests[1] = 78;
    begin_call(thread, wait, 3'000'000'000);
    s = state(nothing);
    REQUIRE(s.requests.size() == 1);
    CHECK((s.requests[0].from == 2 && s.requests[0].recv_tag == 9 && s.other_requests == 1));
    end_call(thread, true, 3'500'000'000);

    auto poll = call(4, 100);
    poll.from = any_partner;
    s = state([&] {
        for (int i = 0; i != 3; ++i) {
            begin_call(thread, poll, 4'000'000'000);
            end_call(thread, false, 4'000'000'000);
        }
    });
    CHECK((s.activity == rank_activity::polls && s.seconds == 1.5 && s.call.from == any_partner));
}

TEST_CASE("a rank that goes on after the second reading does not stand still") {
    folder const f;
    auto const own = page_in(f);
    auto& thread = *own->thread(0);
    auto recv = call(0);
    begin_call(thread, recv, 0);
    auto const page = mapped_page::open(f.path + "/sonde-7.job-1");
    auto const reading = read(page->page());
    CHECK(state_between(page->page(), reading, reading, 1, site).activity == rank_activity::in_call);
    end_call(thread, true, 2);
    CHECK(state_between(page->page(), reading, reading, 1, site).activity == rank_activity::goes_on);
}

TEST_CASE("a page keeps the last calls, and what it has room for") {
    folder const f;
    auto const own = page_in(f);
    std::string const long_list(2000, '1');
    for (int id = 0; id != 400; ++id) own->add_object(id, static_cast<std::uint64_t>(id) + 1, false, 0, long_list);
    for (int id = 0; id != 400; ++id) own->add_object(id, static_cast<std::uint64_t>(id) + 1, true, 0, "0-3");
    for (int n = 0; n != 1000; ++n) own->end_collective(2, false, call(1, 3));
    for (int n = 0; n != 1000; ++n) own->add_message(call(3, 1), 1, 0);
    CHECK(own->end_collective(1000, false, call(1, 3)) == 0);
    CHECK(own->thread(100) == nullptr);
    auto const page = mapped_page::open(f.path + "/sonde-7.job-1");
    auto const first = read(page->page());
    auto const s = state_between(page->page(), first, first, 0, site);
    CHECK(s.collectives.size() == rank_page::most_collectives);
    CHECK(s.collectives.back().number == 1000);
    CHECK(s.messages.size() == rank_page::most_messages);
}

TEST_CASE("a page shows the scopes of probes, from before it was made to after its end") {
    folder const f;
    auto* const memory =
        mmap(nullptr, sizeof(sonde::scope_table), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    REQUIRE(memory != MAP_FAILED);
    auto& table = *static_cast<sonde::scope_table*>(memory);
    table.layout = sonde::scope_table::this_layout;
    auto& step = *table.add("step", 0);
    step.enter(1);
    auto own = page_in(f);
    auto const page = mapped_page::open(f.path + "/sonde-7.job-1");
    REQUIRE(page);
    CHECK(page->scopes(0).empty());
    REQUIRE(own->show(table));
    auto found = page->scopes(3'000'000'000);
    REQUIRE(found.size() == 1);
    CHECK((found[0].name == "step" && found[0].kind == sonde::scope_kind::part && found[0].pass == 1));
    CHECK(found[0].seconds == 2);

    auto& halo = *table.add("step/halo", 0, sonde::scope_kind::exchange);
    table.add("other", 0)->enter(2);
    halo.enter(1);
    halo.leave(1, 2);
    halo.enter(4);
    found = page->scopes(3'000'000'000); // read before the pass began
    REQUIRE(found.size() == 2);
    CHECK((found[0].name == "step/halo" && found[0].kind == sonde::scope_kind::exchange && found[0].pass == 2));
    CHECK((found[0].seconds == 0 && found[1].name == "other"));
    own.reset();
    halo.leave(4, 5);
    CHECK(table.scopes[1].passes == 2);
    munmap(memory, sizeof table);
}

TEST_CASE("pages of monitors are no pages of the recorder, and stay") {
    folder const f;
    std::ofstream{f.path + "/sonde-monitor-12ab-0"} << "text";
    CHECK(tools::replay::page_files(f.path).empty());
    tools::replay::remove_old_pages(f.path);
    CHECK(f.files() == 1);
}

TEST_CASE("files that are no page are refused") {
    folder const f;
    auto const path = f.path + "/sonde-1-0";
    CHECK(mapped_page::open(path) == nullptr);
    std::ofstream{path} << "text";
    CHECK(mapped_page::open(path) == nullptr);
    std::ofstream{path} << std::string(tools::replay::page_file_size, '\1');
    CHECK(mapped_page::open(path) == nullptr);
}

TEST_CASE("texts of the kernel about a process") {
    auto const s = tools::replay::process_state_in("42 (a) b) T 1 1 1 0 -1 4 5 6 7 8 150 50 0 0 20", 100);
    REQUIRE(s);
    CHECK((s->letter == 'T' && s->processor_seconds == 2));
    CHECK(!tools::replay::process_state_in("42 (a) R 1", 100));
    CHECK(!tools::replay::process_state_in("", 100));
    CHECK(tools::replay::state_of_process(getpid()));
    CHECK(!tools::replay::state_of_process(0));
    auto const files =
        tools::replay::mapped_files("5600-5700 r--p 00000000 08:01 12  /bin/a program\n"
                                    "5700-5800 r-xp 00000100 08:01 12  /bin/a program\n"
                                    "7000-7100 rw-p 00000000 00:00 0  [heap]\n7100-7200 rw-p 0 00:00 0\n");
    REQUIRE(files.size() == 2);
    CHECK((files[1].path == "/bin/a program" && files[1].begin == 0x5700 && files[1].base == 0x5600));
}

TEST_CASE("the name of a call site is a line of its program, or a place in its file") {
    tools::replay::source_lines lines;
    auto const here = reinterpret_cast<std::uintptr_t>(&site) + 1;
    lines.add(getpid(), here);
    lines.look_up();
    CHECK(lines.text(getpid(), here).find_first_of("+:") != std::string::npos);
    CHECK(lines.text(getpid(), 1).empty());
}

TEST_CASE("states of other nodes are read as they were written") {
    rank_state s{.rank = 3, .size = 4, .job = "7", .host = "n1", .process = 12, .activity = rank_activity::in_call};
    s.seconds = 2.5;
    s.call = {.name = "Waitall", .object = "0-3", .waits_for_any = true, .from = 2, .recv_tag = -1, .site = "a \"b\""};
    s.requests = {{.name = "Irecv", .request = ~std::uint64_t{0}}};
    s.scopes = {{.name = "halo", .kind = sonde::scope_kind::exchange, .pass = 7, .seconds = 3}};
    s.collectives_on["0-3"] = 4;
    auto const line = tools::replay::state_line(s);
    std::istringstream in{"[1,3]<stdout>: " + line + "a line of the launcher\n" + line};
    auto const found = tools::replay::read_states(in, "x");
    REQUIRE(found.size() == 2);
    CHECK(tools::replay::state_line(found[0]) == line);
    CHECK((found[0].scopes.at(0).kind == sonde::scope_kind::exchange && found[0].scopes.at(0).pass == 7));
    CHECK((found[0].call.from == 2 && found[0].requests[0].request == ~std::uint64_t{0}));
    for (auto const text : {"{\"type\":\"trace\"}", "{", "{\"rank\":1}"}) {
        std::istringstream wrong{line + text};
        CHECK_THROWS_WITH_AS(tools::replay::read_states(wrong, "x"),
                             "x:2: no state of a rank, as sonde-replay hang --states prints it", std::runtime_error);
    }
}
