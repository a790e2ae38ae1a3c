// SPDX-License-Identifier: BSL-1.0
#include "setting.hpp"

#include <sonde/mpi/error.hpp>

namespace imb {

namespace {

MPI_Datatype type_of(setting const& s) { return s.test.reduces ? s.reduced : s.data; }

bool in_vectors(setting const& s) {
    return s.asked.contiguous == layout::base_vec || s.asked.contiguous == layout::resize_vec;
}

sonde::mpi::owned_datatype vector_of(MPI_Datatype type, std::size_t n) {
    MPI_Datatype made = MPI_DATATYPE_NULL;
    sonde::mpi::check(MPI_Type_vector(sonde::mpi::detail::int_count(n), 1, 1, type, &made), "MPI_Type_vector");
    return sonde::mpi::owned_datatype{made};
}

std::string name_of(mode m) {
    return m == mode::aggregate ? "aggregate" : m == mode::non_aggregate ? "non_aggregate" : "only";
}

} // namespace

sonde::mpi::block setting::block_of(std::size_t n) const {
    auto const elements = n / element_bytes;
    if (elements == 0 || !in_vectors(*this)) return {type_of(*this), elements};
    auto const known = vectors.find(elements);
    if (known != vectors.end()) return {known->second.get(), 1};
    return {vectors.emplace(elements, vector_of(type_of(*this), elements)).first->second.get(), 1};
}

sonde::mpi::elements setting::elements_of(std::size_t n) const {
    auto const whole = block_of(n);
    return {whole.type, sonde::mpi::detail::int_count(whole.count)};
}

sonde::point setting::point(char const* part) const {
    auto const size = test.kind == family::synchronization ? 0 : bytes;
    return {test.name,
            {{"bytes", size},
             {"processes", group.size()},
             {"group", group_number},
             {"mode", name_of(mode)},
             {"part", part == nullptr ? "pure" : part}}};
}

} // namespace imb
