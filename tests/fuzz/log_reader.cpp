// SPDX-License-Identifier: BSL-1.0
// Fuzzer of the reader of results: any file is read, or refused by an exception of one line.
#include "tools/records/log.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <string>

namespace {

/// Properties of whatever is read: finite positive times, and texts of one line.
void check(tools::log_contents const& log) {
    for (auto const& t : log.tables) {
        if (t.what.text().find('\n') != std::string::npos) std::abort();
        for (auto const& row : t.rows)
            for (auto const time : row.times)
                if (!(time.count() > 0) || !(time.count() < 1e300)) std::abort();
    }
    for (auto const* lines : {&log.remarks, &log.notes})
        for (auto const& line : *lines)
            if (line.find('\n') != std::string::npos) std::abort();
    for (auto const& run : tools::launches_of(log))
        for (auto const& r : run.records)
            if (!log.is_json && r.series.size() != 1) std::abort();
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    try {
        check(tools::read_log(std::string{reinterpret_cast<char const*>(data), size}, "log"));
    } catch (std::exception const&) { // the file is refused
    }
    return 0;
}
