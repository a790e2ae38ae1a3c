// SPDX-License-Identifier: BSL-1.0
// Messages that are objects.
#include <doctest/doctest.h>

#include "application.hpp"
#include "boost_objects.hpp"
#include "ledger.hpp"

#include <sonde/boost.hpp>
#include <sonde/mpi.hpp>
#include <sonde/sonde.hpp>

#include <boost/mpi/detail/mpi_datatype_cache.hpp>

#include <concepts>
#include <cstddef>
#include <span>
#include <stdexcept>
#include <vector>

using namespace sonde;
using boost_mpi::content_link, boost_mpi::object_link, boost_mpi::objects;
using boost_objects::parcel, boost_objects::particle;
using ledger::call;

namespace {

constexpr std::size_t rounds = 3;
constexpr std::size_t window = 5;
constexpr std::size_t lengths[] = {0, 1, 500, 40'000}; // of vectors: eager and rendezvous

static_assert(Buffer<objects<parcel>> && Buffer<objects<parcel const>> && Buffer<boost_mpi::contents<parcel>>);
static_assert(Link<object_link<parcel>, parcel const&, parcel&> && AsyncLink<object_link<parcel>, parcel&>);
static_assert(Link<content_link<parcel>, boost::mpi::content const&>);
static_assert(AsyncLink<content_link<parcel>, boost::mpi::content const&>);
static_assert(!Link<object_link<parcel>> && !AsyncLink<content_link<parcel>>); // regions of bytes are no objects
static_assert(!Link<object_link<parcel>, particle&>);
static_assert(!Link<object_link<parcel>, parcel&, parcel const&>);             // no receive into a constant object
static_assert(!std::constructible_from<object_link<parcel>, mpi::group, int>); // a temporary group
static_assert(std::same_as<decltype(objects{std::declval<std::span<parcel>&>()}), objects<parcel>>);
static_assert(std::same_as<decltype(objects{std::declval<std::vector<parcel>&>()}), objects<std::vector<parcel>>>);

/// The group of all ranks, this rank's pairing in the largest number of pairs, and `n` objects each way.
template <class T>
struct paired_rank {
    mpi::group ranks{application::comm()};
    pairing at = pair_of(ranks.rank(), ranks.size() / 2);
    std::vector<T> out, in;
    std::size_t length;

    paired_rank(std::size_t n, std::size_t of_length) : out(n), in(n), length{of_length} { write(0); }
    void write(std::size_t round) {
        for (std::size_t m = 0; m != out.size(); ++m) boost_objects::write(out[m], ranks.rank(), round, m, length);
    }
    /// Number of wrong objects that a pattern delivers from this rank's peer.
    std::size_t errors_of(auto& pattern, auto receives) {
        auto const prepare = [&](std::size_t round) {
            write(round);
            for (auto& object : in) boost_objects::clear(object);
        };
        auto const verify = [&](std::size_t round) {
            std::size_t errors = 0;
            for (std::size_t m = 0; receives(at.role) && m != in.size(); ++m)
                errors += boost_objects::is_written(in[m], at.peer, round, m, length) ? 0 : 1;
            return errors;
        };
        return validate(ranks, pattern, prepare, verify, rounds);
    }
};

bool talks(role who) { return who != role::idle; }

template <class L, class T>
std::size_t ping_pong_errors(std::size_t length) {
    paired_rank<T> t{1, length};
    ping_pong pattern{L{t.ranks, t.at.peer}, t.at.role, objects{t.out[0]}, objects{t.in[0]}};
    return t.errors_of(pattern, talks);
}

template <class L, class T>
std::size_t stream_errors(std::size_t length) {
    paired_rank<T> t{window, length};
    std::byte token{};
    stream pattern{L{t.ranks, t.at.peer},
                   t.at.role,
                   window,
                   objects{std::span{t.out}},
                   objects{std::span{t.in}},
                   mpi::link{t.ranks, t.at.peer, 1},
                   slice{{&token, 1}}};
    return t.errors_of(pattern, [](role who) { return who == role::responder; });
}

template <class L, class T>
std::size_t bidirectional_errors(std::size_t length) {
    paired_rank<T> t{window, length};
    bidirectional pattern{L{t.ranks, t.at.peer}, t.at.role, window, objects{std::span{t.out}},
                          objects{std::span{t.in}}};
    return t.errors_of(pattern, talks);
}

/// Link and type of its objects.
template <template <class> class L, class T>
struct way {
    using link = L<T>;
    using object = T;
};

/// Calls of this rank in a ping-pong of objects, of which `rounds` are sent and received.
template <class W>
std::size_t calls_of(call which) {
    auto const before = ledger::current()[which];
    static_cast<void>(ping_pong_errors<typename W::link, typename W::object>(500));
    return ledger::current()[which] - before;
}

std::size_t messages_of_this_rank() { return application::rank() < application::size() / 2 * 2 ? rounds : 0; }

using serialized = way<object_link, parcel>;
using by_datatype = way<object_link, particle>;
using array_of_particles = way<object_link, std::vector<particle>>;
using by_content = way<content_link, parcel>;
using content_of_datatype = way<content_link, particle>;

} // namespace

TEST_CASE_TEMPLATE("every pattern delivers the objects of the peer, whichever ranks are idle", W, serialized,
                   by_datatype, array_of_particles, by_content, content_of_datatype) {
    using L = typename W::link;
    using T = typename W::object;
    for (auto const length : lengths) {
        auto const alternating = ping_pong_errors<L, T>(length);
        auto const one_way = stream_errors<L, T>(length);
        auto const both_ways = bidirectional_errors<L, T>(length);
        CAPTURE(length);
        CHECK(alternating == 0);
        CHECK(one_way == 0);
        CHECK(both_ways == 0);
    }
}

TEST_CASE("serialized objects are probed for, objects with an MPI datatype are received as such") {
    auto const messages = messages_of_this_rank();
    CHECK(calls_of<serialized>(call::send) == messages);
    CHECK(calls_of<serialized>(call::mprobe) == messages);
    CHECK(calls_of<serialized>(call::mrecv) == messages);
    CHECK(calls_of<serialized>(call::recv) == 0);
    CHECK(calls_of<array_of_particles>(call::mprobe) == messages);
    CHECK(calls_of<by_datatype>(call::send) == messages);
    CHECK(calls_of<by_datatype>(call::recv) == messages);
    CHECK(calls_of<by_datatype>(call::mprobe) == 0);
}

TEST_CASE("the skeleton is sent once, outside the iterations, which send the content by one call") {
    auto const messages = messages_of_this_rank();
    auto const once = messages == 0 ? 0U : 1U;
    CHECK(calls_of<by_content>(call::isend) == once); // the skeleton
    CHECK(calls_of<by_content>(call::mprobe) == once);
    CHECK(calls_of<by_content>(call::send) == messages);
    CHECK(calls_of<by_content>(call::recv) == messages);
}

TEST_CASE("messages in flight are received in the order in which they were sent, whenever they come") {
    paired_rank<parcel> t{window, 40'000};
    object_link<parcel> link{t.ranks, t.ranks.rank()}; // to itself: nothing has come when the receives start
    link.reserve(window);
    for (auto& object : t.in) link.irecv(object);
    for (auto const& object : t.out) link.isend(object);
    link.wait_all();
    CHECK(t.in == t.out);
}

TEST_CASE_TEMPLATE("no_peer is no rank of objects: nothing is waited for and nothing is written", W, serialized,
                   by_datatype, array_of_particles, by_content) {
    paired_rank<typename W::object> t{1, 10};
    auto const before = t.in;
    auto const made = ledger::current().all();
    using link = typename W::link;
    ping_pong alternating{link{t.ranks, no_peer}, role::initiator, objects{t.out[0]}, objects{t.in[0]}};
    bidirectional both_ways{link{t.ranks, no_peer}, role::initiator, 1, objects{t.out[0]}, objects{t.in[0]}};
    alternating();
    both_ways();
    CHECK(t.in == before);
    CHECK(alternating.traffic().bytes + both_ways.traffic().messages == 0);
    CHECK(ledger::current().all() == made);
}

TEST_CASE("bytes are the packed sizes of objects, in every way of sending, also of objects that arrive later") {
    paired_rank<parcel> t{1, 500};
    auto const bytes = boost_mpi::packed_size(t.out[0]);
    auto const of_values = 500 * sizeof(double) + 5 * sizeof(int);
    CHECK(bytes >= of_values);
    CHECK(bytes < of_values + 200); // lengths and versions
    auto const of_members = sizeof(int) + 2 * sizeof(double);
    CHECK(boost_mpi::packed_size(particle{}) >= of_members);
    CHECK(boost_mpi::packed_size(particle{}) < of_members + 10);

    auto const once = plan<>{}.warmup(0).until(samples{1});
    ping_pong in_archive{object_link<parcel>{t.ranks, t.at.peer}, t.at.role, objects{t.out[0]}, objects{t.in[0]}};
    auto const serialized_record = run(t.ranks, once, in_archive);
    ping_pong content{content_link<parcel>{t.ranks, t.at.peer}, t.at.role, objects{t.out[0]}, objects{t.in[0]}};
    auto const content_record = run(t.ranks, once, content);
    auto const pairs = static_cast<std::size_t>(t.ranks.size() / 2);
    CHECK(serialized_record.total.bytes == 2 * pairs * bytes);
    CHECK(content_record.total.bytes == 2 * pairs * bytes);
}

TEST_CASE("the datatype of a struct sends its members by a link of regions") {
    mpi::group ranks{application::comm()};
    auto const at = pair_of(ranks.rank(), ranks.size() / 2);
    std::vector<particle> out(7), in(7);
    boost_objects::write(out, ranks.rank(), 0, 0, 7);
    auto const bytes_of = [](std::vector<particle>& all) { return slice{std::as_writable_bytes(std::span{all})}; };
    ping_pong pattern{mpi::link{ranks, at.peer, 0, boost_mpi::elements_of<particle>()}, at.role, bytes_of(out),
                      bytes_of(in)};
    pattern();
    CHECK((at.role == role::idle || boost_objects::is_written(in, at.peer, 0, 0, 7)));
    CHECK(traffic_of(pattern).bytes == (at.role == role::idle ? 0 : 2 * 7 * (sizeof(int) + 2 * sizeof(double))));
}

TEST_CASE(
    "a group constructed from a Boost.MPI communicator works on a duplicate of it, which is one of Boost.MPI, too") {
    boost::mpi::communicator const theirs{application::comm(), boost::mpi::comm_attach};
    mpi::group ranks{theirs};
    auto const ours = boost_mpi::communicator_of(ranks);
    int same = MPI_UNEQUAL;
    PMPI_Comm_compare(ranks.comm(), theirs, &same);
    CHECK(same == MPI_CONGRUENT);
    CHECK(MPI_Comm(ours) == ranks.comm());
    CHECK(ours.rank() == theirs.rank());
}

TEST_CASE("objects that cannot be a buffer are refused") {
    mpi::group ranks{application::comm()};
    CHECK_THROWS_AS(objects{std::span<parcel>{}}, std::invalid_argument);
    std::vector<parcel> two(2);
    two[1].values.resize(1);
    content_link<parcel> link{ranks, no_peer};
    CHECK_THROWS_AS(link.send_buffer(objects{std::span{two}}), std::invalid_argument);
    two[0].values.resize(1);
    CHECK_NOTHROW(link.send_buffer(objects{std::span{two}}));
}

TEST_CASE("objects of one rank that differ in shape are refused there, and by the peer that waits for them") {
    paired_rank<parcel> t{2, 3};
    if (t.at.role == role::idle) return;
    content_link<parcel> link{t.ranks, t.at.peer};
    if (t.at.role == role::initiator) t.out[1].values.resize(4);
    auto const send = [&] { (void)link.send_buffer(objects{std::span{t.out}}); };
    auto const receive = [&] { (void)link.recv_buffer(objects{std::span{t.in}}); };
    if (t.at.role == role::initiator) {
        CHECK_THROWS_AS(send(), std::invalid_argument);
        CHECK_NOTHROW(receive());
    } else {
        CHECK_NOTHROW(send());
        CHECK_THROWS_AS(receive(), std::invalid_argument);
    }
}

TEST_CASE("messages that nobody waits for are canceled when their link ends") {
    paired_rank<particle> t{1, 1};
    {
        object_link<particle> link{t.ranks, t.ranks.rank()};
        link.irecv(t.in[0]);
    }
    {
        object_link<parcel> link{t.ranks, t.ranks.rank()};
        parcel unused;
        link.irecv(unused);
    }
    CHECK(ledger::current().active_requests == 0);
}

TEST_CASE("a send that is not canceled keeps its archive: whoever receives it later gets the object") {
    paired_rank<parcel> t{1, 400'000}; // rendezvous
    {
        object_link<parcel> link{t.ranks, t.ranks.rank()};
        link.isend(t.out[0]);
    }
    std::vector<std::vector<char>> const reuses_freed_memory(100, std::vector<char>(100'000, '!'));
    object_link<parcel> const link{t.ranks, t.ranks.rank()};
    link.recv(t.in[0]);
    CHECK(t.in == t.out);
    CHECK(ledger::current().active_requests == 0);
}

TEST_CASE("the last test frees the datatypes that Boost.MPI keeps, as its environment does before MPI ends") {
    boost::mpi::detail::mpi_datatype_cache().clear();
    CHECK(ledger::current().datatypes.empty());
}
