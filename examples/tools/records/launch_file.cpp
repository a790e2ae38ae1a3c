// SPDX-License-Identifier: BSL-1.0
#include "tools/records/launch_file.hpp"

#include "tools/records/lines.hpp"
#include "tools/records/log.hpp"

#include <sonde/json.hpp>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
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

/// A lock of a file, for which other calls that append to it wait; none of a device, and where there are no locks.
class file_lock {
public:
    explicit file_lock(std::string const& path)
        : file_{open(path.c_str(), O_RDONLY | O_CREAT | O_NONBLOCK | O_CLOEXEC, 0666)} {
        while (file_ >= 0 && flock(file_, LOCK_EX) != 0 && errno == EINTR) {
        }
    }
    ~file_lock() {
        if (file_ >= 0) close(file_);
    }
    file_lock(file_lock const&) = delete;
    file_lock& operator=(file_lock const&) = delete;

private:
    int file_;
};

/// Append with one write: a signal that ends this process leaves whole launches in the file. The lock is held from the
/// look at the last line on, because a line of another process may be written in part.
void append(std::string text, std::string const& path) {
    file_lock const lock{path};
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

namespace {

/// Numbers of the launches in a file. A device may have no end.
std::vector<std::size_t> launch_numbers(std::string const& path) {
    std::vector<std::size_t> numbers;
    std::error_code none;
    if (!std::filesystem::is_regular_file(path, none)) return numbers;
    std::ifstream file{path};
    for (std::string line; std::getline(file, line);) {
        if (!line.starts_with(begin_of_launch)) continue;
        auto const from = line.find_first_of("0123456789", sizeof begin_of_launch - 1);
        auto const text = std::string_view{line}.substr(std::min(from, line.size()));
        numbers.push_back(count_in(text.substr(0, text.find_first_not_of("0123456789"))).value_or(0));
    }
    return numbers;
}

} // namespace

std::size_t launches_in(std::string const& path) { return launch_numbers(path).size(); }

std::size_t last_launch_in(std::string const& path) {
    auto const numbers = launch_numbers(path);
    return numbers.empty() ? 0 : std::max(*std::max_element(numbers.begin(), numbers.end()), numbers.size());
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

void require_writable(std::string const& path) {
    if (!std::ofstream{path, std::ios::app})
        throw std::system_error{errno, std::generic_category(), "cannot write '" + path + "'"};
    std::error_code ignored; // a device has no size
    if (std::filesystem::file_size(path, ignored) == 0) std::filesystem::remove(path, ignored);
}

temporary_folder::temporary_folder(std::string const& out)
    : path_{std::filesystem::absolute(out).string() + ".XXXXXX"} {
    if (mkdtemp(path_.data()) == nullptr)
        throw std::system_error{errno, std::generic_category(), "cannot make the folder '" + path_ + "'"};
}

temporary_folder::~temporary_folder() {
    std::error_code ignored; // nothing can be done about files that stay
    std::filesystem::remove_all(path_, ignored);
}

} // namespace tools
