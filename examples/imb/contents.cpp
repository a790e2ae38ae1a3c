// SPDX-License-Identifier: BSL-1.0
#include "contents.hpp"

#include "comparing.hpp"
#include "demands.hpp"

#include <sonde/memory.hpp>
#include <sonde/run.hpp>

#include <algorithm>
#include <array>
#include <cstring>

namespace imb {

namespace {

using sonde::mpi::expected_block;

/// Bytes from an element to the next.
std::size_t spacing_of(setting const& s) { return s.element_bytes * s.spread; }

/// Whole numbers from 1 on that differ from element to element, rank to rank and round to round, and that every type
/// adds up exactly over so many ranks.
template <class T>
T known(std::size_t round, int ranks_added, int from, int to, std::size_t i) {
    auto const number = round + 7 * i + 31 * static_cast<std::size_t>(from) + 13 * static_cast<std::size_t>(to + 1);
    auto const one_byte = static_cast<std::size_t>(127 / std::max(ranks_added, 1));
    return static_cast<T>(1 + number % (sizeof(T) == 1 ? std::max<std::size_t>(one_byte, 1) : 1009));
}

/// The contents of one round, in elements of a type so many bytes apart.
template <class T>
class round_of {
public:
    round_of(std::size_t round, int ranks_added, std::size_t spacing)
        : round_{round}, added_{ranks_added}, spacing_{spacing} {}

    void write(contribution const& c, sonde::region bytes) const {
        for (std::size_t i = 0; i != count(c.bytes.bytes); ++i) {
            auto const v = known<T>(round_, added_, c.from, c.bytes.destination, i);
            std::memcpy(bytes.data() + c.bytes.offset + i * spacing_, &v, sizeof v);
        }
    }
    double worst(expected_block const& p, sonde::region bytes) const {
        double most = 0;
        for (std::size_t i = 0; i != count(p.bytes); ++i) {
            T actual{};
            std::memcpy(&actual, bytes.data() + p.offset + i * spacing_, sizeof actual);
            auto const wanted = static_cast<double>(expected(p, p.source_offset / spacing_ + i));
            most = std::max(most, deviation(wanted, static_cast<double>(actual)));
        }
        return most;
    }

private:
    std::size_t count(std::size_t bytes) const { return bytes == 0 ? 0 : (bytes - sizeof(T)) / spacing_ + 1; }
    T expected(expected_block const& p, std::size_t i) const {
        T sum = known<T>(round_, added_, p.first_source, p.destination, i);
        for (int from = p.first_source + 1; from <= p.last_source; ++from)
            sum = static_cast<T>(sum + known<T>(round_, added_, from, p.destination, i));
        return sum;
    }

    std::size_t round_;
    int added_;
    std::size_t spacing_;
};

void write_round(setting const& s, regions const& here, movement const& moved, std::size_t round, int added) {
    sonde::host_memory{}.fill(here.in, std::byte{0});
    with_element(element_of(s.test, s.asked), [&](auto type) {
        round_of<decltype(type)> const of{round, added, spacing_of(s)};
        for (auto const& c : moved.gives) of.write(c, c.bytes.in_recvbuf ? here.in : here.out);
    });
}

double worst_of_round(setting const& s, regions const& here, movement const& moved, std::size_t round, int added) {
    return with_element(element_of(s.test, s.asked), [&](auto type) {
        round_of<decltype(type)> const of{round, added, spacing_of(s)};
        double most = 0;
        for (auto const& p : moved.gets) most = std::max(most, of.worst(p, here.in));
        return most;
    });
}

} // namespace

double largest_deviation(setting& s, regions const& here, std::function<void()> repetition,
                         std::function<movement(std::size_t)> const& moved, std::size_t rounds) {
    auto const added = s.test.reduces ? std::max(s.group.size(), 2) : 1;
    std::array<double, 1> most{};
    auto const prepare = [&](std::size_t round) { write_round(s, here, moved(round), round, added); };
    auto const verify = [&](std::size_t round) {
        auto const worst = worst_of_round(s, here, moved(round), round, added);
        most[0] = std::max(most[0], worst);
        return worst > 0 ? 1 : 0;
    };
    static_cast<void>(sonde::validate(s.group, repetition, prepare, verify, rounds));
    s.group.all_reduce(most, sonde::reduction::max);
    return most[0];
}

} // namespace imb
