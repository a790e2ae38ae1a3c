// SPDX-License-Identifier: BSL-1.0

// Compiling is passing.

#include <sonde/link.hpp>
#include <sonde/sim/world.hpp>

#include <cstddef>

namespace async_link_concept {

// [satisfies]
struct wire {
    void isend(sonde::region message);
    void irecv(sonde::region message);
    void wait_all();
};
static_assert(sonde::AsyncLink<wire>);
// [/satisfies]

static_assert(sonde::AsyncLink<sonde::sim::link>);
struct prepared : wire { void expect(std::size_t messages); };
static_assert(sonde::AsyncLink<prepared>);

struct handles {
    void isend(int request);
    void irecv(long request);
    int wait_all();
};
static_assert(sonde::AsyncLink<handles, int, long>);
static_assert(!sonde::AsyncLink<handles>);

// [misses]
struct no_isend : wire { void isend() = delete; };
struct no_irecv : wire { void irecv() = delete; };
struct no_wait_all : wire { void wait_all() = delete; };
struct waits_for_one : wire { void wait_all(int request); };
struct to_a_peer : wire { void isend(int peer, sonde::region message); }; // a link is bound to one
static_assert(!sonde::AsyncLink<no_isend>);
static_assert(!sonde::AsyncLink<no_irecv>);
static_assert(!sonde::AsyncLink<no_wait_all>);
static_assert(!sonde::AsyncLink<waits_for_one>);
static_assert(!sonde::AsyncLink<to_a_peer>);
// [/misses]

struct blocking { void send(sonde::region); void recv(sonde::region); };
static_assert(sonde::Link<blocking> && !sonde::AsyncLink<blocking>);
static_assert(!sonde::AsyncLink<wire const>);

} // namespace async_link_concept
