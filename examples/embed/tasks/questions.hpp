// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "server.hpp"
#include "shared_counter.hpp"

#include <sonde/pattern.hpp>

#include <utility>

namespace tasks {

/// Pattern in which every rank gets a number from the counter and then calls `then`.
template <class Then>
auto questions(shared_counter& numbers, Then then) {
    return [&numbers, then] {
        numbers.next();
        then();
    };
}

/// The same pattern with a server, which answers every worker in each iteration. The times of the server do not count,
/// because only a worker that waits for an answer is delayed.
template <class Then>
class questions_to_server {
public:
    questions_to_server(server& numbers, Then then) : numbers_{&numbers}, then_{std::move(then)} {}
    sonde::role role() const { return numbers_->serves() ? sonde::role::responder : sonde::role::initiator; }
    void operator()() {
        if (numbers_->serves()) {
            numbers_->serve(numbers_->workers());
        } else {
            numbers_->next();
            then_();
        }
    }

private:
    server* numbers_;
    Then then_;
};

template <class Then>
auto questions(server& numbers, Then then) {
    return questions_to_server{numbers, std::move(then)};
}

} // namespace tasks
