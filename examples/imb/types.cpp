// SPDX-License-Identifier: BSL-1.0
#include "types.hpp"

#include <sonde/mpi/error.hpp>

#include <cstring>

namespace imb {

namespace {

struct description {
    MPI_Datatype plain;
    MPI_Datatype summed;
    MPI_User_function* sum;
    std::size_t bytes;
    char const* name;
};

/// Elements that lie apart, in one vector or one by one: as many as the type's size has room for, its extent shared
/// out.
template <class T>
void add(void* in, void* inout, int* count, MPI_Datatype* type) {
    int size = 0;
    MPI_Aint low = 0, extent = 0;
    MPI_Type_size(*type, &size);
    MPI_Type_get_extent(*type, &low, &extent);
    auto const of_one = static_cast<std::size_t>(size) / sizeof(T);
    if (of_one == 0) return;
    auto const step = static_cast<std::size_t>(extent) / of_one, all = static_cast<std::size_t>(*count) * of_one;
    for (std::size_t i = 0; i != all; ++i) {
        T a, b;
        std::memcpy(&a, static_cast<char*>(in) + i * step, sizeof a);
        std::memcpy(&b, static_cast<char*>(inout) + i * step, sizeof b);
        b = static_cast<T>(a + b);
        std::memcpy(static_cast<char*>(inout) + i * step, &b, sizeof b);
    }
}

description describe(element e) {
    switch (e) {
    case element::character:
        return {MPI_CHAR, MPI_SIGNED_CHAR, add<signed char>, 1, "MPI_CHAR"};
    case element::integer:
        return {MPI_INT, MPI_INT, add<int>, sizeof(int), "MPI_INT"};
    case element::real:
        return {MPI_FLOAT, MPI_FLOAT, add<float>, sizeof(float), "MPI_FLOAT"};
    case element::double_real:
        return {MPI_DOUBLE, MPI_DOUBLE, add<double>, sizeof(double), "MPI_DOUBLE"};
    case element::byte:
        break;
    }
    return {MPI_BYTE, MPI_BYTE, add<unsigned char>, 1, "MPI_BYTE"};
}

sonde::mpi::owned_datatype with_gaps(MPI_Datatype type, std::size_t bytes) {
    MPI_Datatype made = MPI_DATATYPE_NULL;
    sonde::mpi::check(MPI_Type_create_resized(type, 0, static_cast<MPI_Aint>(2 * bytes), &made),
                      "MPI_Type_create_resized");
    return sonde::mpi::owned_datatype{made};
}

} // namespace

std::size_t bytes_of(element e) { return describe(e).bytes; }

std::string mpi_name(element e) { return describe(e).name; }

element_type::element_type(element e, layout contiguous, bool summed)
    : type_{summed ? describe(e).summed : describe(e).plain} {
    if (contiguous == layout::base) return;
    if (contiguous != layout::base_vec) {
        resized_ = with_gaps(type_, describe(e).bytes);
        type_ = resized_.get();
    }
    if (summed) sonde::mpi::check(MPI_Op_create(describe(e).sum, 1, &sum_), "MPI_Op_create");
}

element_type::~element_type() {
    if (sum_ != MPI_SUM) MPI_Op_free(&sum_);
}

} // namespace imb
