// SPDX-License-Identifier: BSL-1.0
#include "launches.hpp"

#include "collect.hpp"
#include "launch_text.hpp"
#include "process.hpp"

#include <sonde/report/progress.hpp>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
#include <system_error>
#include <utility>

namespace tools {

namespace {

void say(std::string const& text) { std::fprintf(stderr, "%s\n", text.c_str()); }

/// Files of the result and beside it: where jobs run on other hosts, these see that folder rather than /tmp.
class part_file {
public:
    explicit part_file(std::string const& out) : path_{std::filesystem::absolute(out + ".part").string()} { clear(); }
    part_file(part_file const&) = delete;
    ~part_file() { clear(); }
    std::string const& path() const { return path_; }

private:
    void clear() const {
        std::error_code ignored; // there may be none
        std::filesystem::remove(path_, ignored);
    }
    std::string path_;
};

/// Before hours of launches and not after them. Leaves no empty file.
void require_writable(std::string const& path) {
    if (!std::ofstream{path, std::ios::app})
        throw std::system_error{errno, std::generic_category(), "cannot write '" + path + "'"};
    std::error_code ignored; // what has no size is no file to remove
    if (std::filesystem::file_size(path, ignored) == 0) std::filesystem::remove(path, ignored);
}

using output_file = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

void show_end_of(std::FILE* output) {
    char text[4096];
    std::fseek(output, 0, SEEK_END);
    auto const length = std::ftell(output);
    std::fseek(output, length > 4096 ? length - 4096 : 0, SEEK_SET);
    std::fwrite(text, 1, std::fread(text, 1, sizeof text, output), stderr);
}

/// The launches of one call, one after the other.
class series_of_launches {
public:
    explicit series_of_launches(launch_request const& asked) : asked_{asked}, in_file_{launches_in(asked.out)} {}

    int run() {
        require_writable(asked_.out);
        if (auto const few = too_few(in_file_ + asked_.launches); !few.empty()) say(few);
        while (so_far_.done != asked_.launches && may_go_on()) launch_one();
        if (signal_ != 0) return 128 + signal_;
        return so_far_.failed == 0 ? 0 : 1;
    }

private:
    /// Where the very first fails, all would.
    bool may_go_on() const { return signal_ == 0 && !(so_far_.done == 1 && so_far_.failed == 1); }

    void launch_one() {
        part_file const part{asked_.out};
        output_file const output{asked_.verbose ? nullptr : std::tmpfile(),
                                 [](std::FILE* f) { return std::fclose(f); }};
        auto const ended = start(part.path(), output.get());
        auto const records =
            collect({in_file_ + 1, text_of(asked_.command), outcome(ended), ended.wall}, part.path(), asked_.out);
        if (records != 0) ++in_file_;
        signal_ = ended.interrupted;
        so_far_.add(ended, records);
        say(line_of(so_far_, ended, records));
        if (!ended.well() && output) show_end_of(output.get());
        if (so_far_.done == 1 && records != 0)
            if (auto const warning = floating_in(part.path()); !warning.empty()) say(warning);
    }

    ending start(std::string const& part, std::FILE* output) const {
        sonde::status_line line{stderr};
        if (sonde::progress_stream{}.is_terminal && !asked_.verbose) line.show(title_of(so_far_) + " ...");
        return run_program(with_report(asked_.command, part), output == nullptr ? -1 : fileno(output), asked_.limit);
    }

    launch_request const& asked_;
    std::size_t in_file_;
    launch_count so_far_{asked_.launches};
    int signal_ = 0;
};

} // namespace

int launch_all(launch_request const& asked) { return series_of_launches{asked}.run(); }

} // namespace tools
