// SPDX-License-Identifier: BSL-1.0
#include "window.hpp"

#include "contents.hpp"
#include "everyone_measures.hpp"
#include "p2p_patterns.hpp"

#include <sonde/mpi/link.hpp>
#include <sonde/pattern.hpp>
#include <sonde/patterns/bidirectional.hpp>
#include <sonde/patterns/stream.hpp>
#include <sonde/run.hpp>

#include <memory>
#include <utility>

namespace imb {

namespace {

using memory = sonde::allocation<sonde::mpi::alloc_mem>;

/// The most messages that divide a window and whose regions there is memory for.
std::size_t part_of_window(setting const& s, std::size_t region) {
    auto const allowed = s.asked.memory * static_cast<double>(std::size_t{1} << 30);
    auto const taken = static_cast<double>(s.send.bytes().size() + s.receive.bytes().size());
    auto const fits = [&](std::size_t n) { return taken + static_cast<double>(n * region) <= allowed; };
    auto n = s.asked.window;
    while (n > 1 && (s.asked.window % n != 0 || !fits(n))) --n;
    return n;
}

/// What windows of a size are made of.
class windows {
public:
    explicit windows(setting& s)
        : s_{s}, span_{s.bytes * s.spread}, stride_{memory::stride_of(span_)}, messages_{part_of_window(s, stride_)},
          in_{messages_ * stride_}, pairing_{sonde::pair_of(s.group.rank(), s.group.size() / 2)} {
        in_.fill(std::byte{0});
    }

    setting& of() const { return s_; }
    sonde::pairing const& pairing() const { return pairing_; }
    std::size_t messages() const { return messages_; }
    std::size_t parts() const { return s_.asked.window / messages_; }
    sonde::mpi::async_link link() const { return {s_.group, pairing_.peer, tag, s_.elements_of(s_.bytes)}; }
    sonde::mpi::link back() const { return {s_.group, pairing_.peer, tag + 1, {MPI_CHAR}}; }
    sonde::slice token() { return sonde::slice{{&token_, 1}}; }
    buffer in() const { return {in_.bytes(), span_, stride_}; }
    regions checked() const { return {s_.send.bytes().first(span_), in_.bytes()}; }

    /// Of every rank one message many times; `receives`: this rank gets some.
    movement moved(bool receives) const {
        movement found{{{{0, span_, sonde::mpi::all_ranks}, s_.group.rank()}}, {}};
        for (std::size_t i = 0; receives && i != messages_; ++i)
            found.gets.push_back({i * stride_, span_, pairing_.peer, pairing_.peer, sonde::mpi::all_ranks});
        return found;
    }

private:
    setting& s_;
    std::size_t span_;
    std::size_t stride_;
    std::size_t messages_;
    memory in_;
    std::byte token_{};
    sonde::pairing pairing_;
};

auto one_way(windows& w, buffer out) {
    return everyone_measures{sonde::repeat{
        w.parts(), sonde::stream{w.link(), w.pairing().role, w.messages(), out, w.in(), w.back(), w.token()}}};
}

auto both_ways(windows& w, buffer out) {
    auto part =
        sonde::bidirectional{w.link(), sonde::role::initiator, w.messages(), out, w.in(), sonde::directions::sent};
    return sonde::repeat{w.parts(), acknowledged{std::move(part), w.back(), w.pairing().role, w.token()}};
}

/// `make(windows, out)` -> pattern.
template <class Make>
work loop_of(setting& s, Make make, bool everyone_receives) {
    auto const all = std::make_shared<windows>(s);
    auto const measure = [&s, all, make](std::size_t n) -> outcome {
        auto at = s.point();
        at.parameters.emplace_back("window", s.asked.window);
        at.parameters.emplace_back("window_parts", all->parts()); // each with an acknowledgement
        return {sonde::run(s.group, s.whole(n), make(*all, s.out(s.bytes)), std::move(at)), {}, {}};
    };
    auto const defects = [&s, all, make, everyone_receives] {
        auto pattern = make(*all, first_slot(s.sends, s.send, s));
        auto const receives = everyone_receives || all->pairing().role == sonde::role::responder;
        return largest_deviation(
            s, all->checked(), [&pattern] { pattern(); }, [&](std::size_t) { return all->moved(receives); });
    };
    return {measure, defects};
}

} // namespace

work make_uniband(setting& s) { return loop_of(s, one_way, false); }
work make_biband(setting& s) { return loop_of(s, both_ways, true); }

} // namespace imb
