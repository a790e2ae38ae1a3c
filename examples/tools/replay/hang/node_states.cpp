// SPDX-License-Identifier: BSL-1.0
#include "tools/replay/hang/node_states.hpp"

#include "tools/replay/hang/page_reader.hpp"
#include "tools/replay/hang/process_state.hpp"
#include "tools/replay/hang/source_lines.hpp"

#include <sonde/detail/affinity.hpp>

#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <thread>
#include <utility>

namespace tools::replay {

namespace {

struct read_rank {
    page_file file;
    std::unique_ptr<mapped_page> page;
    page_reading first{}, second{};
    std::optional<process_state> process_first{}, process_second{};
    std::int64_t now = 0; // at the second reading
};

std::int64_t nanoseconds_now() {
    return std::chrono::nanoseconds{std::chrono::steady_clock::now().time_since_epoch()}.count();
}

rank_activity activity_of(read_rank const& r, rank_activity by_page) {
    auto const letter = r.process_second ? r.process_second->letter : 'R';
    if (r.file.process == 0 || (r.file.process > 0 && !r.process_second) || letter == 'Z' || letter == 'X')
        return rank_activity::has_ended;
    return letter == 'T' || letter == 't' ? rank_activity::stopped : by_page;
}

rank_state state_of(read_rank const& r, sonde::seconds interval, source_lines const& lines) {
    auto const site = [&](std::uint64_t address) { return lines.text(r.file.process, address); };
    auto s = state_between(r.page->page(), r.first, r.second, r.now, site);
    s.activity = activity_of(r, s.activity);
    s.scopes = r.page->scopes(r.now);
    s.job = r.file.job;
    s.host = sonde::detail::system_host_name();
    s.process = r.file.process;
    constexpr sonde::seconds ten_ticks{0.1};
    if (r.process_first && r.process_second && interval >= ten_ticks)
        s.processor = (r.process_second->processor_seconds - r.process_first->processor_seconds) / interval.count();
    return s;
}

} // namespace

std::vector<rank_state> node_states(std::vector<page_file> const& files, sonde::seconds interval) {
    std::vector<read_rank> ranks;
    for (auto const& file : files)
        if (auto page = mapped_page::open(file.path)) ranks.push_back({file, std::move(page)});
    for (auto& r : ranks) {
        r.first = read(r.page->page());
        r.process_first = state_of_process(r.file.process);
    }
    std::this_thread::sleep_for(interval);
    source_lines lines;
    std::vector<rank_state> found;
    for (auto& r : ranks) {
        r.second = read(r.page->page());
        r.now = nanoseconds_now();
        r.process_second = state_of_process(r.file.process);
        for (auto const address : addresses_in(r.page->page(), r.second)) lines.add(r.file.process, address);
    }
    lines.look_up();
    for (auto const& r : ranks)
        if (access(r.file.path.c_str(), F_OK) == 0) found.push_back(state_of(r, interval, lines));
    return found;
}

} // namespace tools::replay
