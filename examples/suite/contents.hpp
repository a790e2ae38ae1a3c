// SPDX-License-Identifier: BSL-1.0
// Contents of buffers: writing known elements, and comparing elements with those that are expected. The values are a
// suite's.
#pragma once

#include "suite/memory.hpp"

#include <sonde/collective.hpp>
#include <sonde/memory/buffer.hpp>

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

namespace suite {

/// Elements of messages: a predefined datatype of MPI and the C++ type that it describes.
enum class element : unsigned char { byte, character, integer, real, double_real };

/// Returns f(T{}) for the C++ type of the element.
template <class F>
decltype(auto) with_element(element kind, F f) {
    switch (kind) {
    case element::character:
        return f(char{});
    case element::integer:
        return f(int{});
    case element::real:
        return f(float{});
    case element::double_real:
        return f(double{});
    case element::byte:
        break;
    }
    return f(static_cast<unsigned char>(0));
}

/// Size in bytes.
inline std::size_t bytes_of(element kind) {
    return with_element(kind, [](auto value) { return sizeof value; });
}

inline MPI_Datatype datatype_of(element kind) {
    MPI_Datatype const all[] = {MPI_BYTE, MPI_CHAR, MPI_INT, MPI_FLOAT, MPI_DOUBLE};
    return all[static_cast<std::size_t>(kind)];
}

/// The datatype that MPI can add up: of characters, MPI_SIGNED_CHAR.
inline MPI_Datatype summed_datatype_of(element kind) {
    return kind == element::character ? MPI_SIGNED_CHAR : datatype_of(kind);
}

/// "MPI_BYTE"
inline std::string mpi_name(element kind) {
    constexpr char const* all[] = {"MPI_BYTE", "MPI_CHAR", "MPI_INT", "MPI_FLOAT", "MPI_DOUBLE"};
    return all[static_cast<std::size_t>(kind)];
}

/// Bytes of a memory as the host reads and writes them: the bytes themselves if it can, otherwise a copy.
class host_view {
public:
    host_view(memory const& of, sonde::opaque_region bytes)
        : memory_{of}, bytes_{bytes}, copy_(of.is_host_accessible() ? 0 : bytes.size()) {}

    sonde::region bytes() {
        return memory_.is_host_accessible() ? sonde::region{bytes_.data(), bytes_.size()} : sonde::region{copy_};
    }
    /// Copy from and to the memory, unless there is no copy.
    void load() {
        if (!copy_.empty()) memory_.read(copy_, bytes_);
    }
    void store() const {
        if (!copy_.empty()) memory_.write(bytes_, copy_);
    }

private:
    memory memory_;
    sonde::opaque_region bytes_;
    std::vector<std::byte> copy_;
};

/// A wrong element. `at`: its index in the region.
struct wrong_element {
    std::size_t at;
    double expected;
    double actual;
};

/// The wrong bits of an element. Of a sum that is no number all bits may be wrong.
std::uint64_t wrong_bits(element kind, wrong_element const& of);

/// Called for each wrong element.
using wrong_function = std::function<void(wrong_element const&)>;

/// Appends wrong elements to a list.
inline auto append_to(std::vector<wrong_element>& all) {
    return [&all](wrong_element const& w) { all.push_back(w); };
}

/// Number of elements of type T that begin `spacing` bytes apart.
template <class T>
constexpr std::size_t count_of(std::size_t bytes, std::size_t spacing = sizeof(T)) {
    return bytes < sizeof(T) ? 0 : (bytes - sizeof(T)) / spacing + 1;
}

/// Write `value(i)` into element i of a region. Other bytes stay.
template <class T, class F>
void write_each(sonde::region bytes, F value, std::size_t spacing = sizeof(T)) {
    for (std::size_t i = 0; i != count_of<T>(bytes.size(), spacing); ++i) {
        T const v = value(i);
        std::memcpy(bytes.data() + i * spacing, &v, sizeof(T));
    }
}

/// Call `wrong` for each element of a region of which any byte differs from `value(i)`.
template <class T, class F, class Wrong>
void compare_each(sonde::region bytes, F value, Wrong wrong, std::size_t spacing = sizeof(T)) {
    for (std::size_t i = 0; i != count_of<T>(bytes.size(), spacing); ++i) {
        T const expected = value(i);
        T actual{};
        std::memcpy(&actual, bytes.data() + i * spacing, sizeof(T));
        if (std::memcmp(&actual, &expected, sizeof(T)) != 0)
            wrong(wrong_element{i, static_cast<double>(expected), static_cast<double>(actual)});
    }
}

/// Contributions of the ranks to a collective operation, or messages of the ranks, in one round of a validation: whole
/// numbers that differ between elements, ranks and rounds, and whose sums over the ranks are exact in every datatype.
/// Elements that are copied, and sums over all ranks, are at least 1, so that a buffer of zeros is wrong.
struct known_values {
    std::size_t round;
    int added_ranks; // number of ranks whose elements are added, exactly; 1: elements are copied

    /// Element i of the contribution of `rank` to rank `to`; -1: to all ranks. At least 1, unless more than 127 ranks
    /// add elements of one byte.
    template <class T>
    T element(int rank, int to, std::size_t i) const {
        auto const number =
            round + 7 * (i + 1) + 31 * static_cast<std::size_t>(rank) + 13 * static_cast<std::size_t>(to + 1);
        return static_cast<T>(sizeof(T) == 1 ? of_one_byte(number, rank, i) : from_one(number, 1020));
    }

    /// The sum of element i of the contributions of ranks in their order, or the element of one rank.
    template <class T>
    T sum(int first, int last, int to, std::size_t i) const {
        auto all = element<T>(first, to, i);
        for (int rank = first + 1; rank <= last; ++rank) all = static_cast<T>(all + element<T>(rank, to, i));
        return all;
    }

private:
    /// 1 to `most`. A float represents the sum of 16,000 values up to 1020.
    static constexpr std::size_t from_one(std::size_t number, std::size_t most) { return 1 + (number - 1) % most; }

    /// A value whose sum over the ranks is at most 127, because MPI libraries differ in sums above it: Open MPI's
    /// vector code saturates. Of more than 127 ranks only every n-th adds to an element; the others add 0.
    std::size_t of_one_byte(std::size_t number, int rank, std::size_t i) const {
        constexpr std::size_t most = 127;
        auto const ranks = static_cast<std::size_t>(added_ranks);
        auto const every = (ranks + most - 1) / most;
        auto const adding = (ranks + every - 1) / every;
        return (static_cast<std::size_t>(rank) + i) % every == 0 ? from_one(number, most / adding) : 0;
    }
};

/// Elements that begin `spacing` bytes apart: by default they have no gaps.
struct spaced_elements {
    element kind;
    std::size_t spacing = bytes_of(kind);
};

/// Write what `rank` contributes to rank `to`, or to all (-1), into its bytes.
void write_contribution(sonde::region bytes, spaced_elements const& as, known_values const& values, int rank, int to);

/// Call `wrong` for each element of a block of the receive buffer that is not what its sources contributed.
void compare_block(sonde::region received, spaced_elements const& as, known_values const& values,
                   sonde::expected_block const& block, wrong_function const& wrong);

} // namespace suite
