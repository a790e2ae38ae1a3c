// SPDX-License-Identifier: BSL-1.0

// Compiling is passing.

// [satisfies]
#include <sonde/pattern/one_sided.hpp>

#include <cstddef>

struct my_put {
    void operator()(std::size_t i); // starts transfer i
    std::size_t capacity() const;
    sonde::traffic traffic() const;
};
static_assert(sonde::Transfer<my_put>);

struct my_request_based_put : my_put { // with a request for each transfer, which MPI allows for passive targets only
    static constexpr bool passive_only = true;
    void wait_all();
};
static_assert(sonde::Transfer<my_request_based_put>);
// [/satisfies]

#include <string>

struct active_epoch {
    void open(auto side);
    void close(auto side);
};
struct passive_epoch : active_epoch { static constexpr bool passive = true; };
static_assert(sonde::TransferIn<my_put, active_epoch> && sonde::TransferIn<my_put, passive_epoch> &&
              sonde::TransferIn<my_request_based_put, passive_epoch>);
static_assert(!sonde::TransferIn<my_request_based_put, active_epoch>); // rma{active_epoch{}, role, n, put} does not compile

namespace transfer_concept {

struct no_call : my_put { void operator()(std::size_t i) = delete; };
struct no_capacity { void operator()(std::size_t i); sonde::traffic traffic() const; };
struct no_moves { void operator()(std::size_t i); std::size_t capacity() const; };
struct without_index : my_put { void operator()(); };
struct traffic_as_text : my_put { std::string traffic() const; };
struct traffic_that_changes_it : my_put { sonde::traffic traffic(); };
struct capacity_that_changes_it : my_put { std::size_t capacity(); };
static_assert(!sonde::Transfer<no_call> && !sonde::Transfer<no_capacity> && !sonde::Transfer<no_moves> &&
              !sonde::Transfer<without_index> && !sonde::Transfer<traffic_as_text> &&
              !sonde::Transfer<traffic_that_changes_it> && !sonde::Transfer<capacity_that_changes_it>);

static_assert(!sonde::TransferIn<active_epoch, my_put>);
template <class E, class T>
concept OneWay = requires(E e, T t) { sonde::rma{e, sonde::role::initiator, std::size_t{1}, t}; };
template <class E, class T>
concept RoundTrip = requires(E e, T t) { sonde::rma_ping_pong{e, sonde::role::initiator, std::size_t{1}, t}; };
template <class E, class T>
concept BothWays = requires(E e, T t) { sonde::rma_exchange{e, sonde::role::initiator, std::size_t{1}, t}; };
static_assert(OneWay<active_epoch, my_put> && RoundTrip<active_epoch, my_put> && BothWays<active_epoch, my_put>);
static_assert(OneWay<passive_epoch, my_request_based_put> && BothWays<passive_epoch, my_request_based_put>);
static_assert(!RoundTrip<passive_epoch, my_put>); // a passive target does not wait, so there is no round trip
static_assert(!OneWay<active_epoch, my_request_based_put>);
static_assert(!RoundTrip<active_epoch, my_request_based_put>);
static_assert(!BothWays<active_epoch, my_request_based_put>);

} // namespace transfer_concept
