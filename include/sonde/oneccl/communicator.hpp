// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/error.hpp>
#include <sonde/group.hpp>
#include <sonde/group/agreement.hpp>
#include <sonde/version.hpp>

#include <oneapi/ccl.hpp>

#include <concepts>
#include <cstddef>
#include <exception>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

namespace sonde::inline v0_1::oneccl {

/// Exception for a failed call of oneCCL, which has no result codes: name of the call and oneCCL's message.
struct error : library_error {
    error(char const* call, std::string const& what) : library_error{call, 0, what} {}
};

namespace detail {

using sonde::detail::exception_checker;

/// Returns f(). Throws oneccl::error with the name of the call for an exception of oneCCL.
template <std::invocable F>
decltype(auto) checked(char const* call, F f) {
    try {
        return f();
    } catch (ccl::exception const& e) {
        throw error{call, std::string{call} + ": " + e.what()};
    }
}

/// Run `step` on all ranks. If it throws on a rank, all ranks throw oneccl::error with the message of the first rank
/// that failed. Collective over the group.
template <Group G, std::invocable F>
void run_collectively(G& group, char const* call, F step) {
    std::exception_ptr failure;
    std::string text;
    try {
        checked(call, step);
    } catch (std::exception const& e) {
        failure = std::current_exception();
        text = e.what();
    }
    sonde::detail::throw_on_all(group, failure, [&](int first) -> error {
        sonde::broadcast(group, text, first);
        // Thrown here and not returned: a rank that failed, too, throws the message of the first one.
        throw error{call, "rank " + std::to_string(first) + ": " + text};
    });
}

} // namespace detail

/// oneCCL communicator of the ranks of a group, for memory of the host.
///
/// The group may be of any kind; it is the control plane. Constructor and destructor are collective over the group.
/// During stack unwinding the communicator is left to the end of the process, because oneCCL would wait for operations
/// that other ranks may never join.
///
/// If the communicator cannot be made on one rank, all ranks throw oneccl::error with the same message. A rank that
/// fails in ccl::create_communicator waits for the others, which oneCCL ends after a minute.
class [[nodiscard]] communicator {
public:
    template <Group G>
    explicit communicator(G& group) {
        std::shared_ptr<ccl::kvs> store;
        ccl::kvs::address_type address{};
        detail::run_collectively(group, "ccl::create_main_kvs", [&] {
            ccl::init();
            if (group.rank() != 0) return;
            store = ccl::create_main_kvs();
            address = store->get_address();
        });
        sonde::broadcast(group, address);
        detail::run_collectively(group, "ccl::create_communicator", [&] {
            if (group.rank() != 0) store = ccl::create_kvs(address);
            made_ = std::make_unique<ccl::communicator>(ccl::create_communicator(group.size(), group.rank(), store));
        });
    }
    communicator(communicator&&) noexcept = default;
    communicator& operator=(communicator&&) = delete;
    ~communicator() {
        if (unwinding_.is_unwinding()) static_cast<void>(made_.release());
    }

    int rank() const { return made_->rank(); }
    int size() const { return made_->size(); }
    /// The library's communicator.
    ccl::communicator const& get() const { return *made_; }

private:
    std::unique_ptr<ccl::communicator> made_;
    detail::exception_checker unwinding_;
};

/// Contiguous elements of a datatype: the data that a collective operation moves to, or from, one rank.
struct block {
    ccl::datatype type = ccl::datatype::int8; // of an element
    std::size_t count = 0;                    // number of elements

    /// Bytes of all elements.
    std::size_t bytes() const { return count * ccl::get_datatype_size(type); }
};

} // namespace sonde::oneccl
