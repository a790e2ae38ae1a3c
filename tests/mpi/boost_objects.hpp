// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <boost/mpi/datatype.hpp>
#include <boost/serialization/string.hpp>
#include <boost/serialization/vector.hpp>

#include <cstddef>
#include <string>
#include <vector>

/// Objects that Boost.MPI sends in different ways, with values that encode the rank that wrote them, the round and the
/// message.
namespace boost_objects {

inline double value_at(int rank, std::size_t round, std::size_t message, std::size_t i) {
    return rank + 1 + 16.0 * static_cast<double>(round + 8 * (message + 8 * i));
}

/// Sent as an MPI datatype.
struct particle {
    int id = 0;
    double place = 0;
    double speed = 0;

    void serialize(auto& archive, unsigned) { archive& id& place& speed; }
    friend bool operator==(particle const&, particle const&) = default;
};

/// Sent in an archive, which each value enters by itself; without a shape of its own it is empty.
struct parcel {
    std::string name;
    std::vector<double> values;
    std::vector<std::vector<int>> lists;

    void serialize(auto& archive, unsigned) { archive& name& values& lists; }
    friend bool operator==(parcel const&, parcel const&) = default;
};

inline void write(particle& into, int rank, std::size_t round, std::size_t message, std::size_t) {
    auto const value = value_at(rank, round, message, 0);
    into = {static_cast<int>(value), value + 1, value + 2};
}

/// `n` particles: an array of an MPI datatype, whose length the receiver finds out.
inline void write(std::vector<particle>& into, int rank, std::size_t round, std::size_t message, std::size_t n) {
    into.reserve(n + 1); // Boost.MPI 1.74 refers to the first element of an empty array, too
    into.resize(n);
    for (std::size_t i = 0; i != n; ++i) write(into[i], rank, round, message + i, n);
}

inline void write(parcel& into, int rank, std::size_t round, std::size_t message, std::size_t n) {
    into.name.assign(n % 50, static_cast<char>('a' + rank + static_cast<int>(round)));
    into.values.resize(n);
    into.lists.resize(3);
    for (std::size_t i = 0; i != n; ++i) into.values[i] = value_at(rank, round, message, i);
    for (std::size_t i = 0; i != 3; ++i) into.lists[i].assign(i + n % 7, rank + static_cast<int>(i));
}

/// True if the object is what the rank wrote.
template <class T>
bool is_written(T const& found, int rank, std::size_t round, std::size_t message, std::size_t n) {
    T expected;
    write(expected, rank, round, message, n);
    return found == expected;
}

/// Another value in the same shape, which no rank writes.
inline void clear(particle& p) { p = {}; }
inline void clear(std::vector<particle>& all) {
    for (auto& p : all) clear(p);
}
inline void clear(parcel& p) {
    p.name.assign(p.name.size(), '?');
    p.values.assign(p.values.size(), 0);
    for (auto& list : p.lists) list.assign(list.size(), -1);
}

} // namespace boost_objects

BOOST_IS_MPI_DATATYPE(boost_objects::particle)
