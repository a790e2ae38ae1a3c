// SPDX-License-Identifier: BSL-1.0

// Compiling is passing.

#include <sonde/link.hpp>
#include <sonde/sim/world.hpp>

#include <string>

namespace link_concept {

// [satisfies]
struct wire {
    void send(sonde::region message);
    void recv(sonde::region message);
};
static_assert(sonde::Link<wire>);
// [/satisfies]

static_assert(sonde::Link<sonde::sim::link>);
struct counted : wire { int send(sonde::region); int recv(sonde::region); };
static_assert(sonde::Link<counted>);

// A link may have messages of its own kind: objects, say, or prepared requests.
struct objects {
    void send(std::string const& text);
    void recv(std::string& text);
};
static_assert(sonde::Link<objects, std::string const&, std::string&>);
static_assert(!sonde::Link<objects>);

// [misses]
struct no_send : wire { void send() = delete; };
struct no_recv : wire { void recv() = delete; };
struct to_a_peer : wire { void send(int peer, sonde::region message); }; // a link is bound to one
struct receives_text : wire { void recv(std::string& text); };
static_assert(!sonde::Link<no_send>);
static_assert(!sonde::Link<no_recv>);
static_assert(!sonde::Link<to_a_peer>);
static_assert(!sonde::Link<receives_text>);
// [/misses]

static_assert(!sonde::Link<wire const>); // its functions are for a link that may change
static_assert(!sonde::Link<sonde::solo>);

} // namespace link_concept
