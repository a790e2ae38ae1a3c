// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <upcxx/process.hpp>

#include <cstddef>
#include <functional>
#include <memory>
#include <tuple>
#include <utility>

namespace upcxx {

/// A future of no value, or of one.
template <class... T>
class future {
public:
    struct state {
        bool is_ready = false;
        std::tuple<T...> value{};
    };

    explicit future(std::shared_ptr<state> s) : state_{std::move(s)} {}
    bool ready() const { return state_->is_ready; }
    auto wait() const {
        while (!ready()) upcxx::progress();
        if constexpr (sizeof...(T) == 1) return std::get<0>(state_->value);
    }

private:
    std::shared_ptr<state> state_;
};

template <class... T>
future<T...> make_future(T... value) {
    auto made = std::make_shared<typename future<T...>::state>();
    made->value = {value...};
    made->is_ready = true;
    return future<T...>{made};
}

template <class... T>
class promise;

/// A promise of no value, whose copies are the same promise: it is fulfilled when its count is 0.
template <>
class promise<> {
public:
    void require_anonymous(std::ptrdiff_t n) const { shared_->count += n; }
    void fulfill_anonymous(std::ptrdiff_t n) const {
        shared_->count -= n;
        fake_upcxx::require(shared_->count >= 0, "a promise is fulfilled too often");
        if (shared_->count == 0) shared_->done->is_ready = true;
    }
    future<> finalize() const {
        fulfill_anonymous(1);
        return get_future();
    }
    future<> get_future() const { return future<>{shared_->done}; }

private:
    struct counted {
        std::ptrdiff_t count = 1;
        std::shared_ptr<future<>::state> done = std::make_shared<future<>::state>();
    };
    std::shared_ptr<counted> shared_ = std::make_shared<counted>();
};

} // namespace upcxx

namespace fake_upcxx {

/// What a transfer does at its events; empty functions for events that nobody awaits.
struct events {
    std::function<void()> at_source, at_operation;
    std::function<void(int)> at_target; // sends a remote procedure call to a rank

    friend events operator|(events a, events const& b) {
        if (b.at_source) a.at_source = b.at_source;
        if (b.at_operation) a.at_operation = b.at_operation;
        if (b.at_target) a.at_target = b.at_target;
        return a;
    }
};

inline std::function<void()> fulfilling(upcxx::promise<> const& p) {
    p.require_anonymous(1);
    return [p] { p.fulfill_anonymous(1); };
}

} // namespace fake_upcxx

namespace upcxx {

struct source_cx {
    static fake_upcxx::events as_promise(promise<> const& p) { return {fake_upcxx::fulfilling(p), {}, {}}; }
};
struct operation_cx {
    static fake_upcxx::events as_promise(promise<> const& p) { return {{}, fake_upcxx::fulfilling(p), {}}; }
};

} // namespace upcxx
