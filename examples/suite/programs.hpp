// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace suite {

/// A program of an executable that contains several.
struct named_program {
    std::string name;
    std::function<int(int argc, char** argv)> main; // returns the exit status
};

/// The program `make(row)` of each row of a table.
template <class Rows, class Make>
std::vector<named_program> programs_of(Rows const& rows, Make make) {
    std::vector<named_program> all;
    for (auto const& row : rows) all.push_back(make(row));
    return all;
}

/// `main` of an executable of several programs, in families. Runs the program whose name the executable was started by:
/// the build makes a link for each. Started by another name, it takes the program's name as its first argument;
/// `--programs` prints all names, a line each. Returns the program's exit status; 1 with a line on stderr for an
/// unknown name.
int run_program(std::vector<std::vector<named_program>> const& families, int argc, char** argv);

} // namespace suite
