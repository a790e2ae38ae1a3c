// SPDX-License-Identifier: BSL-1.0
#include "tools/replay/hang/page_reader.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <string_view>
#include <utility>

namespace tools::replay {

std::unique_ptr<mapped_page> mapped_page::open(std::string const& path) {
    auto const file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    if (file < 0) return nullptr;
    struct stat about {};
    auto const is_whole = fstat(file, &about) == 0 && about.st_size == static_cast<off_t>(page_file_size);
    auto* const memory = is_whole ? mmap(nullptr, page_file_size, PROT_READ, MAP_SHARED, file, 0) : MAP_FAILED;
    close(file);
    if (memory == MAP_FAILED) return nullptr;
    std::unique_ptr<mapped_page> found{new mapped_page{memory}};
    return found->page().layout.load(std::memory_order_acquire) == rank_page::this_layout ? std::move(found) : nullptr;
}

mapped_page::~mapped_page() { munmap(memory_, page_file_size); }

std::vector<shown_scope> mapped_page::scopes(std::int64_t now) const {
    using sonde::scope_table, sonde::live_scope;
    auto const& table = *reinterpret_cast<scope_table const*>(static_cast<char const*>(memory_) + scopes_offset);
    std::vector<shown_scope> found;
    if (table.layout != scope_table::this_layout) return found;
    for (auto const& one : table.scopes) {
        auto const begun = std::bit_cast<double>(live_scope::load(one.begun));
        if (__atomic_load_n(&one.ready, __ATOMIC_ACQUIRE) == 0 || begun == 0) continue;
        found.push_back({.name = {one.name, strnlen(one.name, sizeof one.name)},
                         .kind = static_cast<sonde::scope_kind>(one.kind),
                         .pass = live_scope::load(one.passes) + 1,
                         .seconds = std::max(static_cast<double>(now) * 1e-9 - begun, 0.)});
    }
    auto const is_around = [&](shown_scope const& s) { // another one that is shown
        return std::any_of(found.begin(), found.end(), [&](auto const& o) { return o.name.starts_with(s.name + '/'); });
    };
    std::vector<shown_scope> innermost;
    for (auto const& s : found)
        if (!is_around(s)) innermost.push_back(s);
    return innermost;
}

page_reading read(rank_page const& page) {
    page_reading found;
    for (std::size_t i = 0; i != found.size(); ++i) {
        auto const& from = page.threads[i];
        found[i].number = from.number.load(std::memory_order_acquire);
        found[i].progress = from.progress.load(std::memory_order_relaxed);
        found[i].end = from.end.load(std::memory_order_relaxed);
        found[i].call = from.call.load();
    }
    return found;
}

namespace {

/// The values of a ring, the oldest first.
template <class T, std::size_t N>
std::vector<T> values_of(shared_record<T> const (&ring)[N], std::uint64_t count) {
    std::vector<T> found;
    for (auto n = count - std::min<std::uint64_t>(count, N); n != count; ++n)
        if (auto const value = ring[n % N].load()) found.push_back(*value);
    return found;
}

std::uint64_t count_of(std::atomic<std::uint64_t> const& counter) { return counter.load(std::memory_order_acquire); }

/// Calls of the page in the words of all ranks.
class call_translator {
public:
    call_translator(rank_page const& page, std::function<std::string(std::uint64_t)> const& site)
        : page_{page}, site_{site}, types_{values_of(page.types, count_of(page.type_count))} {}

