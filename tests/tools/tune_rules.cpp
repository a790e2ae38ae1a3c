// SPDX-License-Identifier: BSL-1.0
#include "tools/tune/choice.hpp"
#include "tools/tune/rules_file.hpp"
#include "tools/tune/settings_file.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace {

using namespace tools::tune;

constexpr sonde::outcome faster = sonde::outcome::faster, slower = sonde::outcome::slower,
                         undecided = sonde::outcome::undecided;

std::vector<tuned_row> sized_rows(std::string const& collective, std::vector<double> const& sizes) {
    std::vector<tuned_row> rows;
    for (auto const s : sizes) rows.push_back({"osu_" + collective + " bytes=" + std::to_string(s), collective, s, 4});
    return rows;
}

candidate algorithm(std::string const& word, int number, std::size_t segment = 0) {
    return {{{"coll_tuned_allreduce_algorithm", word}, {"coll_tuned_use_dynamic_rules", "1"}},
            "allreduce",
            number,
            segment};
}

library_settings with_algorithm(std::string const& value) {
    return {"Open MPI v4.1.4",
            "",
            4,
            1,
            {{"coll_tuned_allreduce_algorithm", value, {{"ignore", 0}, {"basic_linear", 1}, {"ring", 4}}}}};
}

/// Gains of a racer with these ratios, all of them sure.
std::vector<gain> sure(std::vector<double> const& ratios) {
    std::vector<gain> all;
    for (auto const r : ratios) all.push_back({r, r < 1 ? 0.001 : 1, r > 1 ? 0.001 : 1});
    return all;
}

confirmed_row row(sonde::outcome v) { return {2, 1, 2, 1.9, 2.1, 0.002, v}; }

class written_file {
public:
    explicit written_file(std::string const& text) { std::ofstream{path} << text; }
    written_file(written_file const&) = delete;
    ~written_file() { std::filesystem::remove(path); }
    std::string const path = (std::filesystem::temp_directory_path() / "tune_rules.conf").string();
};

std::string complaint(std::string const& text) {
    written_file const file{text};
    try {
        (void)read_settings_file(file.path);
    } catch (std::exception const& e) {
        std::string const what{e.what()};
        return what.starts_with(file.path) ? what.substr(file.path.size()) : what;
    }
    return "none";
}

} // namespace

TEST_CASE("rules have sizes of communicators, and end at twice the longest message") {
    collective_rules const rules{
        "allreduce", 4, 0, {{1024, 0, 0, {}}, {2048, 3, 0, "2 times as fast"}, {4096, 5, 8192, {}}}};
    CHECK(rules_text({rules}) == "# size, algorithm, fan-out, segment size\n"
                                 "1  # collectives\n"
                                 "2  # allreduce\n"
                                 "3  # sizes of communicators\n"
                                 " 2  # ranks\n  1  # message size\n  0 0 0 0\n"
                                 " 4  # ranks\n"
                                 "  4  # message sizes\n"
                                 "  0 0 0 0\n"
                                 "  2048 3 0 0  # 2 times as fast\n"
                                 "  4096 5 0 8192\n"
                                 "  8192 0 0 0\n"
                                 " 5  # ranks\n  1  # message size\n  0 0 0 0\n");
}

TEST_CASE("sizes are the library's: of all ranks for blocks, none for a barrier") {
    CHECK(size_in_rules("allreduce", 100, 4) == 100);
    CHECK(size_in_rules("alltoall", 100, 4) == 400);
    CHECK(size_in_rules("barrier", 100, 4) == 0);
    CHECK(rules_text({{"barrier", 2, 0, {{0, 6, 0, {}}}}}).find("2  # ranks\n  1  # message sizes\n  0 6 0 0\n 3") !=
          std::string::npos);
    CHECK(collective_number("allgather") == 0);
    CHECK(collective_number("bcast") == 7);
    CHECK(collective_number("scatterv") == 16);
    CHECK_FALSE(collective_number("iallreduce"));
}

TEST_CASE("algorithms are chosen by size, and of equal ones that of the size before") {
    auto const rows = sized_rows("allreduce", {8, 16, 32, 64});
    std::vector<candidate> const candidates{algorithm("ring", 4), algorithm("segmented_ring", 5, 8192)};
    std::vector<std::vector<gain>> const gains{sure({1, 1, 1, 1}), sure({1.5, 0.5, 0.51, 0.9}),
                                               sure({1.5, 1, 0.5, 0.5})};
    auto const chosen = choose(candidates, rows, gains, with_algorithm("ignore"), {});
    CHECK(chosen.settings.empty());
    REQUIRE(chosen.rules.size() == 1);
    std::vector<int> numbers;
    for (auto const& r : chosen.rules[0].rules) numbers.push_back(r.algorithm);
    CHECK(numbers == std::vector<int>{0, 4, 4, 5});
    CHECK(chosen.rules[0].rules[3].segment == 8192);
    CHECK(chosen.rules[0].otherwise == 0);
}

