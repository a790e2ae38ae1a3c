// SPDX-License-Identifier: BSL-1.0
#include "tools/replay/recorder/own_page.hpp"

#include "tools/replay/hang/page_folder.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <utility>

namespace tools::replay {

namespace {

bool holds_lock(int file) {
    struct flock lock {};
    lock.l_type = F_WRLCK;
    lock.l_whence = SEEK_SET;
    return fcntl(file, F_SETLK, &lock) == 0;
}

/// The memory is taken now, because a folder that is full later would end the process.
rank_page* mapped(int file) {
    if (posix_fallocate(file, 0, sizeof(rank_page)) != 0) return nullptr;
    if (posix_fallocate(file, scopes_offset, scopes_size) != 0 || ftruncate(file, page_file_size) != 0) return nullptr;
    auto* const memory = mmap(nullptr, sizeof(rank_page), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    return memory == MAP_FAILED ? nullptr : static_cast<rank_page*>(memory);
}

void copy(std::string_view text, std::span<char> to) {
    std::memcpy(to.data(), text.data(), std::min(text.size(), to.size() - 1)); // a zero is behind it
}

} // namespace

std::unique_ptr<own_page> own_page::make(std::string const& folder, std::string const& job, int rank, int size,
                                         std::span<char const* const> calls) {
    remove_old_pages(folder);
    auto path = folder + '/' + page_name(job, rank);
    auto const draft = folder + "/." + page_name(job, rank); // no page before it is locked
    unlink(draft.c_str());
    auto const file = open(draft.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, S_IRUSR | S_IWUSR);
    if (file < 0) return nullptr;
    auto* const page = holds_lock(file) ? mapped(file) : nullptr;
    if (page == nullptr || std::rename(draft.c_str(), path.c_str()) != 0) {
        unlink(draft.c_str());
        if (page != nullptr) munmap(page, sizeof *page);
        close(file);
        return nullptr;
    }
    page->rank = rank;
    page->size = size;
    for (std::size_t i = 0; i != std::min(calls.size(), rank_page::most_calls); ++i) copy(calls[i], page->calls[i]);
    page->layout.store(rank_page::this_layout, std::memory_order_release);
    return std::unique_ptr<own_page>{new own_page{page, std::move(path), file}};
}

bool own_page::show(sonde::scope_table& scopes) {
    if (pwrite(file_, &scopes, scopes_size, scopes_offset) != static_cast<ssize_t>(scopes_size)) return false;
    return mmap(&scopes, sizeof scopes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file_, scopes_offset) !=
           MAP_FAILED;
}

void own_page::remove_file() { unlink(path_.c_str()); }

own_page::~own_page() {
    remove_file();
    munmap(page_, sizeof *page_);
    close(file_);
}

std::ptrdiff_t own_page::place_of(std::int32_t id, bool is_window) {
    constexpr std::ptrdiff_t all = rank_page::most_objects, windows = all / 4;
    auto const limit = is_window ? windows : all - windows;
    if (id < 0 || id >= limit) return -1;
    return is_window ? all - 1 - id : id;
}

void own_page::add_object(std::int32_t id, std::uint64_t key, bool is_window, int rank, std::string_view ranks) {
    auto const place = place_of(id, is_window);
    if (place < 0) return;
    auto& entry = page_->objects[place];
    page_object made{.key = key, .is_window = is_window, .rank = rank, .ranks_begin = 0, .ranks_size = 0};
    auto const before = entry.load();
    auto const is_known = before && before->ranks_size == ranks.size() &&
                          ranks == std::string_view{page_->texts + before->ranks_begin, before->ranks_size};
    if (is_known) {
        made.ranks_begin = before->ranks_begin;
    } else {
        if (ranks.size() > sizeof page_->texts - text_size_) return;
        std::memcpy(page_->texts + text_size_, ranks.data(), ranks.size());
        made.ranks_begin = static_cast<std::uint32_t>(text_size_);
        text_size_ += ranks.size();
    }
    made.ranks_size = static_cast<std::uint32_t>(ranks.size());
    entry.store(made);
}

void own_page::add_type(std::uint64_t key, std::int64_t size) {
    auto const n = page_->type_count.load(std::memory_order_relaxed);
    page_->types[n % rank_page::most_types].store({key, size});
    page_->type_count.store(n + 1, std::memory_order_release);
}

void own_page::add_operation(std::size_t place, std::uint64_t key, std::string_view name) {
    if (place >= rank_page::most_operations) return;
    page_operation made{.key = key};
    copy(name, made.name);
    page_->operations[place].store(made);
}

std::uint64_t own_page::end_collective(std::int32_t id, bool is_window, page_call const& call) {
    auto const place = place_of(id, is_window);
    if (place < 0) return 0;
    auto const number = page_->collectives_on[place].load(std::memory_order_relaxed) + 1;
    page_collective entry{.number = number, .object = static_cast<std::uint64_t>(place), .call = call};
    auto const n = page_->collective_count.load(std::memory_order_relaxed);
    constexpr auto words = offsetof(page_collective, call) / sizeof(std::uint64_t) + words_without_requests;
    page_->collectives[n % rank_page::most_collectives].store(entry, words);
    page_->collective_count.store(n + 1, std::memory_order_release);
    page_->collectives_on[place].store(number, std::memory_order_release);
    return number;
}

void own_page::add_message(page_call const& call, std::uint64_t request, std::uint64_t number) {
    page_message entry{.request = request, .number = number, .call = call};
    auto const n = page_->message_count.load(std::memory_order_relaxed);
    constexpr auto words = offsetof(page_message, call) / sizeof(std::uint64_t) + words_without_requests;
    page_->messages[n % rank_page::most_messages].store(entry, words);
    page_->message_count.store(n + 1, std::memory_order_release);
}

} // namespace tools::replay
