// SPDX-License-Identifier: BSL-1.0
#include <doctest/doctest.h>

#include "application.hpp"
#include "collective_operations.hpp"
#include "collective_sweep.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

// A noncommutative operation: composition of maps x -> a x + b.

using namespace sonde;

namespace {

struct affine {
    std::uint32_t a, b;
    friend bool operator==(affine const&, affine const&) = default;
};

/// First f, then g.
affine then(affine f, affine g) { return {g.a * f.a, g.a * f.b + g.b}; }

class composition {
public:
    composition() {
        PMPI_Type_contiguous(2, MPI_UINT32_T, &type_);
        PMPI_Type_commit(&type_);
        PMPI_Op_create(compose, 0, &op_);
    }
    composition(composition const&) = delete;
    composition& operator=(composition const&) = delete;
    ~composition() {
        PMPI_Type_free(&type_);
        PMPI_Op_free(&op_);
    }
    MPI_Datatype type() const { return type_; }
    MPI_Op op() const { return op_; }

private:
    static void compose(void* in, void* into, int* n, MPI_Datatype*) {
        auto const* const earlier = static_cast<affine const*>(in);
        auto* const later = static_cast<affine*>(into);
        for (int i = 0; i != *n; ++i) later[i] = then(earlier[i], later[i]);
    }

    MPI_Datatype type_ = MPI_DATATYPE_NULL;
    MPI_Op op_ = MPI_OP_NULL;
};

affine map_of(std::size_t round, int rank, int to, std::size_t i) {
    return {sweep::value(round, rank, to, 2 * i) | 1u,
            sweep::value(round, rank, to, 2 * i + 1)}; // odd, hence invertible
}

/// Number of maps on this rank that are not the composition of all in the order of ranks.
template <class P>
std::size_t wrong_maps(int me, P& pattern, sweep::memories& m) {
    auto const& operation = pattern.operation();
    std::size_t wrong = 0;
    for (std::size_t round = 0; round != sweep::rounds(operation); ++round) {
        auto const root = sweep::root_in(operation, round);
        auto const map = [&](int rank, int to, std::size_t i) { return map_of(round, rank, to, i); };
        m.in.clear(std::byte{0});
        sonde::write_contributions<affine>(operation, root, me, m.out.all(), m.in.all(), map);
        pattern();
        sonde::for_each_received<affine>(operation, root, m.in.all(), map, then,
                                         [&](std::size_t, affine a, affine b) { wrong += a != b; });
    }
    return wrong;
}

} // namespace

TEST_CASE("a noncommutative operation combines in the order of ranks") {
    CHECK(then({2, 1}, {3, 5}) == affine{6, 8});
    CHECK(then({3, 5}, {2, 1}) == affine{6, 11});
    mpi::group ranks{application::comm()};
    composition const maps;
    auto const check = [&](auto const& operation) {
        sweep::memories m{operation};
        call_modes::each(operation, slice{m.out.all()}, slice{m.in.all()}, [&](auto pattern, std::string const& name) {
            auto const wrong = wrong_maps(ranks.rank(), pattern, m);
            CAPTURE(name);
            CHECK(wrong == 0);
        });
    };
    for (auto const where : {sonde::placement::out_of_place, sonde::in_place}) {
        operations::combining(ranks, maps.type(), maps.op(), where, check);
        for (sonde::root_rank const at : {sonde::root_rank{ranks.size() - 1}, sonde::root_rank::rotating()})
            check(mpi::reduce{ranks, {maps.type(), 3}, maps.op(), at, where});
    }
}