    shown_call translated(page_call const& c) const {
        shown_call made{.name = name_of(c.call), .operation = operation_of(c.operation), .site = site_(c.site)};
        made.is_window = (c.roles & window_role) != 0;
        made.is_collective = (c.roles & collective_role) != 0;
        made.waits_for_any = (c.roles & any_request_role) != 0;
        set_ranks(made, c);
        set_size(made, c);
        return made;
    }
    /// The ranks of an object that is in the table at this place; empty if there is none.
    std::string object_at(std::size_t place) const {
        auto const entry = place < rank_page::most_objects ? page_.objects[place].load() : std::nullopt;
        return entry ? (entry->is_window != 0 ? "window " : "") + text_of(*entry) : std::string{};
    }
    std::optional<std::size_t> place_of(std::uint64_t key, bool is_window) const {
        for (std::size_t i = 0; key != 0 && i != rank_page::most_objects; ++i) {
            auto const entry = page_.objects[i].load();
            if (entry && entry->key == key && (entry->is_window != 0) == is_window) return i;
        }
        return std::nullopt;
    }

private:
    std::string name_of(std::int32_t call) const {
        if (call < 0 || static_cast<std::size_t>(call) >= rank_page::most_calls) return "?";
        auto const* const text = page_.calls[call];
        return {text, strnlen(text, rank_page::name_size)};
    }
    std::string text_of(page_object const& o) const {
        auto const begin = std::size_t{o.ranks_begin}, size = std::size_t{o.ranks_size};
        if (begin > sizeof page_.texts || size > sizeof page_.texts - begin) return {};
        return {page_.texts + begin, size};
    }
    std::string operation_of(std::uint64_t key) const {
        for (auto const& entry : page_.operations)
            if (auto const one = entry.load(); key != 0 && one && one->key == key)
                return {one->name, strnlen(one->name, sizeof one->name)};
        return {};
    }
    std::int64_t size_of(std::uint64_t key) const {
        auto const at = std::find_if(types_.rbegin(), types_.rend(), [&](auto const& t) { return t.key == key; });
        return at == types_.rend() ? -1 : at->size;
    }
    void set_size(shown_call& made, page_call const& c) const {
        auto const gives = c.count != absent;
        made.count = gives ? c.count : c.recv_count != absent ? c.recv_count : -1;
        auto const size = size_of(gives ? c.type : c.recv_type);
        made.bytes = made.count < 0 || size < 0 ? -1 : made.count * size;
    }
    /// Ranks of a communicator that is not known stay what they are; they are then said without it.
    void set_ranks(shown_call& made, page_call const& c) const {
        made.to = c.to;
        made.tag = c.tag;
        made.from = c.from;
        made.recv_tag = c.recv_tag;
        made.root = c.root;
        auto const place = place_of(c.object, made.is_window);
        if (!place) return;
        made.object = object_at(*place);
        if (made.is_collective) made.number = count_of(page_.collectives_on[*place]) + 1;
        auto const world = members_of(made.object, page_.size);
        for (auto* const one : {&made.to, &made.from, &made.root})
            if (*one >= 0 && static_cast<std::size_t>(*one) < world.size())
                *one = world[static_cast<std::size_t>(*one)];
    }

