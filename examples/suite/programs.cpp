// SPDX-License-Identifier: BSL-1.0
#include "suite/programs.hpp"

#include <cstdio>

namespace suite {

namespace {

using program_families = std::vector<std::vector<named_program>>;

named_program const* find(program_families const& families, std::string const& path) {
    auto const name = path.substr(path.rfind('/') + 1); // npos + 1 is 0
    for (auto const& family : families)
        for (auto const& p : family)
            if (p.name == name) return &p;
    return nullptr;
}

} // namespace

int run_program(program_families const& families, int argc, char** argv) {
    if (auto const* const linked = find(families, argv[0])) return linked->main(argc, argv);
    std::string const first = argc > 1 ? argv[1] : "";
    if (auto const* const named = find(families, first)) return named->main(argc - 1, argv + 1);
    if (first == "--programs") {
        for (auto const& family : families)
            for (auto const& p : family) std::puts(p.name.c_str());
        return 0;
    }
    std::fprintf(stderr, "No program [%s]; accepted: the names that %s --programs prints\n", first.c_str(), argv[0]);
    return 1;
}

} // namespace suite