TEST_CASE("a forced algorithm is undone as a whole, unless another one is better in a row") {
    auto const rows = sized_rows("allreduce", {8, 16});
    std::vector<candidate> const candidates{algorithm("ignore", 0), algorithm("ring", 4)};
    auto chosen =
        choose(candidates, rows, {sure({1, 1}), sure({1, 0.5}), sure({1.5, 0.49})}, with_algorithm("basic_linear"), {});
    CHECK(chosen.rules.empty());
    CHECK(chosen.settings == candidates[0].settings);
    chosen = choose(candidates, rows, {sure({1, 1}), sure({0.5, 0.5}), sure({1.5, 0.2})},
                    with_algorithm("basic_linear"), {});
    REQUIRE(chosen.rules.size() == 1);
    CHECK(chosen.rules[0].otherwise == 1);
    auto const all = all_settings(chosen, "/x.rules");
    CHECK(all == std::vector<setting>{{"coll_tuned_use_dynamic_rules", "1"},
                                      {"coll_tuned_dynamic_rules_filename", "/x.rules"},
                                      {"coll_tuned_allreduce_algorithm", "0"}});
}

TEST_CASE("rows that are no sizes of the collective have one setting for all") {
    std::vector<tuned_row> const phases{{"replay phase=all", "replay", {}, 4},
                                        {"replay phase=loop 1", "replay", {}, 4}};
    std::vector<candidate> const candidates{algorithm("ring", 4), {{{"btl_vader_eager_limit", "65536"}}}};
    auto const chosen =
        choose(candidates, phases, {sure({1, 1}), sure({0.5, 1.5}), sure({0.9, 1})}, with_algorithm("ignore"), {});
    CHECK(chosen.settings == candidates[1].settings);
}

TEST_CASE("a confirmation keeps the rules of rows that are faster, and drops settings that make a row slower") {
    auto const rows = sized_rows("allreduce", {8, 16, 32});
    tuned_settings const rules{{}, {{"allreduce", 4, 0, {{8, 4, 0, {}}, {16, 4, 0, {}}, {32, 4, 0, {}}}}}};
    auto const kept = confirmed_settings(rules, rows, {row(undecided), row(faster), row(slower)});
    REQUIRE(kept.rules.size() == 1);
    CHECK(kept.rules[0].rules[0].algorithm == 0);
    CHECK(kept.rules[0].rules[1].algorithm == 4);
    CHECK(kept.rules[0].rules[1].evidence == "2.00 times as fast [1.90, 2.10], p 0.0020");
    CHECK(kept.rules[0].rules[2].algorithm == 0);
    CHECK(confirmed_settings(rules, rows, {row(undecided), row(undecided), row(undecided)}).empty());
    tuned_settings const eager{{{"btl_vader_eager_limit", "65536"}}, {}};
    CHECK(confirmed_settings(eager, rows, {row(faster), row(undecided), row(undecided)}).settings == eager.settings);
    CHECK(confirmed_settings(eager, rows, {row(faster), row(undecided), row(slower)}).empty());
}

TEST_CASE("settings are lines of a parameter file or of a shell, and are read from both") {
    std::vector<setting> const mca{{"btl_vader_eager_limit", "65536"}}, cvar{{"MPIR_CVAR_BCAST_INTRA_ALGORITHM", "nb"}};
    CHECK(settings_text(mca, mpi_library::open_mpi) == "btl_vader_eager_limit = 65536\n");
    CHECK(settings_text(cvar, mpi_library::mpich) == "export MPIR_CVAR_BCAST_INTRA_ALGORITHM=nb\n");
}

TEST_CASE("a file has parameters, or lines for a shell, each of which a job takes in its own way") {
    written_file const parameters{"# a comment\n\nbtl_vader_eager_limit = 65536 # in bytes\nbtl=self,tcp\n"};
    auto const file = read_settings_file(parameters.path);
    CHECK(file.form == settings_form::parameters);
    CHECK(file.settings == std::vector<setting>{{"btl_vader_eager_limit", "65536"}, {"btl", "self,tcp"}});
    CHECK(file.environment() == environment_words{"OMPI_MCA_mca_base_envar_file_prefix=" + parameters.path});
    written_file const shell{"export OMPI_MCA_a='b c'\nMPIR_CVAR_X=nb\n"};
    CHECK(read_settings_file(shell.path).environment() == environment_words{"OMPI_MCA_a=b c", "MPIR_CVAR_X=nb"});
    CHECK(complaint("a = 1\nexport OMPI_MCA_a=1\n") == ":2: mixes lines for a shell with parameters of Open MPI");
    CHECK(complaint("export A = 1\n") == ":1: is no setting, NAME = VALUE or NAME=VALUE of a shell, and no rule");
}

