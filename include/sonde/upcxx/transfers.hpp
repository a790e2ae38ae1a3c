// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/memory/buffer.hpp>
#include <sonde/pattern.hpp>
#include <sonde/pattern/one_sided.hpp>
#include <sonde/upcxx/completions.hpp>
#include <sonde/upcxx/memory.hpp>

#include <upcxx/upcxx.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>

// Remote memory access of UPC++ (1.0, chapter 8) as transfers of blocks of bytes. Transfer i copies between block i of
// a global region and block i of a region of this process, which need not be in its shared segment. Each transfer is
// one call. Transfers of an idle rank have a null global region and a capacity of 0.

namespace sonde::inline v0_1::upcxx {

/// An epoch that is also an argument of its transfers.
template <class E>
concept Completion = Epoch<E> && requires { typename E::context_type; } &&
                     (std::same_as<E, each_operation> || requires(E const& e) { e.events(); });

namespace detail {

template <class E>
inline constexpr bool for_puts_only = requires { requires E::puts_only; };

/// Base class of the transfers of blocks.
template <Completion E>
class block_transfer {
public:
    using context_type = typename E::context_type;

    std::size_t capacity() const { return capacity_; }
    sonde::traffic traffic() const { return {bytes_, 1, 1}; }

protected:
    block_transfer(global_region there, region here, std::size_t bytes, E completion)
        : there_{there.data}, here_{here.data()}, bytes_{bytes},
          capacity_{there.data.is_null() ? 0
                    : bytes == 0         ? static_cast<std::size_t>(-1)
                                         : std::min(there.size, here.size()) / bytes},
          completion_{completion} {}

    auto there(std::size_t i) const { return there_ + static_cast<std::ptrdiff_t>(i * bytes_); }
    std::byte* here(std::size_t i) const { return here_ + i * bytes_; }

    ::upcxx::global_ptr<std::byte> there_;
    std::byte* here_;
    std::size_t bytes_;
    std::size_t capacity_;
    [[no_unique_address]] E completion_;
};

} // namespace detail

/// upcxx::rput: copies blocks of `origin` to the global region `target`. `completion` is the epoch that completes the
/// puts, which must not change `origin` before.
template <Completion E = each_operation>
struct rput : detail::block_transfer<E> {
    rput(global_region target, region origin, std::size_t bytes, E completion = {})
        : rput::block_transfer{target, origin, bytes, completion} {}

    void operator()(std::size_t i) const {
        std::byte const* const from = this->here(i);
        if constexpr (std::same_as<E, each_operation>) ::upcxx::rput(from, this->there(i), this->bytes_).wait();
        else ::upcxx::rput(from, this->there(i), this->bytes_, this->completion_.events());
    }
};

/// upcxx::rget: copies blocks of the global region `target` to `result`, where they are when the epoch has closed.
template <Completion E = each_operation>
    requires(!detail::for_puts_only<E>)
struct rget : detail::block_transfer<E> {
    rget(global_region target, region result, std::size_t bytes, E completion = {})
        : rget::block_transfer{target, result, bytes, completion} {}

    void operator()(std::size_t i) const {
        ::upcxx::global_ptr<std::byte const> const from = this->there(i);
        if constexpr (std::same_as<E, each_operation>) ::upcxx::rget(from, this->here(i), this->bytes_).wait();
        else ::upcxx::rget(from, this->here(i), this->bytes_, this->completion_.events());
    }
};

} // namespace sonde::upcxx
