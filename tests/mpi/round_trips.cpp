// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include "../link_conformance.hpp"
#include "application.hpp"
#include "ledger.hpp"

#include "tools/model/measure/log_gp_measurement.hpp"

#include <sonde/measure/overlap.hpp>
#include <sonde/mpi.hpp>
#include <sonde/sonde.hpp>

#include <cstddef>

using namespace sonde;
using ledger::call;

namespace {

constexpr std::size_t messages = 5;
constexpr std::size_t rounds = 3;

/// This rank's pairing in one pair, and its memory, with a place for each message.
struct paired_rank {
    mpi::group ranks{application::comm()};
    pairing at = pair_of(ranks.rank(), 1);
    std::size_t bytes;
    std::size_t stride = host_allocation::stride_of(bytes);
    host_allocation out{messages * stride}, in{messages * stride}, token{1};

    explicit paired_rank(std::size_t n) : bytes{n} {}
    mpi::link link(int tag = 0) const { return {ranks, at.peer, tag}; }
    auto round_trips(seconds d) const {
        return tools::model::round_trips{
            link(), at.role,    messages, out.distinct_regions(bytes, messages), in.distinct_regions(bytes, messages),
            d,      busy_wait{}};
    }
    auto spaced_receives(seconds d) const {
        return tools::model::spaced_receives{link(),
                                             at.role,
                                             messages,
                                             out.distinct_regions(bytes, messages),
                                             in.distinct_regions(bytes, messages),
                                             link(1),
                                             token.first(1),
                                             d,
                                             busy_wait{}};
    }

    /// Wrong bytes of the messages that `pattern` delivers to this rank in the given number.
    std::size_t errors(auto pattern, std::size_t to_initiator, std::size_t to_responder) const {
        auto const arrive = at.role == role::initiator ? to_initiator : at.role == role::responder ? to_responder : 0;
        std::size_t wrong = 0;
        for (std::size_t round = 0; round != rounds; ++round) {
            for (std::size_t i = 0; i != messages; ++i) {
                conformance::write_message(out.bytes().subspan(i * stride, bytes), ranks.rank(), round, i);
                for (auto& b : in.bytes().subspan(i * stride, bytes)) b = std::byte{0};
            }
            pattern();
            for (std::size_t i = 0; i != arrive; ++i) {
                // Regions rotate on both sides: message k of all is in, and came from, place k mod messages.
                auto const place = (round * arrive + i) % messages;
                wrong += conformance::wrong_bytes(in.bytes().subspan(place * stride, bytes), at.peer, round, place);
            }
        }
        return wrong;
    }
};

} // namespace

TEST_CASE("round trips deliver every message and one answer; receives with waits deliver every message") {
    for (std::size_t const n : {0U, 1U, 8U, 5000U, 300'001U})
        for (auto const d : {seconds{0}, seconds{20e-6}}) {
            paired_rank const t{n};
            auto const trips = t.errors(t.round_trips(d), 1, messages);
            auto const receives = t.errors(t.spaced_receives(d), messages, 0);
            CAPTURE(n);
            CHECK(trips == 0);
            CHECK(receives == 0);
        }
}

TEST_CASE("round trips are n sends and a receive; spaced receives a token and n receives; idle ranks call nothing") {
    paired_rank const t{8};
    auto trips = t.round_trips(seconds{1e-6});
    auto receives = t.spaced_receives(seconds{1e-6});
    auto const begin = ledger::current();
    trips();
    auto const middle = ledger::current();
    receives();
    auto const& end = ledger::current();
    auto const of = [&](std::size_t initiator, std::size_t responder) {
        return t.at.role == role::initiator ? initiator : t.at.role == role::responder ? responder : 0;
    };
    CHECK(middle[call::send] - begin[call::send] == of(messages, 1));
    CHECK(middle[call::recv] - begin[call::recv] == of(1, messages));
    CHECK(middle.all() - begin.all() == of(messages + 1, messages + 1));
    CHECK(end[call::send] - middle[call::send] == of(1, messages));
    CHECK(end[call::recv] - middle[call::recv] == of(messages, 1));
    CHECK(end.all() - middle.all() == of(messages + 1, messages + 1));
}

TEST_CASE("a LogGP measurement of a size is five records, the same on every rank") {
    paired_rank const t{100};
    tools::model::message_endpoint const ends{t.link(), t.at.role, t.out.first(100), t.in.first(100)};
    tools::model::token_endpoint const tokens{t.link(1), t.token.first(1)};
    tools::model::log_gp_measurement const measure{messages, ends, tokens, busy_wait{}};
    mpi::group ranks{application::comm()};
    auto const records = measure(ranks, plan<>{}.warmup(1).until(samples{20}));
    CHECK(records.size() == 5);
    auto const d = median(records.front()).count();
    for (auto const& r : records) {
        for (auto const time : all_gather(ranks, r.over_ranks.mean.count())) CHECK(time == r.over_ranks.mean.count());
        CHECK(r.initiators == 1);
        CHECK(r.point.parameters[2].number == (&r < &records[2] ? 0 : d));
        for (auto const wait : all_gather(ranks, *r.point.parameters[2].number))
            CHECK(wait == *r.point.parameters[2].number);
    }
}
