// SPDX-License-Identifier: BSL-1.0
// Every datatype through every link and every pattern of messages.
#include <doctest/doctest.h>

#include "application.hpp"
#include "typed_memory.hpp"

#include <sonde/mpi.hpp>
#include <sonde/mpi/exchange.hpp>
#include <sonde/mpi/link_modes.hpp>
#include <sonde/sonde.hpp>

#include <cstddef>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

using namespace sonde;

namespace {

constexpr std::size_t elements = 2, messages = 2;

/// A rank, its pair, and the regions of two messages of two elements each way.
struct rank_of_pair {
    mpi::group const& ranks;
    typed::datatype const& type;
    std::size_t behind;
    pairing at = sonde::pair_of(ranks.rank(), ranks.size() / 2);
    std::size_t bytes = type.span(elements), stride = (bytes + 16) / 16 * 16;
    typed::memory out{stride + bytes, std::byte{0x5a}, behind}, in{stride + bytes, std::byte{0xa5}, behind};

    rotating outs() { return {out.all(), bytes, stride}; }
    rotating ins() { return {in.all(), bytes, stride}; }
    region message_of(typed::memory& side, int m) {
        return side.all().subspan(static_cast<std::size_t>(m) * stride, bytes);
    }
    /// As many elements as fit where the library can count them.
    mpi::elements counted() const { return {type.type.get(), type.numbers.empty() ? static_cast<int>(elements) : -1}; }
    template <class L>
    L link() const {
        return L{ranks, at.peer, 7, counted()};
    }
    mpi::link back() const { return {ranks, at.peer, 1}; }

    /// True if the pattern delivers both messages of rank `from`, if there is one, and changes no other byte.
    template <class Make>
    bool delivers(Make make, std::size_t iterations, int from) {
        for (std::size_t m = 0; m != messages; ++m)
            out.write(type, m * stride, elements, ranks.rank(), static_cast<int>(m));
        auto const sent = out;
        auto expected = in;
        for (std::size_t m = 0; from >= 0 && m != messages; ++m)
            expected.write(type, m * stride, elements, from, static_cast<int>(m));
        {
            auto pattern = make(*this);
            ranks.barrier(); // the receives of a ready link are started
            for (std::size_t i = 0; i != iterations; ++i) pattern();
        }
        return in == expected && out == sent;
    }
};

/// f(name, delivers(rank_of_pair&) -> bool) for every pattern over every link.
void each_pattern(auto f) {
    auto const pairwise = [&](char const* name, std::size_t iterations, auto make, auto receives) {
        f(name, [=](rank_of_pair& t) { return t.delivers(make, iterations, receives(t.at.role) ? t.at.peer : -1); });
    };
    auto const both = [](role who) { return who != role::idle; };
    auto const ping = [&]<class L>(char const* name, L* /*type*/) {
        pairwise(
            name, messages,
            [](rank_of_pair& t) {
                return ping_pong{t.link<L>(), t.at.role, t.outs(), t.ins()};
            },
            both);
    };
    auto const flow = [&](char const* name, auto link) {
        static std::vector<std::byte> token(1);
        pairwise(
            name, 1,
            [=](rank_of_pair& t) {
                return stream{link(t), t.at.role, messages, t.outs(), t.ins(), t.back(), slice{token}};
            },
            [](role who) { return who == role::responder; });
        pairwise(
            name, 1,
            [=](rank_of_pair& t) {
                return bidirectional{link(t), t.at.role, messages, t.outs(), t.ins()};
            },
            both);
    };
    ping("ping-pong", static_cast<mpi::link*>(nullptr));
    ping("synchronous", static_cast<mpi::sync_link*>(nullptr));
    ping("persistent", static_cast<mpi::persistent_link*>(nullptr));
    ping("buffered", static_cast<mpi::buffered_link*>(nullptr));
    ping("ready", static_cast<mpi::ready_link*>(nullptr));
    ping("any source", static_cast<mpi::any_source_link*>(nullptr));
    ping("mprobe", static_cast<mpi::mprobe_link*>(nullptr));
    flow("windowed", [](rank_of_pair& t) { return t.link<mpi::async_link>(); });
    flow("windowed, any source", [](rank_of_pair& t) { return t.link<mpi::any_source_link>(); });
    flow("windowed, persistent", [](rank_of_pair& t) {
        return mpi::persistent_link{t.ranks, t.at.peer, 7, t.counted(), messages};
    });
    flow("windowed, several peers", [](rank_of_pair& t) {
        return mpi::multi_peer_link{t.ranks, {t.at.peer}, 7, t.counted()};
    });
#if MPI_VERSION >= 4
    auto const large = [&](char const* name, auto link) {
        pairwise(
            name, messages,
            [=](rank_of_pair& t) {
                return ping_pong{link(t), t.at.role, t.outs(), t.ins()};
            },
            both);
    };
    large("large counts", [](rank_of_pair& t) {
        return mpi::large_count_link{t.ranks, t.at.peer, 7, t.type.type.get()};
    });
    large("partitioned", [](rank_of_pair& t) {
        return mpi::partitioned_link{t.ranks, t.at.peer, 2, mpi::ready_at_once{}, 7, t.type.type.get()};
    });
#endif
    f("exchange", [](rank_of_pair& t) {
        auto const n = t.ranks.size(), next = (t.ranks.rank() + 1) % n, previous = (t.ranks.rank() + n - 1) % n;
        return t.delivers(
            [=](rank_of_pair& of) {
                return exchange{mpi::sendrecv_link{of.ranks, next, previous, 7, of.counted()}, of.outs(), of.ins()};
            },
            messages, previous);
    });
    f("halo", [](rank_of_pair& t) {
        return t.delivers(
            [](rank_of_pair& of) {
                std::vector<mpi::halo_neighbor> all;
                for (auto m : {0, 1})
                    all.push_back({of.at.peer, of.message_of(of.out, m), of.message_of(of.in, m), of.counted(), m});
                return mpi::halo{of.ranks, all};
            },
            1, t.at.peer);
    });
}

} // namespace

TEST_CASE("every datatype arrives by every link and pattern, and the bytes around its numbers stay as they are") {
    mpi::group ranks{application::comm()};
    mpi::attached_buffer const room{4096, 4};
    std::size_t behind = 0;
    typed::each([&](typed::datatype const& type) {
        each_pattern([&](std::string const& pattern, auto delivers) {
            if (type.is_plain() && pattern != "ping-pong") return;
            if (type.numbers.empty() && (pattern == "large counts" || pattern == "partitioned")) return;
            CAPTURE(type.name);
            CAPTURE(pattern);
            behind = 64 - behind;
            rank_of_pair t{ranks, type, behind};
            CHECK(delivers(t));
        });
    });
}

TEST_CASE("numbers before the address of an element are refused by every link and pattern, with the reason") {
    mpi::group ranks{application::comm()};
    for (auto const& type : typed::before()) {
        std::vector<std::byte> bytes(256);
        auto const text = "sonde::mpi: the type begins before its region";
        CAPTURE(type.name);
        for (auto const count : {-1, 1, 2}) {
            mpi::elements const e{type.type.get(), count};
            CHECK_THROWS_WITH_AS((mpi::message_buffer{slice{bytes}, e}), text, std::invalid_argument);
            CHECK_THROWS_WITH_AS((mpi::halo{ranks, {{0, region{bytes}, region{bytes}, e}}}), text,
                                 std::invalid_argument);
        }
        CHECK_THROWS_WITH_AS((mpi::large_message_buffer{slice{bytes}, type.type.get()}), text, std::invalid_argument);
    }
}
