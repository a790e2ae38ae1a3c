// SPDX-License-Identifier: BSL-1.0
#include "tools/launch/launches.hpp"

#include "tools/records/environments.hpp"
#include "tools/records/launch_file.hpp"
#include "tools/text.hpp"

#include <sonde/json/lines.hpp>
#include <sonde/measure/environment.hpp>
#include <sonde/report/progress.hpp>

#include <cstdio>
#include <filesystem>

namespace tools {

namespace {

constexpr std::size_t launches_of_interval = 6; // 2 / 2^6 is at most 5 %

std::string title(std::size_t number, launch_progress const& progress) {
    return "launch " + std::to_string(number) + " of " + std::to_string(progress.planned);
}

std::string in_seconds(sonde::seconds t) {
    return sonde::detail::fixed(t.count(), t < sonde::seconds{10} ? 1 : 0) + " s";
}

std::string remaining(launch_progress const& progress) {
    if (progress.done == progress.planned) return {};
    auto const each = progress.total / static_cast<double>(progress.done);
    return "; about " + in_seconds(each * static_cast<double>(progress.planned - progress.done)) + " left";
}

} // namespace

std::string line_of(launch_progress const& progress, ending const& e, std::size_t records) {
    auto const launch = title(progress.done, progress);
    auto const wall = in_seconds(e.wall), kept = count_text(records, "record");
    if (!e.succeeded()) return launch + " failed with " + outcome(e) + " after " + wall + "; " + kept + " kept";
    if (records == 0)
        return launch + " left no record: does the program take --report json=FILE? Where it takes the file in another "
                        "way, write {json} in its place";
    return launch + ": " + wall + ", " + kept + remaining(progress);
}

std::string too_few(std::size_t launches) {
    if (launches >= launches_of_interval) return {};
    return count_text(launches, "launch") + ": too few for a 95 % interval over launches, which takes " +
           std::to_string(launches_of_interval);
}

namespace {

void print(std::string const& text) { tools::print({text}, "", stderr); }

void warn_of_unbound_ranks(std::string const& path) {
    for (auto const& run : sonde::read_launches(path))
        if (auto const rank = unbound_rank(run)) return print(unbound_warning(*rank));
}

std::string shell_text(std::vector<std::string> const& words) {
    return sonde::detail::joined(words, " ", sonde::detail::shell_word);
}

/// Launches of one call of `sonde-launch`, one after the other.
class launch_series {
public:
    explicit launch_series(launch_options const& options) : options_{options}, last_{last_launch_in(options.out)} {}

    int run() {
        auto const warning = too_few(launches_in(options_.out) + options_.launches);
        if (!warning.empty()) print(warning);
        while (progress_.done != options_.launches && may_continue()) launch();
        if (signal_ != 0) return 128 + signal_;
        return progress_.failed == 0 ? 0 : 1;
    }

private:
    /// False after a signal, and if the first launch failed: all others would fail, too.
    bool may_continue() const { return signal_ == 0 && !(progress_.done == 1 && progress_.failed == 1); }

    void launch() {
        std::filesystem::remove(records_file_); // of the launch before
        captured_output const output;
        auto const ended = start(options_.verbose ? -1 : output.descriptor());
        auto const records =
            collect({last_ + progress_.done + 1, shell_text(options_.command), outcome(ended), ended.wall},
                    records_file_, options_.out);
        signal_ = ended.interrupted;
        progress_.add(ended, records);
        print(line_of(progress_, ended, records));
        if (!ended.succeeded()) std::fputs(output.end().c_str(), stderr);
        if (progress_.done == 1 && records != 0) warn_of_unbound_ranks(records_file_);
    }

    ending start(int output) const {
        sonde::status_line line{stderr};
        if (sonde::progress_stream{}.is_terminal && !options_.verbose)
            line.show(title(progress_.done + 1, progress_) + " ...");
        return run_program(with_report(options_.command, records_file_), output, options_.limit);
    }

    launch_options const& options_;
    temporary_folder const folder_{options_.out};
    std::string const records_file_ = folder_.path("records"); // of one launch
    std::size_t const last_;                                   // number of the last launch in the file
    launch_progress progress_{options_.launches};
    int signal_ = 0;
};

} // namespace

int launch_all(launch_options const& options) {
    require_json_lines(options.out);
    require_writable(options.out);
    return launch_series{options}.run();
}

} // namespace tools
