// SPDX-License-Identifier: BSL-1.0
#include "combine.hpp"

#include <sonde/nccl/communicator.hpp>

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace fake {

namespace {

template <class T>
T both(T a, T b, ncclRedOp_t op) {
    switch (op) {
    case ncclProd:
        return static_cast<T>(a * b);
    case ncclMax:
        return std::max(a, b);
    case ncclMin:
        return std::min(a, b);
    default:
        return static_cast<T>(a + b);
    }
}

template <class T>
T element(std::byte const* vectors, std::size_t i) {
    T value;
    std::memcpy(&value, vectors + i * sizeof(T), sizeof(T));
    return value;
}

template <class T>
void combine_all(std::byte const* vectors, int ranks, std::size_t count, ncclRedOp_t op, std::byte* into) {
    for (std::size_t i = 0; i != count; ++i) {
        auto sum = element<T>(vectors, i);
        for (int rank = 1; rank < ranks; ++rank)
            sum = both(sum, element<T>(vectors, static_cast<std::size_t>(rank) * count + i), op);
        if (op == ncclAvg) sum = static_cast<T>(sum / static_cast<T>(ranks));
        std::memcpy(into + i * sizeof(T), &sum, sizeof(T));
    }
}

} // namespace

std::size_t element_size(ncclDataType_t type) {
    return type >= ncclInt8 && type < ncclNumTypes ? sonde::nccl::type_size(type) : 0;
}

bool combines(ncclDataType_t type, ncclRedOp_t op) {
    return type >= ncclInt8 && type <= ncclFloat64 && type != ncclFloat16 && op >= ncclSum && op < ncclNumOps;
}

void combine(std::byte const* vectors, int ranks, std::size_t count, ncclDataType_t type, ncclRedOp_t op,
             std::byte* into) {
    switch (type) {
    case ncclInt8:
        return combine_all<std::int8_t>(vectors, ranks, count, op, into);
    case ncclUint8:
        return combine_all<std::uint8_t>(vectors, ranks, count, op, into);
    case ncclInt32:
        return combine_all<std::int32_t>(vectors, ranks, count, op, into);
    case ncclUint32:
        return combine_all<std::uint32_t>(vectors, ranks, count, op, into);
    case ncclInt64:
        return combine_all<std::int64_t>(vectors, ranks, count, op, into);
    case ncclUint64:
        return combine_all<std::uint64_t>(vectors, ranks, count, op, into);
    case ncclFloat32:
        return combine_all<float>(vectors, ranks, count, op, into);
    case ncclFloat64:
        return combine_all<double>(vectors, ranks, count, op, into);
    default:
        return;
    }
}

} // namespace fake
