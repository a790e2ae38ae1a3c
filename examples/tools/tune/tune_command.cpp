// SPDX-License-Identifier: BSL-1.0
#include "tools/tune/tuning.hpp"

#include "tools/text.hpp"
#include "tools/tune/rules_file.hpp"

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

/// File of rules, which is removed at the end if nobody asked for it.
class rules_file {
public:
    explicit rules_file(std::string const& out)
        : path_{std::filesystem::absolute(out.empty() ? "sonde-tune" : out).string() + ".rules"},
          is_kept_{!out.empty()} {}
    rules_file(rules_file const&) = delete;
    ~rules_file() {
        std::error_code ignored; // there may be no file
        if (!is_kept_ || is_empty_) std::filesystem::remove(path_, ignored);
    }

    void write(std::vector<collective_rules> const& rules) {
        is_empty_ = rules.empty();
        if (!is_empty_) write_text(path_, rules_text(rules));
    }
    std::string const& path() const { return path_; }

private:
    std::string path_;
    bool is_kept_, is_empty_ = true;
};

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
        all = launches.program().settings({{"coll_tuned_use_dynamic_rules", "1"}});
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
        return launches.program().settings(with);
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

void print_settings(tuned_settings const& found, rules_file& rules, tune_options const& o, mpi_library library,
                    std::string const& evidence) {
    rules.write(found.rules);
    auto const text = evidence + settings_text(all_settings(found, rules.path()), library);
    if (!o.out.empty()) write_text(o.out, text);
    std::fputs(text.c_str(), stdout);
    if (!found.rules.empty()) std::printf("# %s:\n%s", rules.path().c_str(), rules_text(found.rules).c_str());
}

void print_title(tune_options const& o, std::string const& library, std::vector<tuned_row> const& rows) {
    print({library + ": " + sonde::detail::joined(o.command, " ", sonde::detail::shell_word)}, "# ");
    if (auto const common = common_parts(rows); !common.empty()) print({common}, "# rows of ");
}

int nothing_found(char const* reason) {
    std::printf("No setting is surely faster%s: the default settings stay.\n", reason);
    return 0;
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
    auto const chosen = choose(result.candidates, launches.rows(), gains_of(result.racers, criteria), all, criteria);
    if (chosen.empty()) return nothing_found(" in the race");
    rules_file rules{o.out};
    rules.write(chosen.rules);
    auto const verdicts = confirmation(launches, all_settings(chosen, rules.path()), o);
    print(confirmation_table(launches.rows(), verdicts));
    auto const found = confirmed_settings(chosen, launches.rows(), verdicts);
    if (found.empty()) {
        rules.write({});
        return nothing_found(" in the confirmation");
    }
    auto const n = launches_to_confirm(launches.rows().size(), criteria.rounds, criteria.alpha);
    print_settings(found, rules, o, all.library(), evidence_lines(o, all.version, launches.rows(), verdicts, n));
    return 0;
}

int check(tune_options const& options) {
    auto const settings = read_tuned_file(options.check);
    series launches{options};
    auto o = options;
    o.criteria.resolution = launches.resolution();
    auto const verdicts = confirmation(launches, settings, o);
    print_title(o, options.check, launches.rows());
    print(confirmation_table(launches.rows(), verdicts));
    auto const count = [&](row_verdict wanted) {
        return std::count_if(verdicts.begin(), verdicts.end(), [&](auto const& r) { return r.verdict == wanted; });
    };
    std::printf("%s: %ld faster, %ld slower, %ld undecided\n", count_text(verdicts.size(), "row").c_str(),
                count(row_verdict::faster), count(row_verdict::slower), count(row_verdict::undecided));
    return count(row_verdict::slower) == 0 ? 0 : 1;
}

} // namespace tools::tune
