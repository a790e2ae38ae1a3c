// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "imb/driver/component.hpp"
#include "imb/driver/imb_command_line.hpp"
#include "imb/driver/imb_options.hpp"

#include "suite/refusal.hpp"

#include <fstream>
#include <string>
#include <vector>

namespace imb {

inline benchmark named(std::string name, bool by_default = true, std::vector<std::string> comment = {}) {
    benchmark b;
    b.name = std::move(name);
    b.by_default = by_default;
    b.comment = std::move(comment);
    return b;
}

/// A program with every option and a few benchmarks that never run.
inline component program() {
    return {.program = "IMB-TEST",
            .part = "test part",
            .tests = {named("PingPong"), named("PingPing"), named("Uniband", false), named("Bcast"),
                      named("Passive", true, {"2 cases:", "1) one"})},
            .io = true};
}

using words = std::vector<std::string>;

inline options parsed(words const& all, component const& about = program()) {
    std::vector<char const*> argv{"IMB-TEST"};
    for (auto const& w : all) argv.push_back(w.c_str());
    return parse(about, static_cast<int>(argv.size()), argv.data());
}

/// The text of the refusal; "" without one.
template <class F>
std::string refused(F const& f) {
    try {
        f();
    } catch (suite::refusal const& e) {
        return e.what();
    }
    return "";
}

/// A value in a message.
inline std::string as_shown(std::string const& value) { return value.empty() ? "''" : value; }

inline std::string refused(words const& all) {
    return refused([&] { parsed(all); });
}

/// A file with this text, in the test's folder.
struct file {
    std::string path;
    file(std::string name, std::string const& text) : path{std::move(name)} { std::ofstream{path} << text; }
    file(file const&) = delete;
    ~file() { std::remove(path.c_str()); }
};

} // namespace imb
