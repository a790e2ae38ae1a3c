// SPDX-License-Identifier: BSL-1.0

// Compiling is passing.

// [satisfies]
#include <sonde/link.hpp>

struct my_async_link {
    void isend(sonde::region message);
    void irecv(sonde::region message);
    void wait_all();
};
static_assert(sonde::AsyncLink<my_async_link>);
// [/satisfies]

#include <cstddef>

namespace async_link_concept {

struct reserving : my_async_link { void reserve(std::size_t messages); };
static_assert(sonde::AsyncLink<reserving>);

struct handles {
    void isend(int request);
    void irecv(long request);
    int wait_all();
};
static_assert(sonde::AsyncLink<handles, int, long>);
static_assert(!sonde::AsyncLink<handles>);

struct no_isend : my_async_link { void isend() = delete; };
struct no_irecv : my_async_link { void irecv() = delete; };
struct no_wait_all : my_async_link { void wait_all() = delete; };
struct waits_for_one : my_async_link { void wait_all(int request); };                     // wait_all completes all messages
struct peer_as_argument : my_async_link { void isend(int peer, sonde::region message); }; // a link has one peer
static_assert(!sonde::AsyncLink<no_isend> && !sonde::AsyncLink<no_irecv> && !sonde::AsyncLink<no_wait_all> &&
              !sonde::AsyncLink<waits_for_one> && !sonde::AsyncLink<peer_as_argument>);

struct blocking { void send(sonde::region); void recv(sonde::region); };
static_assert(sonde::Link<blocking> && !sonde::AsyncLink<blocking>);
static_assert(!sonde::AsyncLink<my_async_link const>);

} // namespace async_link_concept
