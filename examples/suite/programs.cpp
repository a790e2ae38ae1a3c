// SPDX-License-Identifier: BSL-1.0
#include "suite/programs.hpp"

#include <algorithm>
#include <cstdio>

namespace suite {

namespace {

named_program const* find(std::vector<named_program> const& all, std::string const& path) {
    auto const name = path.substr(path.rfind('/') + 1); // npos + 1 is 0
    auto const is_it = [&](named_program const& p) { return p.name == name; };
    auto const found = std::find_if(all.begin(), all.end(), is_it);
    return found == all.end() ? nullptr : &*found;
}

} // namespace

int run_program(std::vector<named_program> const& all, int argc, char** argv) {
    if (auto const* const linked = find(all, argv[0])) return linked->main(argc, argv);
    std::string const first = argc > 1 ? argv[1] : "";
    if (auto const* const named = find(all, first)) return named->main(argc - 1, argv + 1);
    if (first == "--programs") {
        for (auto const& p : all) std::puts(p.name.c_str());
        return 0;
    }
    std::fprintf(stderr, "No program [%s]; accepted: the names that %s --programs prints\n", first.c_str(), argv[0]);
    return 1;
}

} // namespace suite
