// SPDX-License-Identifier: BSL-1.0
#include "tools/launch/launches.hpp"

#include "tools/records/environments.hpp"
#include "tools/records/log.hpp"
#include "tools/text.hpp"

#include <sonde/json.hpp>
#include <sonde/json/read.hpp>
#include <sonde/measure/environment.hpp>
#include <sonde/report/progress.hpp>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
#include <stdexcept>
#include <system_error>

namespace tools {

namespace {

constexpr char const placeholder[] = "{json}";
constexpr char const begin_of_launch[] = R"({"type":"launch")";

/// Replace all placeholders; false if there are none.
bool replace_placeholders(std::string& word, std::string const& file) {
    bool replaced = false;
    for (auto at = word.find(placeholder); at != word.npos; at = word.find(placeholder, at + file.size())) {
        word.replace(at, sizeof placeholder - 1, file);
        replaced = true;
    }
    return replaced;
}

/// True for a file whose last line has no line feed, because a job was killed.
bool ends_within_a_line(std::string const& path) {
    std::ifstream file{path, std::ios::binary};
    return file.seekg(-1, std::ios::end) && file.get() != '\n';
}

/// Append with one write: a signal that ends this process leaves whole launches in the file.
void append(std::string text, std::string const& path) {
    if (ends_within_a_line(path)) text.insert(0, 1, '\n');
    std::ofstream file{path, std::ios::app};
    file << text << std::flush;
    if (!file) throw std::system_error{errno, std::generic_category(), "cannot write '" + path + "'"};
}

} // namespace

std::vector<std::string> with_report(std::vector<std::string> words, std::string const& file) {
    bool replaced = false;
    for (auto& word : words) replaced = replace_placeholders(word, file) || replaced;
    if (!replaced) words.insert(words.end(), {"--report", "json=" + file});
    return words;
}

void require_json_lines(std::string const& path) {
    std::error_code none; // no file, or a device
    if (!std::filesystem::is_regular_file(path, none) || std::filesystem::file_size(path, none) == 0) return;
    auto is_json = false;
    try {
        is_json = read_log(path).is_json;
    } catch (std::runtime_error const& e) {
        throw std::runtime_error{"cannot append to it: " + std::string{e.what()}};
    }
    if (!is_json) throw std::runtime_error{"cannot append to '" + path + "': it is a log, and records are JSON lines"};
}

std::size_t launches_in(std::string const& path) {
    std::ifstream file{path};
    std::size_t count = 0;
    for (std::string line; std::getline(file, line);) count += line.starts_with(begin_of_launch);
    return count;
}

std::size_t collect(sonde::launch const& launch, std::string const& from, std::string const& to) {
    auto text = sonde::detail::json_line(launch) + '\n';
    std::size_t records = 0;
    auto const add = [&](sonde::json line) {
        if (line.at("type") == "record") {
            ++records;
            line["launch"] = launch.number;
        }
        text += sonde::detail::json_line(line) + '\n';
    };
    if (std::filesystem::exists(from)) sonde::for_each_json_line(from, add);
    if (records != 0) append(text, to);
    return records;
}

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

/// Temporary file for the records of one launch. It is in the folder of the result: a job on other hosts sees that
/// folder, and may not see /tmp.
class temporary_file {
public:
    explicit temporary_file(std::string const& out) : path_{std::filesystem::absolute(out + ".part").string()} {
        remove();
    }
    temporary_file(temporary_file const&) = delete;
    ~temporary_file() { remove(); }
    std::string const& path() const { return path_; }

private:
    void remove() const {
        std::error_code ignored; // there may be no file
        std::filesystem::remove(path_, ignored);
    }
    std::string path_;
};

/// Throws if the file cannot be written, so that the error is found before the launches. Leaves no empty file.
void require_writable(std::string const& path) {
    if (!std::ofstream{path, std::ios::app})
        throw std::system_error{errno, std::generic_category(), "cannot write '" + path + "'"};
    std::error_code ignored; // a device has no size
    if (std::filesystem::file_size(path, ignored) == 0) std::filesystem::remove(path, ignored);
}

using output_file = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

void print_end_of(std::FILE* output) {
    char text[4096];
    std::fseek(output, 0, SEEK_END);
    auto const length = std::ftell(output);
    std::fseek(output, length > 4096 ? length - 4096 : 0, SEEK_SET);
    std::fwrite(text, 1, std::fread(text, 1, sizeof text, output), stderr);
}

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
    explicit launch_series(launch_options const& options) : options_{options}, in_file_{launches_in(options.out)} {}

    int run() {
        require_json_lines(options_.out);
        require_writable(options_.out);
        if (auto const warning = too_few(in_file_ + options_.launches); !warning.empty()) print(warning);
        while (progress_.done != options_.launches && may_continue()) launch();
        if (signal_ != 0) return 128 + signal_;
        return progress_.failed == 0 ? 0 : 1;
    }

private:
    /// False after a signal, and if the first launch failed: all others would fail, too.
    bool may_continue() const { return signal_ == 0 && !(progress_.done == 1 && progress_.failed == 1); }

    void launch() {
        temporary_file const records_file{options_.out};
        output_file const output{options_.verbose ? nullptr : std::tmpfile(),
                                 [](std::FILE* f) { return std::fclose(f); }};
        auto const ended = start(records_file.path(), output.get());
        auto const records = collect({in_file_ + 1, shell_text(options_.command), outcome(ended), ended.wall},
                                     records_file.path(), options_.out);
        if (records != 0) ++in_file_;
        signal_ = ended.interrupted;
        progress_.add(ended, records);
        print(line_of(progress_, ended, records));
        if (!ended.succeeded() && output) print_end_of(output.get());
        if (progress_.done == 1 && records != 0) warn_of_unbound_ranks(records_file.path());
    }

    ending start(std::string const& records_path, std::FILE* output) const {
        sonde::status_line line{stderr};
        if (sonde::progress_stream{}.is_terminal && !options_.verbose)
            line.show(title(progress_.done + 1, progress_) + " ...");
        return run_program(with_report(options_.command, records_path), output == nullptr ? -1 : fileno(output),
                           options_.limit);
    }

    launch_options const& options_;
    std::size_t in_file_; // launches
    launch_progress progress_{options_.launches};
    int signal_ = 0;
};

} // namespace

int launch_all(launch_options const& options) { return launch_series{options}.run(); }

} // namespace tools
