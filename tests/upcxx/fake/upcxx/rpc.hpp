// SPDX-License-Identifier: BSL-1.0
#pragma once

// Remote procedure calls of functions and arguments without pointers, and without a result.

#include <upcxx/collective.hpp>
#include <upcxx/completion.hpp>
#include <upcxx/process.hpp>

#include <cstdint>
#include <cstring>
#include <tuple>
#include <type_traits>
#include <utility>

namespace fake_upcxx {

/// Addresses of functions differ between processes by what the first function's address differs by.
inline void first_function() {}
template <class F>
std::intptr_t position(F* function) {
    return reinterpret_cast<std::intptr_t>(function) - reinterpret_cast<std::intptr_t>(&first_function);
}
template <class F>
F* function_at(std::intptr_t position) {
    return reinterpret_cast<F*>(reinterpret_cast<std::intptr_t>(&first_function) + position);
}

template <class T>
void append(bytes& to, T const& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    auto const* const first = reinterpret_cast<std::byte const*>(&value);
    to.insert(to.end(), first, first + sizeof(T));
}
template <class T>
T take(std::byte const*& from) {
    T value{};
    std::memcpy(&value, from, sizeof(T));
    from += sizeof(T);
    return value;
}

/// The beginning of a call: what executes it, and the number of the reply that the caller awaits, 0 for none.
struct call_head {
    std::intptr_t executes;
    std::uint64_t reply;
};

template <class F, class... Arguments>
void execute_with(std::byte const* from) {
    auto* const function = function_at<F>(take<std::intptr_t>(from));
    std::tuple<Arguments...> const arguments{take<Arguments>(from)...}; // in order, within braces
    std::apply(function, arguments);
}
inline void execute_reply(std::byte const* from) {
    auto const found = here().replies.extract(take<std::uint64_t>(from));
    require(!found.empty(), "a reply to no call");
    found.mapped()();
}

inline void execute(message const& call) {
    auto const* from = call.content.data();
    auto const head = take<call_head>(from);
    function_at<void(std::byte const*)>(head.executes)(from);
    if (head.reply == 0) return;
    bytes answer;
    append(answer, call_head{position(&execute_reply), 0});
    append(answer, head.reply);
    here().link->send(call.from, {here().link->rank(), 0, std::move(answer)});
}

template <class... Parameters, class... Arguments>
bytes call_of(std::uint64_t reply, void (*function)(Parameters...), Arguments... arguments) {
    bytes content;
    append(content, call_head{position(&execute_with<void(Parameters...), Parameters...>), reply});
    append(content, position(function));
    (append(content, static_cast<Parameters>(arguments)), ...);
    return content;
}

} // namespace fake_upcxx

namespace upcxx {

struct remote_cx {
    template <class... Parameters, class... Arguments>
    static fake_upcxx::events as_rpc(void (*function)(Parameters...), Arguments... arguments) {
        return {{}, {}, [=](int rank) {
                    auto& here = fake_upcxx::here();
                    here.link->send(rank, {here.link->rank(), 0, fake_upcxx::call_of(0, function, arguments...)});
                }};
    }
};

/// Calls `function(arguments...)` on a rank of a team; the future is ready when it has returned there.
template <class... Parameters, class... Arguments>
future<> rpc(team const& in, intrank_t rank, void (*function)(Parameters...), Arguments... arguments) {
    auto& here = fake_upcxx::here();
    promise<> done;
    auto const reply = ++here.last_reply;
    here.replies[reply] = fake_upcxx::fulfilling(done);
    here.link->send(in[rank], {here.link->rank(), 0, fake_upcxx::call_of(reply, function, arguments...)});
    return done.finalize();
}

} // namespace upcxx
