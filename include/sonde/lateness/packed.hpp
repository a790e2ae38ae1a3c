// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/lateness/lateness_record.hpp>

#include <vector>

namespace sonde::inline v0_1::detail {

/// A record as numbers, for a broadcast.
std::vector<double> packed(lateness_record const& r);

/// The record of these numbers.
lateness_record unpacked(std::vector<double> const& numbers);

} // namespace sonde::detail

#if SONDE_DEFINITIONS
#include <concepts>
#include <cstddef>
#include <optional>
#include <string>

namespace sonde::inline v0_1::detail {

/// Writes members as numbers, or reads them in the same order.
class number_archive {
public:
    number_archive() = default;
    explicit number_archive(std::vector<double> numbers) : numbers_{std::move(numbers)}, reads_{true} {}

    template <class... T>
    void operator()(T&... members) {
        (move(members), ...);
    }
    std::vector<double> const& numbers() const { return numbers_; }

private:
    template <class T>
        requires std::integral<T> || std::floating_point<T>
    void move(T& value) {
        if (reads_) value = static_cast<T>(numbers_[next_++]);
        else numbers_.push_back(static_cast<double>(value));
    }
    void move(seconds& time) {
        auto count = time.count();
        move(count);
        time = seconds{count};
    }
    void move(std::string& text) { move_elements(text); }
    template <class T>
    void move(std::vector<T>& elements) {
        move_elements(elements);
    }
    template <class T>
    void move(std::optional<T>& value) {
        auto has = value.has_value();
        move(has);
        if (has && reads_) value.emplace();
        if (has) move(*value);
    }
    template <class T>
        requires requires(T& value, number_archive& archive) { members_of(archive, value); }
    void move(T& value) {
        members_of(*this, value);
    }
    void move_elements(auto& elements) {
        auto size = elements.size();
        move(size);
        elements.resize(size);
        for (auto& e : elements) move(e);
    }

    std::vector<double> numbers_;
    std::size_t next_ = 0;
    bool reads_ = false;
};

inline void members_of(number_archive& a, late_work& w) { a(w.name, w.ratio, w.of_other_steps, w.typical); }
inline void members_of(number_archive& a, late_rank& l) {
    a(l.rank, l.caused, l.exchange, l.lateness, l.steps, l.of_steps, l.work);
}
inline void members_of(number_archive& a, slow_transfer& s) { a(s.exchange, s.ranks, s.ratio, s.caused); }
inline void members_of(number_archive& a, unequal_passes& u) { a(u.fewest_rank, u.fewest, u.most_rank, u.most); }
inline void members_of(number_archive& a, exchange_lateness& e) {
    a(e.name, e.passes, e.unexamined, e.waiting, e.transfer, e.unequal);
}
inline void members_of(number_archive& a, rank_lateness& r) { a(r.waiting, r.caused_by_work, r.caused_by_transfer); }
inline void members_of(number_archive& a, scope_effect& s) {
    auto& e = s.effect;
    auto kind = static_cast<int>(e.kind);
    a(s.scope, kind, e.steps, e.period, e.series, e.typical, e.excess, e.p);
    e.kind = static_cast<step_effect_kind>(kind);
}
inline void members_of(number_archive& a, lateness_record& r) {
    a(r.steps, r.observed, r.clock_error, r.low, r.high, r.exchanges, r.ranks, r.late, r.slow_transfers, r.effects,
      r.enough_steps);
}

SONDE_INLINE std::vector<double> packed(lateness_record const& r) {
    number_archive archive;
    auto copy = r;
    archive(copy);
    return archive.numbers();
}

SONDE_INLINE lateness_record unpacked(std::vector<double> const& numbers) {
    number_archive archive{numbers};
    lateness_record r;
    archive(r);
    return r;
}

} // namespace sonde::detail

#endif
