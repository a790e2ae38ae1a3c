// SPDX-License-Identifier: BSL-1.0
#include "imb/driver/setting.hpp"

#include <sonde/measure/run.hpp>
#include <sonde/mpi/error.hpp>
#include <sonde/mpi/memory.hpp>

#include <cstring>
#include <type_traits>
#include <utility>

namespace imb {

namespace {

/// Add elements of a vector, or single ones with gaps. The number of elements follows from the datatype's size, their
/// distance from its extent.
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

MPI_User_function* sum_of(element kind) {
    return with_element(kind, [](auto value) -> MPI_User_function* {
        if constexpr (std::is_same_v<decltype(value), char>) return add<signed char>;
        else return add<decltype(value)>;
    });
}

sonde::mpi::owned_datatype with_gaps(MPI_Datatype type, std::size_t bytes) {
    MPI_Datatype derived = MPI_DATATYPE_NULL;
    sonde::mpi::check(MPI_Type_create_resized(type, 0, static_cast<MPI_Aint>(2 * bytes), &derived),
                      "MPI_Type_create_resized");
    return sonde::mpi::owned_datatype{derived};
}

} // namespace

sonde::record run(sonde::mpi::group& group, plan const& how, sonde::pattern_ref<sonde::mpi::wtime> pattern,
                  sonde::point at) {
    return sonde::run(group, how, pattern, std::move(at));
}

element_type::element_type(element e, layout contiguous, bool summed)
    : type_{summed ? summed_datatype_of(e) : datatype_of(e)} {
    if (contiguous == layout::base) return;
    if (contiguous != layout::base_vec) {
        resized_ = with_gaps(type_, bytes_of(e));
        type_ = resized_.get();
    }
    if (summed) sonde::mpi::check(MPI_Op_create(sum_of(e), 1, &sum_), "MPI_Op_create");
}

element_type::~element_type() {
    if (sum_ != MPI_SUM) MPI_Op_free(&sum_);
}

suite::memory memory_of(options const& asked) {
    static constexpr auto host = suite::functions_for<sonde::mpi::alloc_mem>;
    return asked.allocated.kind == memory_kind::host ? suite::memory{host} : suite::memory{asked.allocated.kind};
}

namespace {

MPI_Datatype type_of(setting const& s) { return s.test.reduces ? s.reduced : s.data; }

bool in_vectors(setting const& s) {
    return s.options.contiguous == layout::base_vec || s.options.contiguous == layout::resize_vec;
}

sonde::mpi::owned_datatype vector_of(MPI_Datatype type, std::size_t n) {
    MPI_Datatype derived = MPI_DATATYPE_NULL;
    sonde::mpi::check(MPI_Type_vector(sonde::mpi::detail::int_count(n), 1, 1, type, &derived), "MPI_Type_vector");
    return sonde::mpi::owned_datatype{derived};
}

std::string name_of(mode m) {
    return m == mode::aggregate ? "aggregate" : m == mode::non_aggregate ? "non_aggregate" : "only";
}

/// Of `-mem_alloc_type`: IMB's word, unless IMB lacks the kind.
std::string name_of(memory_kind kind) {
    auto const* const row = row_of(kind, &memory_row::allocation_word);
    return std::string{row != nullptr ? row->allocation_word : row_of(kind, &memory_row::word)->word};
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
    sonde::point found{test.name,
                       {{"bytes", size},
                        {"processes", group.size()},
                        {"group", group_number},
                        {"mode", name_of(mode)},
                        {"part", part == nullptr ? "pure" : part}}};
    if (options.allocated.kind != memory_kind::host)
        found.parameters.emplace_back("memory", name_of(options.allocated.kind));
    return found;
}

} // namespace imb