    rank_page const& page_;
    std::function<std::string(std::uint64_t)> const& site_;
    std::vector<page_type> types_;
};

/// The thread that stands for its rank, and what it does.
struct chosen_thread {
    thread_reading const* reading = nullptr;
    rank_activity activity = rank_activity::goes_on;
    std::uint64_t calls = 0;
};

rank_activity activity_of(thread_reading const& first, thread_reading const& second) {
    if (first.progress != second.progress) return rank_activity::goes_on;
    if (first.number + 1 < second.number) return rank_activity::polls;
    if (second.is_in_call()) return first.number == second.number ? rank_activity::in_call : rank_activity::goes_on;
    return first.number == second.number ? rank_activity::outside : rank_activity::goes_on;
}

/// A thread that goes on, or the one that waits for longest, or that polls, or that made the last call.
chosen_thread choose(page_reading const& first, page_reading const& second) {
    chosen_thread best;
    std::uint64_t calls = 0;
    auto const key = [](chosen_thread const& c) {
        auto const& r = *c.reading;
        auto const time = c.activity == rank_activity::in_call && r.call ? r.call->begin : -r.end;
        return std::pair{static_cast<int>(c.activity), time};
    };
    for (std::size_t i = 0; i != first.size(); ++i) {
        if (second[i].number == 0) continue;
        calls += second[i].number / 2 - first[i].number / 2;
        chosen_thread const one{&second[i], activity_of(first[i], second[i]), 0};
        if (best.reading == nullptr || key(one) < key(best)) best = one;
    }
    best.calls = calls;
    return best;
}

/// The thread is where it was at the second reading: what the tables of the page say is of that time.
bool still_there(rank_page const& page, page_reading const& second, rank_activity activity) {
    for (std::size_t i = 0; i != second.size(); ++i) {
        auto const& now = page.threads[i];
        auto const is_equal = activity == rank_activity::polls ? count_of(now.progress) == second[i].progress
                                                               : count_of(now.number) == second[i].number;
        if (!is_equal) return false;
    }
    return true;
}

void add_requests(rank_state& s, page_call const& c, std::vector<page_message> const& messages,
                  call_translator const& of) {
    auto const listed = std::min<std::size_t>(c.request_count, page_call::most_requests);
    s.other_requests = c.request_count - listed;
    for (std::size_t i = 0; i != listed; ++i) {
        auto const is_it = [&](page_message const& m) { return m.request == c.requests[i]; };
        auto const at = std::find_if(messages.rbegin(), messages.rend(), is_it);
        if (at == messages.rend()) {
            ++s.other_requests;
            continue;
        }
        auto shown = of.translated(at->call);
        shown.request = at->request;
        if (shown.is_collective) shown.number = at->number;
        s.requests.push_back(std::move(shown));
    }
}

} // namespace

std::vector<std::uint64_t> addresses_in(rank_page const& page, page_reading const& reading) {
    std::vector<std::uint64_t> found;
    for (auto const& one : reading)
        if (one.call) found.push_back(one.call->site);
    for (auto const& one : values_of(page.collectives, count_of(page.collective_count))) found.push_back(one.call.site);
    for (auto const& one : values_of(page.messages, count_of(page.message_count))) found.push_back(one.call.site);
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    return found;
}

rank_state state_between(rank_page const& page, page_reading const& first, page_reading const& second, std::int64_t now,
                         std::function<std::string(std::uint64_t)> const& site) {
    rank_state s{.rank = page.rank, .size = page.size};
    call_translator const of{page, site};
    auto const messages = values_of(page.messages, count_of(page.message_count));
    for (auto const& m : messages) {
        s.messages.push_back(of.translated(m.call));
        s.messages.back().request = m.request;
    }
    for (auto const& c : values_of(page.collectives, count_of(page.collective_count))) {
        auto shown = of.translated(c.call);
        shown.object = of.object_at(c.object);
        shown.number = c.number;
        s.collectives.push_back(std::move(shown));
    }
    for (std::size_t i = 0; i != rank_page::most_objects; ++i)
        if (auto const n = count_of(page.collectives_on[i])) s.collectives_on[of.object_at(i)] = n;
    auto const chosen = choose(first, second);
    s.activity = chosen.reading == nullptr ? rank_activity::outside : chosen.activity;
    s.calls = chosen.calls;
    if (!still_there(page, second, s.activity)) s.activity = rank_activity::goes_on;
    if (chosen.reading == nullptr || !chosen.reading->call) return s;
    auto const& call = *chosen.reading->call;
    auto const is_in_call = s.activity == rank_activity::in_call;
    auto const polls = s.activity == rank_activity::polls;
    s.seconds = static_cast<double>(now - (is_in_call ? call.begin : chosen.reading->end)) * 1e-9;
    s.call = of.translated(call);
    if (is_in_call || polls) add_requests(s, call, messages, of);
    else if (s.call.is_collective && s.call.number > 0) --s.call.number; // it is over
    return s;
}

} // namespace tools::replay
