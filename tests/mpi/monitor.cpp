// SPDX-License-Identifier: BSL-1.0
#include "application.hpp"

#include <sonde/monitor.hpp>
#include <sonde/mpi.hpp>
#include <sonde/report/text.hpp>

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <unistd.h>

namespace {

std::string text_of(std::string const& path) {
    std::ifstream file{path};
    return {std::istreambuf_iterator<char>{file}, {}};
}

/// A new folder, which all ranks know.
std::string shared_folder(sonde::mpi::group& world) {
    auto name = (std::filesystem::temp_directory_path() / "sonde-XXXXXX").string();
    if (world.rank() == 0) name = mkdtemp(name.data());
    sonde::broadcast(world, name);
    return name;
}

/// The value of the label "job_id".
std::string label_of(std::string const& text) {
    auto const begin = text.find("job_id=") + 7;
    return text.substr(begin, text.find(',', begin) - begin);
}

} // namespace

TEST_CASE("the monitors of the ranks of a node have one file with the passes of all, without a message") {
    sonde::mpi::group world{application::comm()};
    auto const folder = shared_folder(world);
    auto const path = folder + "/app.prom";
    {
        sonde::probe probe;
        sonde::monitor monitor{world, path, {.interval = sonde::seconds{3600}, .folder = folder}};
        monitor.add(probe);
        auto& work = probe.scope("work", {.bytes = 8});
        for (int i = 0; i <= world.rank(); ++i) {
            auto const pass = work.enter();
        }
        auto& meeting = probe.exchange("meeting");
        for (int i = 0; i != 5; ++i) {
            if (world.rank() == 0) usleep(5000);
            auto const pass = meeting.enter();
            world.barrier();
        }
        world.barrier();
        auto const wrote = monitor.write() ? 1. : 0.;
        double writers[1] = {wrote};
        world.all_reduce(writers, sonde::reduction::sum);
        CHECK(application::everywhere(writers[0] == 1));
        auto const text = text_of(path);
        auto const waiting = "sonde_scope_waiting_seconds_total{job_id=" + label_of(text) + ",scope=\"meeting\"} ";
        auto const found = text.find(waiting);
        auto const seconds = found == text.npos ? -1 : std::stod(text.substr(found + waiting.size()));
        CHECK(application::everywhere(world.size() == 1 ? seconds == -1 : seconds > 4 * 1e-3)); // in the last four
        auto const n = world.size(), passes = n * (n + 1) / 2;
        CHECK(application::everywhere(text.find("state=\"running\"} " + std::to_string(n) + '\n') != text.npos));
        CHECK(application::everywhere(text.find("scope=\"work\"} " + std::to_string(passes) + '\n') != text.npos));
        CHECK(application::everywhere(text.find("scope=\"work\"} " + std::to_string(8 * passes) + '\n') != text.npos));
        world.barrier();
    }
    world.barrier();
    CHECK(application::everywhere(std::filesystem::is_empty(folder)));
    world.barrier();
    if (world.rank() == 0) std::filesystem::remove(folder);
}
