// SPDX-License-Identifier: BSL-1.0
#include <sonde/measure/environment.hpp>

#include <doctest/doctest.h>

#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <string>
#include <vector>

namespace {

/// The number of processors of the simulated machine; 0: those of the real one.
std::size_t processors = 0;

} // namespace

/// Like Linux, refuses a set that has no room for all processors. This process may run on the first and on the last
/// one.
extern "C" int sched_getaffinity(pid_t pid, std::size_t bytes, cpu_set_t* set) noexcept {
    if (processors == 0) return syscall(SYS_sched_getaffinity, pid, bytes, set) < 0 ? -1 : 0;
    if (8 * bytes < processors) {
        errno = EINVAL;
        return -1;
    }
    CPU_ZERO_S(bytes, set);
    CPU_SET_S(0, bytes, set);
    CPU_SET_S(processors - 1, bytes, set);
    return 0;
}

namespace {

/// A shell's arguments for a command line, each in brackets.
std::string read_by_shell(std::string const& line) {
    auto* const shell = popen(("printf '[%s]' " + line).c_str(), "r");
    std::string words;
    for (int c = std::fgetc(shell); c != EOF; c = std::fgetc(shell)) words += static_cast<char>(c);
    pclose(shell);
    return words;
}

} // namespace

TEST_CASE("a binding is found on a machine of any number of processors") {
    for (std::size_t const n : {4u, 1024u, 1025u, 5000u, 1u << 20}) {
        processors = n;
        CHECK(sonde::detail::binding() == "0," + std::to_string(n - 1));
    }
    processors = 1u << 21; // more than the limit
    CHECK(sonde::detail::binding() == "unknown");
    processors = 0;
    CHECK(sonde::detail::binding() != "unknown");
}

TEST_CASE("a command line is printed as it was typed") {
    char const* const words[] = {"./osu_latency", "-m", "1:8", "--report", "json=out.json"};
    CHECK(sonde::command_line(5, words) == "./osu_latency -m 1:8 --report json=out.json");
    CHECK(sonde::command_line(0, nullptr) == "");
}

TEST_CASE("an argument with characters that a shell interprets is quoted") {
    char const* const words[] = {"a b", "", "it's", "~"};
    CHECK(sonde::command_line(4, words) == "'a b' '' 'it'\\''s' '~'");
}

TEST_CASE("a shell parses a printed command line into the same arguments, with any characters") {
    std::vector<char const*> const words{"a b",  "",           "it's",    "$HOME",      "`id`",
                                         "x\\y", "#",          "a;b|c&d", "*?[x]{1,2}", "~",
                                         "!",    "two\nlines", "\"q\"",   "-x=1",       "<in>(sub)"};
    std::string expected;
    for (std::string const word : words) expected += '[' + word + ']';
    CHECK(read_by_shell(sonde::command_line(static_cast<int>(words.size()), words.data())) == expected);
}

TEST_CASE("processors are listed as ranges") {
    CHECK(sonde::detail::processor_list({true, true, true, true, false, false, false, false, true}) == "0-3,8");
    CHECK(sonde::detail::processor_list({false, true, false, true}) == "1,3");
    CHECK(sonde::detail::processor_list({false, false}) == "");
    CHECK(sonde::detail::processor_list({true, true}) == "0-1");
}

TEST_CASE("without a communication library the environment has one rank on this host") {
    char host[256] = {};
    gethostname(host, sizeof host - 1);
    auto const e = sonde::local_environment();
    CHECK(e.hosts == std::vector<std::string>{host});
    CHECK(e.ranks_per_host == std::vector{1});
    CHECK(e.bindings.size() == 1);
    CHECK(e.bindings[0].find_first_of("0123456789") == 0);
    CHECK(e.sonde_version == SONDE_VERSION);
    CHECK(!e.compiler.empty());
    CHECK(e.schema_version == sonde::schema_version);
    CHECK(e.date <= sonde::utc_date());
    CHECK(e.system.kernel == sonde::system_of_host().kernel);
    CHECK(e.stolen_before.has_value() == sonde::stolen_time().has_value());
    CHECK(!e.stolen);
}
