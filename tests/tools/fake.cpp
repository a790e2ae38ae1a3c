// SPDX-License-Identifier: BSL-1.0
// fake [WORD=VALUE...] --report json=FILE
//
// A program that measures nothing and reports simulated times at once: 3 rows of `time` nanoseconds and multiples of
// it, slightly more with each call (FILE.calls counts them), as library `library`, its rank on `binding`, at `date`,
// with kernel `kernel`, named `name`. In call `fail` it prints "out of luck" and ends with 3 after the first row; in
// call `hang` it never ends. `noise` is the standard deviation of a call's times, relative; each `seed` has other
// times. `when` is a list NAME=VALUE:F1/F2/F3,...: if the environment variable has that value, or a parameter file that
// is given as `mpirun --tune` gives it to Open MPI, the times of the rows are multiplied by these factors, and a factor
// `fail` or `hang` ends the program, or never. Other words have no effect.
#include <sonde/json/lines.hpp>

#include <unistd.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <random>
#include <sstream>
#include <string>

namespace {

std::map<std::string, std::string> words_of(int argc, char** argv) {
    std::map<std::string, std::string> words{
        {"time", "1000"},     {"library", "Fake 1"}, {"binding", "0"}, {"first", "8"}, {"date", "2026-01-31T08:05:00Z"},
        {"kernel", "Fake 2"}, {"name", "fake"},      {"noise", "0"},   {"seed", "1"}};
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

/// Value of an environment variable, or of the parameter in a file that Open MPI would read.
std::string value_of(std::string const& name) {
    if (auto const* const value = std::getenv(name.c_str())) return value;
    auto const* const path = std::getenv("OMPI_MCA_mca_base_envar_file_prefix");
    std::ifstream file{path == nullptr ? "" : path};
    for (std::string line; std::getline(file, line);)
        if (auto const at = line.find(" = "); at != line.npos && "OMPI_MCA_" + line.substr(0, at) == name)
            return line.substr(at + 3);
    return {};
}

using factors = std::array<std::string, 3>;

/// "1.5/1/1" of "NAME=VALUE:1.5/1/1" if the variable has the value; otherwise factors of 1.
void multiply(std::string const& rule, factors& to) {
    auto const equal = rule.find('='), colon = rule.find(':', equal);
    if (rule.substr(equal + 1, colon - equal - 1) != value_of(rule.substr(0, equal))) return;
    std::istringstream text{rule.substr(colon + 1)};
    for (auto& factor : to) std::getline(text, factor, '/');
}

factors factors_in(std::string const& rules) {
    factors all{"1", "1", "1"};
    std::istringstream text{rules};
    for (std::string rule; std::getline(text, rule, ',');) multiply(rule, all);
    return all;
}

/// Factor of all times of a call: lognormal.
double noise(std::string const& deviation, std::string const& seed, std::size_t now) {
    std::mt19937_64 bits{std::stoul(seed) * 1000 + now};
    return std::exp(std::stod(deviation) * std::normal_distribution<double>{}(bits));
}

sonde::record row(std::string const& name, std::size_t bytes, double nanoseconds) {
    sonde::record r;
    r.ranks = r.initiators = 2;
    r.point = {name, {{"bytes", bytes}}};
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
    auto const by_environment = factors_in(words["when"]);
    auto const scatter = noise(words["noise"], words["seed"], now);
    for (std::size_t i = 1; i != 4; ++i) {
        auto const nanoseconds = std::stod(words["time"]) + static_cast<double>(now);
        auto const& factor = by_environment[i - 1];
        if (factor == "hang") pause();
        if (factor == "fail") return 4;
        report(row(words["name"], std::stoul(words["first"]) * i,
                   nanoseconds * scatter * std::stod(factor) * static_cast<double>(i)));
        if (words["hang"] == std::to_string(now)) pause();
        if (words["fail"] != std::to_string(now)) continue;
        std::printf("out of luck\n");
        return 3;
    }
    return 0;
}
