// SPDX-License-Identifier: BSL-1.0
// fake [WORD=VALUE...] --report json=FILE
//
// A program that measures nothing and reports simulated times at once: 3 rows of `time` nanoseconds and multiples of
// it, slightly more with each call (FILE.calls counts them), as library `library`, its rank on `binding`, at `date`,
// with kernel `kernel`. In call `fail` it prints "out of luck" and ends with 3 after the first row; in call `hang` it
// never ends. Other words have no effect.
#include <sonde/json.hpp>

#include <unistd.h>

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <string>

namespace {

std::map<std::string, std::string> words_of(int argc, char** argv) {
    std::map<std::string, std::string> words{
        {"time", "1000"},    {"library", "Fake 1"}, {"binding", "0"}, {"first", "8"}, {"date", "2026-01-31T08:05:00Z"},
        {"kernel", "Fake 2"}};
    for (int i = 1; i != argc; ++i) {
        std::string const word{argv[i]};
        if (auto const at = word.find('='); at != word.npos) words[word.substr(0, at)] = word.substr(at + 1);
    }
    return words;
}

std::size_t call(std::string const& count) {
    std::size_t calls = 0;
    std::ifstream{count} >> calls;
    std::ofstream{count} << ++calls;
    return calls;
}

sonde::record row(std::size_t bytes, double nanoseconds) {
    sonde::record r;
    r.point = {"fake", {{"bytes", bytes}}};
    for (int i = 0; i != 5; ++i) r.series.emplace_back(nanoseconds * 1e-9);
    return r;
}

} // namespace

int main(int argc, char** argv) {
    auto words = words_of(argc, argv);
    auto const now = call(words["json"] + ".calls");
    auto e = sonde::local_environment(argc, argv);
    e.communication_library = words["library"];
    e.bindings = {words["binding"]};
    e.date = words["date"];
    e.system.kernel = words["kernel"];
    e.stolen_before.reset(); // whether time is stolen from this machine during the test is chance
    sonde::json_lines report{words["json"], e};
    std::printf("measuring\n");
    for (std::size_t i = 1; i != 4; ++i) {
        auto const nanoseconds = std::stod(words["time"]) + static_cast<double>(now);
        report(row(std::stoul(words["first"]) * i, nanoseconds * static_cast<double>(i)));
        if (words["hang"] == std::to_string(now)) pause();
        if (words["fail"] != std::to_string(now)) continue;
        std::printf("out of luck\n");
        return 3;
    }
    return 0;
}
