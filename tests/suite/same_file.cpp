// SPDX-License-Identifier: BSL-1.0
#include "suite/same_file.hpp"

#include <doctest/doctest.h>

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace fs = std::filesystem;

TEST_CASE("names of one file are found, before there is a file and by its links") {
    auto const folder = fs::temp_directory_path() / ("same_file_" + std::to_string(::getpid()));
    fs::remove_all(folder);
    fs::create_directory(folder);
    auto const name = [&](char const* file) { return (folder / file).string(); };
    CHECK(suite::is_same_file("a", "./a"));
    CHECK(suite::is_same_file("a", fs::absolute("a").string()));
    CHECK(suite::is_same_file(name("a"), name("./absent/../a")));
    CHECK(!suite::is_same_file(name("a"), name("b")));
    std::ofstream{name("a")} << "a";
    std::ofstream{name("b")} << "a";
    fs::create_symlink("a", name("link"));
    CHECK(suite::is_same_file(name("a"), name("link")));
    CHECK(!suite::is_same_file(name("b"), name("link")));
    CHECK(!suite::is_same_file("/absent/a", "/absent/b"));
    fs::remove_all(folder);
}
