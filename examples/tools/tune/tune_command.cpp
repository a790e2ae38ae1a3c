// SPDX-License-Identifier: BSL-1.0
#include "tools/tune/tune_command.hpp"

#include "tools/text.hpp"
#include "tools/tune/race_launches.hpp"
#include "tools/tune/race_plot.hpp"
#include "tools/tune/rules_file.hpp"
#include "tools/tune/settings_file.hpp"
#include "tools/tune/tune_text.hpp"
#include "tools/tune/tuning.hpp"

#include <sonde/measure/environment.hpp>
#include <sonde/report/text.hpp>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <optional>
#include <stdexcept>
#include <system_error>
#include <utility>

namespace tools::tune {

namespace {

void say(std::string const& line) { print({line}, "sonde-tune: ", stderr); }

void write_text(std::string const& path, std::string const& text) {
    std::ofstream file{path};
    file << text << std::flush;
    if (!file) throw std::system_error{errno, std::generic_category(), "cannot write '" + path + "'"};
}

/// The file of rules that belongs to a file of settings.
std::string rules_path(std::string const& out) {
    return std::filesystem::absolute(out.empty() ? "sonde-tune" : out).string() + ".rules";
}

bool has_rows_of(std::vector<tuned_row> const& rows, library_settings const& all) {
    return std::all_of(rows.begin(), rows.end(), [&](auto const& row) {
        return std::any_of(all.variables.begin(), all.variables.end(),
                           [&](auto const& v) { return collective_of(v.name) == row.collective; });
    });
}

candidate_selection selection_of(tune_options const& o, std::vector<tuned_row> const& rows,
                                 library_settings const& all) {
    candidate_selection selected{o.part, o.collectives, {}};
    if (selected.collectives.empty()) selected.collectives = calls_of_trace(o.command);
    auto const is_sized = std::all_of(rows.begin(), rows.end(), [](auto const& r) { return r.bytes.has_value(); });
    if (selected.collectives.empty() && has_rows_of(rows, all))
        for (auto const& row : rows) selected.collectives.insert(row.collective);
    for (auto const& row : rows)
        if (is_sized) selected.largest_message = std::max(selected.largest_message.value_or(0), *row.bytes);
    return selected;
}

/// The control variables, those of Open MPI's algorithms included: the library has them only if it uses dynamic rules.
library_settings settings_now(series& launches) {
    auto all = launches.program().settings({});
    auto const* const switched = all.find("coll_tuned_use_dynamic_rules");
    auto const is_off = switched != nullptr && switched->value == "false";
    if (is_off) {
        all = launches.program().settings(environment_of({{"coll_tuned_use_dynamic_rules", "1"}}));
        for (auto& v : all.variables) // a value without effect
            if (v.name.starts_with("coll_tuned_") && !v.words.empty()) v.value = v.words.front().word;
    }
    if (auto const* const file = all.find("coll_tuned_dynamic_rules_filename"); file != nullptr && !file->value.empty())
        throw std::runtime_error{"coll_tuned_dynamic_rules_filename is set to '" + file->value +
                                 "', which goes before other settings: unset it, or measure it by --check"};
    return all;
}

/// The control variables of a launch with settings; none if the library ends the job.
std::optional<library_settings> settings_unless_refused(std::vector<setting> const& with, series& launches) {
    try {
        return launches.program().settings(environment_of(with));
    } catch (interruption const&) {
        throw;
    } catch (std::runtime_error const&) {
        return std::nullopt;
    }
}

/// The control variables of launches with settings, all together, or each alone if the library ends a job with one of
/// them. A setting with which the library ends the job has no list here; the race drops its candidate and says why.
std::vector<library_settings> settings_with(std::vector<setting> const& wanted, series& launches) {
    if (auto all = settings_unless_refused(wanted, launches)) return {std::move(*all)};
    std::vector<library_settings> found;
    for (auto const& s : wanted) {
        auto all = settings_unless_refused({s}, launches);
        if (!all) continue;
        std::erase_if(all->variables, [&](auto const& v) { return v.name != s.variable; });
        found.push_back(std::move(*all));
    }
    return found;
}

/// Leave out candidates of variables that a launch does not take from its environment: the launcher's command line sets
/// them, or it does not pass the environment on.
void leave_out_fixed(std::vector<candidate>& candidates, series& launches, library_settings const& before) {
    std::vector<setting> wanted;
    for (auto const& c : candidates)
        for (auto const& s : c.settings) {
            auto const is_known = [&](auto const& other) { return other.variable == s.variable; };
            if (std::none_of(wanted.begin(), wanted.end(), is_known)) wanted.push_back(s);
        }
    auto const now = settings_with(wanted, launches);
    for (auto const& s : wanted) {
        auto const* const old = before.find(s.variable);
        auto const is_switch = s.variable == "coll_tuned_use_dynamic_rules"; // already on when `before` was read
        auto const is_unchanged = [&](library_settings const& all) {
            auto const* const set = all.find(s.variable);
            return old != nullptr && set != nullptr && old->value == set->value;
        };
        if (is_switch || std::none_of(now.begin(), now.end(), is_unchanged)) continue;
        auto const removed =
            std::erase_if(candidates, [&](auto const& c) { return c.settings.front().variable == s.variable; });
        if (removed != 0)
            say(s.variable + " does not follow " + environment_name(s.variable) +
                ": the command sets it, or the launcher does not pass the environment");
    }
}

std::vector<candidate> candidates_for(series& launches, library_settings const& all, tune_options const& o) {
    auto candidates = candidates_of(all, selection_of(o, launches.rows(), all));
    if (o.settings.empty() && !candidates.empty()) leave_out_fixed(candidates, launches, all);
    return candidates;
}

/// Write the settings as they will be used, in temporary files, and return the words with which a launch takes them.
/// Variables of the environment that go before the file are taken out: the user is told to do so.
environment_words written_for_launches(tuned_settings const& found, mpi_library library, job const& program) {
    auto const rules = program.temporary("settings.rules"), file = program.temporary("settings.conf");
    if (!found.rules.empty()) write_text(rules, rules_text(found.rules));
    auto const all = all_settings(found, rules);
    if (library != mpi_library::open_mpi) return environment_of(all);
    write_text(file, settings_text(all, library));
    auto words = words_for_parameters(file);
    for (auto const& name : variables_before_file(all)) words.insert(words.begin(), {"-u", name});
    return words;
}

/// How a file of settings is used, as a comment.
std::string use_lines(std::vector<setting> const& settings, std::string const& out, mpi_library library) {
    auto const path = out.empty() ? "FILE" : std::filesystem::absolute(out).string();
    if (library != mpi_library::open_mpi) return "# To use it: . " + sonde::detail::shell_word(path) + '\n';
    auto text = "# To use it: export OMPI_MCA_mca_base_envar_file_prefix=" + sonde::detail::shell_word(path) +
                ", or with Open MPI 4 mpirun --tune " + sonde::detail::shell_word(path) + '\n';
    for (auto const& name : variables_before_file(settings))
        text += "# The environment has " + name + ", which goes before this file: unset " + name + '\n';
    return text;
}

void print_settings(tuned_settings const& found, tune_options const& o, mpi_library library,
                    std::string const& evidence) {
    auto const rules = rules_path(o.out);
    auto const all = all_settings(found, rules);
    auto const text = evidence + use_lines(all, o.out, library) + settings_text(all, library);
    if (!o.out.empty() && !found.rules.empty()) write_text(rules, rules_text(found.rules));
    if (!o.out.empty()) write_text(o.out, text);
    std::fputs(text.c_str(), stdout);
    if (!found.rules.empty()) std::printf("# %s:\n%s", rules.c_str(), rules_text(found.rules).c_str());
}

void print_title(tune_options const& o, std::string const& library, std::vector<tuned_row> const& rows) {
    print({library + ": " + sonde::detail::joined(o.command, " ", sonde::detail::shell_word)}, "# ");
    if (auto const common = common_parts(rows); !common.empty()) print({common}, "# rows of ");
}

/// The launches of a race are worth more than its picture: without gnuplot a line says so.
void draw_picture(race_result const& r, tune_options const& o) {
    if (o.plot.empty()) return;
    try {
        draw_race(o.plot, r, sonde::detail::joined(o.command, " ", sonde::detail::shell_word), o.criteria);
    } catch (std::exception const& e) {
        say(std::string{"no picture of the race: "} + e.what());
    }
}

int nothing_found(std::string const& what) {
    std::printf("%s: the default settings stay.\n", what.c_str());
    return 0;
}

/// Without a choice, a candidate that is faster in a row may be slower in another.
std::string nothing_chosen(std::vector<std::vector<gain>> const& gains, race_criteria const& criteria) {
    auto const is_faster = [&](auto const& rows) {
        return std::any_of(rows.begin(), rows.end(), [&](auto const& g) { return is_promising(g, criteria); });
    };
    return std::any_of(gains.begin(), gains.end(), is_faster)
               ? "Each setting that is faster in a row may be slower in another"
               : "No setting is surely faster in the race";
}

/// Says which settings of the file have no effect, and throws if none has.
void require_effect(settings_file const& file, environment_words const& words, job const& program) {
    auto const unknown = [&](std::string const& reason) {
        say("whether the library applies '" + file.path + "' is not known: " + reason);
    };
    if (launcher_of(program.command()).empty()) return unknown("the command begins with no launcher");
    std::vector<std::string> names;
    for (auto const& s : file.settings) names.push_back(s.variable);
    std::optional<library_settings> without, with;
    try {
        without = program.settings({}, names);
        with = program.settings(words, names);
    } catch (interruption const&) {
        throw;
    } catch (std::runtime_error const& e) {
        return unknown(e.what());
    }
    for (auto const& line : settings_without_effect(file, *without, *with)) say(line);
}

} // namespace

int tune(tune_options const& options) {
    std::optional<library_settings> given;
    if (!options.settings.empty()) given = read_settings(options.settings);
    series launches{options};
    auto const all = given ? *given : settings_now(launches);
    auto criteria = options.criteria;
    criteria.resolution = launches.resolution();
    auto o = options;
    o.criteria = criteria;
    auto candidates = candidates_for(launches, all, o);
    if (candidates.empty()) throw std::runtime_error{all.version + ": no setting to tune for this program"};
    say(count_text(candidates.size(), "candidate") + ", " + count_text(launches.rows().size(), "row") +
        ", a launch takes " + sonde::detail::fixed(launches.launch_time().count(), 1) + " s");
    auto const result = race(launches, std::move(candidates), o);
    print_title(o, all.version, launches.rows());
    print(race_table(result, launches.rows(), criteria));
    draw_picture(result, o);
    auto const gains = gains_of(result.racers, criteria);
    auto const chosen = choose(result.candidates, launches.rows(), gains, all, criteria);
    if (chosen.empty()) return nothing_found(nothing_chosen(gains, criteria));
    auto const words = written_for_launches(chosen, all.library(), launches.program());
    auto const confirmed = confirmation(launches, words, o);
    print(confirmation_table(launches.rows(), confirmed));
    auto const found = confirmed_settings(chosen, launches.rows(), confirmed);
    if (found.empty()) return nothing_found("No setting is surely faster in the confirmation");
    auto const n = launches_to_confirm(launches.rows().size(), criteria.rounds, criteria.alpha);
    print_settings(found, o, all.library(), evidence_lines(o, all.version, launches.rows(), confirmed, n));
    return 0;
}

int check(tune_options const& options) {
    auto const file = read_settings_file(options.check);
    series launches{options};
    require_effect(file, file.environment(), launches.program());
    auto o = options;
    o.criteria.resolution = launches.resolution();
    auto const confirmed = confirmation(launches, file.environment(), o);
    print_title(o, options.check, launches.rows());
    print(confirmation_table(launches.rows(), confirmed));
    auto const count = [&](sonde::outcome wanted) {
        return std::count_if(confirmed.begin(), confirmed.end(), [&](auto const& r) { return r.outcome == wanted; });
    };
    std::printf("%s: %ld faster, %ld slower, %ld undecided\n", count_text(confirmed.size(), "row").c_str(),
                count(sonde::outcome::faster), count(sonde::outcome::slower), count(sonde::outcome::undecided));
    return count(sonde::outcome::slower) == 0 ? 0 : 1;
}

} // namespace tools::tune
