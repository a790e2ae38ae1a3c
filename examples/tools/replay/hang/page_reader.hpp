// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "tools/replay/hang/page_folder.hpp"
#include "tools/replay/hang/rank_page.hpp"
#include "tools/replay/hang/rank_state.hpp"

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tools::replay {

/// The counters of a thread, and its call, at one time.
struct thread_reading {
    std::uint64_t number = 0, progress = 0;
    std::int64_t end = 0;
    std::optional<page_call> call{};

    bool is_in_call() const { return number % 2 != 0; }
};

using page_reading = std::array<thread_reading, rank_page::most_threads>;

/// A page that another process writes.
class mapped_page {
public:
    /// Null for a file that is no page of this version, or not yet one.
    static std::unique_ptr<mapped_page> open(std::string const& path);
    ~mapped_page();
    mapped_page(mapped_page const&) = delete;
    mapped_page& operator=(mapped_page const&) = delete;

    rank_page const& page() const { return *static_cast<rank_page const*>(memory_); }
    /// The scopes in which the rank is: passes that are under way at this time of the steady clock, in nanoseconds.
    std::vector<shown_scope> scopes(std::int64_t now) const;

private:
    explicit mapped_page(void* memory) : memory_{memory} {}

    void* memory_;
};

page_reading read(rank_page const& page);

/// The return addresses in a reading, and in the tables of the page.
std::vector<std::uint64_t> addresses_in(rank_page const& page, page_reading const& reading);

/// What the thread that stands still longest does, of a process that is neither stopped nor over. A rank that goes on
/// before its tables are read goes on, so that the states of all ranks that stand still are of one time: the second
/// reading. `now`: of the steady clock, in nanoseconds, at that reading; `site` names a return address.
rank_state state_between(rank_page const& page, page_reading const& first, page_reading const& second, std::int64_t now,
                         std::function<std::string(std::uint64_t)> const& site);

} // namespace tools::replay
