// SPDX-License-Identifier: BSL-1.0
#include "tools/replay/trace/fold.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace tools::replay {

namespace {

std::uint64_t hash_of_loop(node const& loop) {
    auto hash = mixed(1, loop.passes);
    for (auto const& part : loop.body) hash = mixed(hash, part.hash);
    return hash;
}

/// Add the samples of a node to those of an equal one.
void merge(node& into, node const& more) {
    into.measured += more.measured;
    for (std::size_t i = 0; i != into.body.size(); ++i) merge(into.body[i], more.body[i]);
}

/// Add the times of an event that was made once, or those of the passes of a loop that are kept.
void append_times(std::vector<pass_times>& to, node const& n) {
    if (!n.is_loop()) {
        auto const seconds = [](times const& t) { return static_cast<float>(t.sum().count()); };
        to.push_back({seconds(n.measured.think), seconds(n.measured.call), sonde::seconds{n.end}.count()});
        return;
    }
    for (auto const row : n.kept->choice_inside(n.passes)) to.insert(to.end(), row.begin(), row.end());
}

/// Times of a pass whose nodes are not yet part of a loop.
std::vector<pass_times> times_of(std::vector<node> const& nodes, std::size_t at, std::size_t length) {
    std::vector<pass_times> found;
    for (auto i = at; i != at + length; ++i) append_times(found, nodes[i]);
    return found;
}

constexpr std::size_t bytes_of_event = sizeof(node) + 2 * sizeof(std::uint64_t);
constexpr std::size_t bytes_in_loop =
    bytes_of_event + 2 * times::histogram_bytes() + kept_passes::bytes(); // of an event

std::size_t bytes_of(node const& n, bool in_loop = false) {
    if (!n.is_loop()) return in_loop ? bytes_in_loop : bytes_of_event;
    std::size_t all = bytes_of_event;
    for (auto const& part : n.body) all += bytes_of(part, true);
    return all;
}

} // namespace

std::uint64_t hash_of(event const& e) {
    auto hash = mixed(0, static_cast<std::uint64_t>(e.call));
    for (auto const field : {e.site, e.comm, e.window, e.to, e.tag, e.from, e.recv_tag, e.root, e.type, e.recv_type,
                             e.operation, e.mode, e.made, e.requests, e.counts})
        hash = mixed(hash, static_cast<std::uint64_t>(field));
    hash = mixed(hash, static_cast<std::uint64_t>(e.count));
    return mixed(hash, static_cast<std::uint64_t>(e.recv_count)) | 1; // 0 is the end of no loop
}

void samples::add(sample const& s) {
    think.add(s.think);
    call.add(s.call);
    polls += s.polls;
    if (s.matched != absent) *this += samples{{}, {}, 0, {{s.matched, 1}}};
    if (s.displacement != absent) reach(s.displacement, s.displacement);
}

void samples::reach(std::int64_t least, std::int64_t most) {
    nearest = nearest == absent ? least : std::min(nearest, least);
    farthest = farthest == absent ? most : std::max(farthest, most);
}

samples& samples::operator+=(samples const& more) {
    think += more.think;
    call += more.call;
    polls += more.polls;
    for (auto const& one : more.matched) {
        auto const at = std::lower_bound(matched.begin(), matched.end(), one.first,
                                         [](auto const& m, std::int32_t rank) { return m.first < rank; });
        if (at == matched.end() || at->first != one.first) matched.insert(at, one);
        else at->second += one.second;
    }
    if (more.nearest != absent) reach(more.nearest, more.farthest);
    return *this;
}

void folded_events::add(event const& e, sample const& s) {
    if (in_loop_) {
        auto& loop = nodes_.back();
        if (loop.body[pass_.size()].what == e) {
            pass_.push_back(s);
            if (pass_.size() == loop.body.size()) end_pass();
            return;
        }
        close();
    }
    if (bytes_ + bytes_of_event > limit_) return drop();
    push(e, s);
    fold();
}

void folded_events::drop() {
    close();
    ++dropped_;
}

void folded_events::close() {
    if (!in_loop_) return;
    in_loop_ = false;
    set_loop(nodes_.size() - 1);
    auto const pass = std::move(pass_);
    pass_.clear();
    std::vector<event> events;
    for (std::size_t i = 0; i != pass.size(); ++i) events.push_back(nodes_.back().body[i].what);
    fold();
    for (std::size_t i = 0; i != pass.size(); ++i) add(events[i], pass[i]);
    if (in_loop_) close();
}

