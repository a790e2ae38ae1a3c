// SPDX-License-Identifier: BSL-1.0
// Fuzzer of the reader of results: any file is read, or refused by an exception of one line.
#include "tools/records/conditions.hpp"
#include "tools/records/log.hpp"
#include "tools/records/series.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <string>
#include <utility>
#include <vector>

namespace {

void require_one_line(std::string const& text) {
    if (text.empty() || text.find_first_of("\r\n") != std::string::npos) std::abort();
}

/// Properties of whatever is read: finite positive times, and texts of one line.
void check(tools::log_contents const& log) {
    for (auto const& t : log.tables) {
        if (!log.is_json) require_one_line(t.what.text());
        for (auto const& row : t.rows)
            for (auto const time : row.times)
                if (!(time.count() > 0) || !(time.count() < 1e300)) std::abort();
    }
    for (auto const* lines : {&log.remarks, &log.notes})
        for (auto const& line : *lines) require_one_line(line);
    for (auto const& run : tools::launches_of(log))
        for (auto const& r : run.records)
            if (!log.is_json && r.series.size() != 1) std::abort();
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    try {
        std::vector files{tools::read_log(std::string{reinterpret_cast<char const*>(data), size}, "log")};
        check(files.front());
        tools::tell_apart(files);
        check(files.front());
        auto const is_text = !files.front().is_json; // names from JSON are made printable where they are printed
        for (auto const& line : tools::series_list(tools::series_of(std::move(files))))
            if (is_text) require_one_line(line);
    } catch (std::exception const& refused) {
        require_one_line(refused.what());
    }
    return 0;
}
