// SPDX-License-Identifier: BSL-1.0
#include "osu/driver/osu_contents.hpp"

#include "osu/driver/osu_program.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <functional>
#include <memory>
#include <system_error>

namespace osu {

namespace {

// The value is an unbounded whole number. Integer datatypes keep its low bits, MPI_FLOAT its leading digits.

std::uint64_t value_at(std::size_t e, contents const& c) { return 7 * (std::uint64_t{e} + 1) + c.size + c.iteration; }

template <class T>
T encoded(std::uint64_t value) {
    if constexpr (std::is_same_v<T, float>) return 2.0f * static_cast<float>(value);
    else if constexpr (std::is_same_v<T, int>) return static_cast<int>(static_cast<std::uint32_t>(10 * value));
    else return static_cast<T>(static_cast<unsigned char>(7 * value));
}

} // namespace

void write(sonde::region bytes, contents const& c) {
    with_element(c.kind, [&](auto type) {
        using T = decltype(type);
        write_each<T>(bytes, [&](std::size_t i) { return encoded<T>(value_at(i, c)); });
    });
}

std::vector<wrong_element> find_wrong(sonde::region bytes, contents const& c) {
    std::vector<wrong_element> wrong;
    with_element(c.kind, [&](auto type) {
        using T = decltype(type);
        auto const value = [&](std::size_t i) { return encoded<T>(value_at(i, c)); };
        compare_each<T>(bytes, value, append_to(wrong));
    });
    return wrong;
}

void require_log(std::string const& directory) {
    std::filesystem::path const log{directory};
    std::error_code unknown;
    auto const there = exists(log, unknown);
    if (unknown)
        throw refusal{"Cannot write the log (" + unknown.message() + ") [-c log:" + directory +
                      "]; accepted: a path where nothing is"};
    if (there) throw refusal{"Directory already exists. [-c log:" + directory + "]; accepted: a path where nothing is"};
    auto const folder = absolute(log).parent_path();
    if (access(folder.c_str(), W_OK | X_OK) != 0)
        throw refusal{"Cannot write to " + folder.string() + " [-c log:" + directory +
                      "]; accepted: a path where a directory can be made"};
}

wrong_log::wrong_log(std::string directory, int rank)
    : directory_{std::move(directory)}, file_{directory_ + "/log-" + std::to_string(rank) + ".log"} {}

void wrong_log::operator()(contents const& of, std::vector<wrong_element> const& wrong) const {
    if (wrong.empty()) return;
    mkdir(directory_.c_str(), 0744); // another rank may have created it; fopen reports any other error
    std::unique_ptr<std::FILE, int (*)(std::FILE*)> const out{std::fopen(file_.c_str(), "a"), &std::fclose};
    if (!out) throw std::runtime_error{"cannot write the validation log " + file_ + ": " + std::strerror(errno)};
    std::fprintf(out.get(), "Size: %zu, Iteration:%zu, Datatype: %s\n", of.size, of.iteration,
                 mpi_name(of.kind).c_str());
    std::fprintf(out.get(), "%-10s%18s%18s\n", "Position", "Expected", "Actual");
    for (auto const& w : wrong) std::fprintf(out.get(), "%-10zu%18.10g%18.10g\n", w.at, w.expected, w.actual);
}

} // namespace osu
