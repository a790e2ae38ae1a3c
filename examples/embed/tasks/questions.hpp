// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "server.hpp"
#include "shared_counter.hpp"

#include <sonde/pattern.hpp>

#include <utility>

namespace tasks {

/// A number, and then something: a pattern, which every rank is in.
template <class Then>
auto questions(shared_counter& numbers, Then then) {
    return [&numbers, then] {
        numbers.next();
        then();
    };
}

/// The same, and on the server an answer to every worker. Its times do not count: nobody waits for it who did not ask.
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