TEST_CASE("a file of parameters goes before those that the environment names, and replaces none") {
    setenv("OMPI_MCA_mca_base_envar_file_prefix", "/site.conf", 1);
    CHECK(words_for_parameters("/x.conf") ==
          environment_words{"OMPI_MCA_mca_base_envar_file_prefix=/x.conf,/site.conf"});
    unsetenv("OMPI_MCA_mca_base_envar_file_prefix");
}

TEST_CASE("rules that Open MPI ignores are refused with the line where its reader ends") {
    auto const rules = [](std::string const& text) { return complaint("# size\n" + text); };
    CHECK(rules("1\n0\n1\n2\n2\n0 3 0 0\n8 4 0 0 # fast\n") == "none");
    CHECK(rules("1\n0\n1\n2\n3\n0 3 0 0\n8 4 0 0\n") ==
          ":8: Open MPI ignores the file without a word: it ends before message size 3 of 3");
    CHECK(rules("1\n0\n1\n2\n1\n0 3 0\n") ==
          ":7: Open MPI ignores the file without a word: it ends before the segment size of message size 1 of 1");
    CHECK(rules("1\n0\n1\n2\n1\n8 3 0 0\n") ==
          ":7: Open MPI ignores the file without a word: the first message size is 8, not 0");
    CHECK(rules("1\n22\n1\n2\n1\n0 3 0 0\n") ==
          ":3: Open MPI ignores the file without a word: the number of collective 1 of 1 is 22");
    CHECK(rules("1\n0\n1\n2\n1\n0 -3 0 0\n") ==
          ":7: Open MPI ignores the file without a word: the algorithm of message size 1 of 1 is -3");
    CHECK(rules("1\n0\n1\n2\n1\n0 3 0 0\n8 4 0 0\n") ==
          ":8: Open MPI does not read 8 and what follows: a count is too small");
    CHECK(complaint("coll_tuned_dynamic_rules_filename = /none\n").starts_with("cannot read '/none'"));
}

TEST_CASE("settings that change no control variable are named, and a file that changes none is refused") {
    library_settings const without{"Open MPI v4.1.4", "", 2, 1, {{"a", "1"}, {"b", "2"}, {"c", "3"}}};
    auto with = without;
    with.variables[1].value = "20";
    settings_file file{"f", settings_form::parameters, {{"a", "10"}, {"b", "20"}, {"d", "4"}}};
    setenv("OMPI_MCA_a", "1", 1);
    CHECK(settings_without_effect(file, without, with) ==
          std::vector<std::string>{"a is 1 without the file, too: OMPI_MCA_a of the environment goes before it",
                                   "d is no control variable of the library in this program"});
    CHECK(variables_before_file(file.settings) == std::vector<std::string>{"OMPI_MCA_a"});
    unsetenv("OMPI_MCA_a");
    auto const refusal = [&] {
        try {
            return settings_without_effect(file, without, with).front();
        } catch (std::runtime_error const& e) {
            return std::string{e.what()};
        }
    };
    file.settings = {{"a", "10"}};
    CHECK(refusal() == "f: changes nothing: a is 1 without the file, too");
    file.settings = {{"b", "20"}};
    CHECK(settings_without_effect(file, without, with).empty());
    with.version = "MPICH Version: 4.0.2";
    CHECK(refusal() == "f: is for Open MPI, and the program uses MPICH Version: 4.0.2");
    file = {"f", settings_form::shell, {{"UCX_TLS", "sm"}}};
    CHECK(settings_without_effect(file, without, with).empty());
}

TEST_CASE("a file that begins with a number has rules, and other lines are refused") {
    written_file const file{"# by hand\n1 # collectives\n2\n1\n4\n1\n0 3 0 0\n"};
    CHECK(read_settings_file(file.path).settings == settings_for_rules(file.path));
    CHECK(complaint("a = 1\nhello\n") == ":2: is no setting, NAME = VALUE or NAME=VALUE of a shell, and no rule");
    CHECK(complaint("a = 1\n2b = 1\n") == ":2: is no setting, NAME = VALUE or NAME=VALUE of a shell, and no rule");
    CHECK(complaint("# nothing\n") == ": has no setting");
}