void folded_events::push(event const& e, sample const& s) {
    node added{.what = e, .end = s.end, .hash = hash_of(e)};
    added.measured.add(s);
    hashes_.push_back(added.hash);
    ends_.push_back(0);
    nodes_.push_back(std::move(added));
    bytes_ += bytes_of_event;
}

void folded_events::fold() {
    bool is_new = false;
    for (bool found = true; found; is_new = is_new || found) {
        found = false;
        auto const n = nodes_.size();
        auto const last = hashes_.back();
        for (std::size_t length = 1; !found && length <= longest_body && length < n; ++length) {
            auto const before = n - 1 - length;
            if (ends_[before] == last) found = extend_loop(length);
            if (!found && hashes_[before] == last && 2 * length <= n) found = make_loop(length);
        }
    }
    auto const& body = nodes_.back().body;
    in_loop_ = is_new && std::none_of(body.begin(), body.end(), [](node const& part) { return part.is_loop(); });
}

/// The last nodes are one more pass of the loop before them.
bool folded_events::extend_loop(std::size_t length) {
    auto const at = nodes_.size() - 1 - length;
    if (nodes_[at].body.size() != length || !is_repeated(nodes_[at].body, 0, length)) return false;
    auto& loop = nodes_[at];
    if (loop.kept->wants(loop.passes)) loop.kept->add(loop.passes, times_of(nodes_, at + 1, length));
    for (std::size_t i = 0; i != length; ++i) merge(loop.body[i], nodes_[at + 1 + i]);
    ++loop.passes;
    remove_last(length);
    set_loop(at);
    return true;
}

/// The last nodes repeat those before them: a loop of two passes.
bool folded_events::make_loop(std::size_t length) {
    auto const at = nodes_.size() - 2 * length;
    if (!is_repeated(nodes_, at, length)) return false;
    node loop{.passes = 2};
    loop.kept = std::make_unique<kept_passes>();
    for (std::size_t pass = 0; pass != 2; ++pass) loop.kept->add(pass, times_of(nodes_, at + pass * length, length));
    auto const first = nodes_.begin() + static_cast<std::ptrdiff_t>(at);
    loop.body.assign(std::make_move_iterator(first),
                     std::make_move_iterator(first + static_cast<std::ptrdiff_t>(length)));
    for (std::size_t i = 0; i != length; ++i) merge(loop.body[i], nodes_[at + length + i]);
    for (auto& part : loop.body) {
        if (!part.is_loop()) bytes_ += bytes_in_loop - bytes_of_event;
        part.kept.reset();
    }
    bytes_ += bytes_of_event;
    remove_last(length);
    nodes_.resize(at + 1);
    nodes_.back() = std::move(loop);
    hashes_.resize(at + 1);
    ends_.resize(at + 1);
    set_loop(at);
    return true;
}

bool folded_events::is_repeated(std::vector<node> const& before, std::size_t at, std::size_t length) const {
    auto const last = hashes_.end() - static_cast<std::ptrdiff_t>(length);
    for (std::size_t i = 0; i != length; ++i)
        if (before[at + i].hash != last[static_cast<std::ptrdiff_t>(i)]) return false;
    return true;
}

void folded_events::remove_last(std::size_t length) {
    auto const kept = nodes_.size() - length;
    for (auto i = kept; i != nodes_.size(); ++i) bytes_ -= bytes_of(nodes_[i]);
    nodes_.resize(kept);
    hashes_.resize(kept);
    ends_.resize(kept);
}

void folded_events::end_pass() {
    auto& loop = nodes_.back();
    for (std::size_t i = 0; i != pass_.size(); ++i) loop.body[i].measured.add(pass_[i]);
    if (loop.kept->wants(loop.passes)) {
        auto const seconds = [](std::chrono::nanoseconds t) { return static_cast<float>(sonde::seconds{t}.count()); };
        pass_times_.clear();
        for (auto const& s : pass_)
            pass_times_.push_back({seconds(s.think), seconds(s.call), sonde::seconds{s.end}.count()});
        loop.kept->add(loop.passes, pass_times_);
    }
    pass_.clear();
    ++loop.passes;
}

/// Update the hashes of a loop.
void folded_events::set_loop(std::size_t at) {
    auto& loop = nodes_[at];
    loop.hash = hash_of_loop(loop);
    hashes_[at] = loop.hash;
    ends_[at] = loop.body.back().hash;
}

} // namespace tools::replay
