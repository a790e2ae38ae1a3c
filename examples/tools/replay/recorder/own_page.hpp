// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "tools/replay/hang/rank_page.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace tools::replay {

/// The page of this rank, which it alone writes. What the page has no room for is left out.
class own_page {
public:
    /// Null if the folder does not take the file.
    static std::unique_ptr<own_page> make(std::string const& folder, std::string const& job, int rank, int size,
                                          std::span<char const* const> calls);
    /// Removes the file.
    ~own_page();
    own_page(own_page const&) = delete;
    own_page& operator=(own_page const&) = delete;

    /// The scopes are a part of the file from now on. They stay where they are, and are there after the file's end.
    /// False, and nothing is changed, if they are not at a place to which memory can be mapped.
    bool show(sonde::scope_table& scopes);

    /// The process ends: a thread may be in a call, and go on writing.
    void remove_file();

    /// The place of a thread, which alone writes it; null for those that the page has no room for.
    page_thread* thread(int number) {
        return number < static_cast<int>(rank_page::most_threads) ? &page_->threads[number] : nullptr;
    }

    // One thread at a time.

    /// A communicator, or a window: `id` is its number in its table. One that is made again has its old number.
    void add_object(std::int32_t id, std::uint64_t key, bool is_window, int rank, std::string_view ranks);
    void add_type(std::uint64_t key, std::int64_t size);
    void add_operation(std::size_t place, std::uint64_t key, std::string_view name);
    /// `id`: of the communicator or the window. Returns the call's number on it; 0: there is no room.
    std::uint64_t end_collective(std::int32_t id, bool is_window, page_call const& call);
    void add_message(page_call const& call, std::uint64_t request, std::uint64_t number);

private:
    own_page(rank_page* page, std::string path, int file) : page_{page}, path_{std::move(path)}, file_{file} {}
    /// The place of an object: communicators are in front, windows behind them, from the end. -1: there is no room.
    static std::ptrdiff_t place_of(std::int32_t id, bool is_window);

    rank_page* page_;
    std::string path_;
    int file_; // open, because it holds the lock
    std::size_t text_size_ = 0;
};

/// A call is under way from here.
inline void begin_call(page_thread& in, page_call& call, std::int64_t now) {
    auto const last = (in.number.load(std::memory_order_relaxed) + 1) / 2;
    call.number = last + 1;
    call.begin = now;
    in.call.store(call, words_without_requests + std::min<std::size_t>(call.request_count, page_call::most_requests));
    in.number.store(2 * last + 1, std::memory_order_release);
}

/// The call is over. `is_progress`: it was no test that found nothing.
inline void end_call(page_thread& in, bool is_progress, std::int64_t now) {
    if (is_progress) {
        in.end.store(now, std::memory_order_relaxed);
        in.progress.store(in.progress.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    }
    in.number.store(in.number.load(std::memory_order_relaxed) + 1, std::memory_order_release);
}

} // namespace tools::replay
