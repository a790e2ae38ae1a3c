// SPDX-License-Identifier: BSL-1.0
#include "contents.hpp"

#include "../comparing.hpp"

#include <algorithm>
#include <cstring>
#include <span>

namespace imb {

namespace {

/// Small numbers that every type holds, so that sums are exact; what is sent is never what was there.
template <class T>
T sent_value(int rank, std::size_t i) {
    return static_cast<T>(1 + (i + 7 * static_cast<std::size_t>(rank)) % 50);
}
template <class T>
T held_value(int rank, std::size_t i) {
    return static_cast<T>(51 + (i + static_cast<std::size_t>(rank)) % 50);
}

/// What each() of a place has.
element element_of(MPI_Datatype type) {
    return type == MPI_FLOAT ? element::real : type == MPI_INT ? element::integer : element::byte;
}

template <class T>
void put_at(sonde::region all, std::size_t i, T value) {
    std::memcpy(all.data() + i * sizeof(T), &value, sizeof(T));
}
template <class T>
T at(sonde::region all, std::size_t i) {
    T value;
    std::memcpy(&value, all.data() + i * sizeof(T), sizeof(T));
    return value;
}

/// The contents in elements: indices count from the begin of the memory that is sent, or of the one received.
template <class T>
class model {
public:
    model(place const& where, std::size_t slots)
        : at_{where}, out_{where.on().sends.stride / sizeof(T)}, in_{where.on().receives.stride / sizeof(T)},
          slots_{slots}, me_{where.on().group.rank()} {}

    void write() const {
        for (std::size_t i = 0; i != slots_ * out_; ++i) put_at(at_.sent(), i, sent_value<T>(me_, i));
        for (std::size_t i = 0; i != slots_ * in_; ++i) put_at(at_.received(), i, held_value<T>(me_, i));
        if (at_.how().leaves == effect::swaps) expect_of_targets();
    }
    /// The memory received into, which others' windows are of, too, unless they are read.
    std::vector<T> expected(std::vector<int> const& origins) const {
        std::vector<T> all(slots_ * in_);
        for (std::size_t i = 0; i != all.size(); ++i) all[i] = held_value<T>(me_, i);
        if (at_.how().leaves == effect::swaps)
            each_slot(at_.mine(), [&](lane const& l, std::size_t s) { all[s * in_ + value(1)] = held(l, s); });
        for (auto const origin : origins) {
            each_slot(at_.lanes_of_rank(origin), [&](lane const& l, std::size_t s) {
                if (l.target == me_) reached(all, origin, l, s);
                if (origin == me_) came_back(all, l, s);
            });
        }
        return all;
    }

private:
    /// The k-th of the values that a slot of compare_and_swap has.
    std::size_t value(std::size_t k) const { return k * at_.stored() / sizeof(T); }
    T held(lane const& l, std::size_t s) const { return held_value<T>(l.target, s * in_ + l.at_target / sizeof(T)); }

    void expect_of_targets() const {
        each_slot(at_.mine(),
                  [&](lane const& l, std::size_t s) { put_at(at_.received(), s * in_ + value(1), held(l, s)); });
    }
    template <class F>
    void each_slot(std::vector<lane> const& lanes, F f) const {
        for (auto const& l : lanes)
            for (std::size_t s = 0; s != slots_; ++s) f(l, s);
    }
    std::size_t elements() const { return at_.each().count; }

    void reached(std::vector<T>& all, int origin, lane const& l, std::size_t s) const {
        if (at_.how().leaves == effect::gets) return;
        auto const here = s * in_ + l.at_target / sizeof(T), from = s * out_ + l.at_origin / sizeof(T);
        for (std::size_t i = 0; i != elements(); ++i) {
            auto const sent = sent_value<T>(origin, from + i);
            auto const adds = at_.how().leaves == effect::adds || at_.how().leaves == effect::fetches;
            all[here + i] = static_cast<T>(adds ? all[here + i] + 2 * sent : sent);
        }
    }
    void came_back(std::vector<T>& all, lane const& l, std::size_t s) const {
        auto const leaves = at_.how().leaves;
        auto const there = s * out_ + l.at_target / sizeof(T), into = s * in_ + l.at_origin / sizeof(T);
        for (std::size_t i = 0; i != elements(); ++i) {
            auto const added = static_cast<T>(held_value<T>(l.target, s * in_ + i) + sent_value<T>(me_, s * out_ + i));
            if (leaves == effect::gets) all[into + i] = sent_value<T>(l.target, there + i);
            if (leaves == effect::fetches) all[into + i] = added;
            if (leaves == effect::swaps) all[into + value(2)] = sent_value<T>(me_, s * out_);
        }
    }

    place const& at_;
    std::size_t out_;
    std::size_t in_;
    std::size_t slots_;
    int me_;
};

} // namespace

void contents::write() const {
    with_element(element_of(at_.each().type), [&](auto type) { model<decltype(type)>{at_, slots_}.write(); });
}

double contents::deviation(std::vector<int> const& origins) const {
    return with_element(element_of(at_.each().type), [&](auto type) {
        using T = decltype(type);
        auto const expected = model<T>{at_, slots_}.expected(origins);
        double worst = 0;
        for (std::size_t i = 0; i != expected.size(); ++i)
            worst = std::max(
                worst, imb::deviation(static_cast<double>(expected[i]), static_cast<double>(at<T>(at_.received(), i))));
        return worst;
    });
}

} // namespace imb
