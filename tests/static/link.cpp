// SPDX-License-Identifier: BSL-1.0

// Compiling is passing.

// [satisfies]
#include <sonde/link.hpp>

struct my_link {
    void send(sonde::region message);
    void recv(sonde::region message);
};
static_assert(sonde::Link<my_link>);
// [/satisfies]

#include <string>

namespace link_concept {

struct counted : my_link { int send(sonde::region); int recv(sonde::region); };
static_assert(sonde::Link<counted>);

// The messages of a link may have another type: objects, or persistent requests.
struct objects {
    void send(std::string const& text);
    void recv(std::string& text);
};
static_assert(sonde::Link<objects, std::string const&, std::string&>);
static_assert(!sonde::Link<objects>);

struct no_send : my_link { void send() = delete; };
struct no_recv : my_link { void recv() = delete; };
struct peer_as_argument : my_link { void send(int peer, sonde::region message); }; // a link has one peer
struct receives_text : my_link { void recv(std::string& text); };                  // not a region
static_assert(!sonde::Link<no_send> && !sonde::Link<no_recv> && !sonde::Link<peer_as_argument> &&
              !sonde::Link<receives_text>);

static_assert(!sonde::Link<my_link const>); // its member functions are not const

} // namespace link_concept
