// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/measure/record.hpp>

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace reports {

/// A file in memory.
class memory_file {
public:
    memory_file() : file_{open_memstream(&text_, &size_)} {}
    memory_file(memory_file const&) = delete;
    ~memory_file() {
        std::fclose(file_);
        std::free(text_);
    }
    std::FILE* get() const { return file_; }
    /// The text flushed so far.
    std::string text() const { return {text_, size_}; }

private:
    char* text_ = nullptr;
    std::size_t size_ = 0;
    std::FILE* file_;
};

/// A folder of its own for each test, removed with all its files.
class scratch_folder {
public:
    scratch_folder() {
        auto pattern = (std::filesystem::temp_directory_path() / "sonde-XXXXXX").string();
        path_ = mkdtemp(pattern.data());
    }
    scratch_folder(scratch_folder const&) = delete;
    ~scratch_folder() { std::filesystem::remove_all(path_); }

    std::string operator/(std::string const& name) const { return (path_ / name).string(); }
    std::size_t files() const {
        return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator{path_}, {}));
    }

private:
    std::filesystem::path path_;
};

inline std::string contents(std::string const& path) {
    std::ifstream file{path, std::ios::binary};
    return {std::istreambuf_iterator<char>{file}, {}};
}

inline bool has(std::string const& text, std::string const& part) { return text.find(part) != std::string::npos; }

/// Hides all programs from PATH during its lifetime.
class no_programs {
public:
    no_programs() : before_{std::getenv("PATH")} { setenv("PATH", "/nowhere", 1); }
    no_programs(no_programs const&) = delete;
    ~no_programs() { setenv("PATH", before_.c_str(), 1); }

private:
    std::string before_;
};

inline bool const no_gnuplot = std::system("command -v gnuplot >/dev/null") != 0;

/// By its digits: with -ffast-math compilers convert whole nanoseconds by a factor of 1e-9, which is rounded.
inline sonde::seconds ns(long long count) {
    return sonde::seconds{std::strtod((std::to_string(count) + "e-9").c_str(), nullptr)};
}

/// A record of `run` for a pattern in which no rank of two counts: 2 samples of 0.
inline sonde::record record_without_initiators() {
    sonde::record r;
    r.point = {"idle", {{"bytes", 8}}};
    r.ranks = 2;
    r.series = {sonde::seconds{}, sonde::seconds{}};
    r.sample_means = r.series;
    r.slowest_counts = std::vector<std::size_t>{0, 0};
    r.clock_properties = {sonde::seconds{20e-9}, sonde::seconds{1e-9}, sonde::seconds{15e-9}};
    r.stop = {sonde::stop_reason::samples, 2};
    return r;
}

/// 8 samples, 1000 to 8000 ns in no order, with a distinct value of every other member.
inline sonde::record example(std::size_t bytes = 4096) {
    sonde::record r;
    r.point = {"ping_pong", {{"bytes", bytes}, {"link", "ssend"}}};
    r.total = {bytes, 1, 2};
    r.ranks = 4;
    r.initiators = 2;
    r.batch = 10;
    for (int const i : {1, 8, 3, 6, 5, 4, 7, 2}) r.series.push_back(ns(1000 * i));
    r.slowest_counts = std::vector<std::size_t>{5, 0, 3, 0};
    r.over_ranks = {ns(4100), ns(4300), ns(4500)};
    r.first = ns(90000);
    r.clock_properties = {ns(23), ns(10), ns(20)};
    r.stop = {sonde::stop_reason::time_budget, 8};
    return r;
}

/// An alternative of a comparison, of which every round takes the same time.
inline sonde::record steady(char const* name, long long nanoseconds, std::size_t rounds) {
    sonde::record r;
    r.point.name = name;
    r.series.assign(rounds, ns(nanoseconds));
    r.clock_properties.resolution = ns(1);
    r.stop = {sonde::stop_reason::samples, rounds};
    return r;
}

/// An alternative that is faster than `steady("a", 8000, 40)` by factors from 2 to 4, which is also their interval.
inline sonde::record faster_by_2_to_4() {
    auto r = steady("b", 4000, 40);
    for (std::size_t i = 0; i != 40; i += 2) r.series[i] = ns(2000);
    r.clock_properties.resolution = {};
    return r;
}

} // namespace reports
