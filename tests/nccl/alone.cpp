// SPDX-License-Identifier: BSL-1.0
#include <sonde/cuda.hpp>
#include <sonde/group.hpp>
#include <sonde/nccl.hpp>

#include <cstdio>
#include <exception>

using namespace sonde;

/// A group of one rank, with the loaded libraries: returns 0 if its bytes are the sum.
static int sum_of_one() {
    single_rank one;
    nccl::communicator comm{one};
    cuda::stream stream;
    allocation<cuda::device_memory> out{64}, in{64};
    out.fill(std::byte{7});
    nccl::queue on{comm, stream};
    nccl::nonblocking sum{nccl::allreduce{comm, {ncclUint8, 64}, ncclSum}, on, out.first(64), in.first(64)};
    sum();
    std::byte last{};
    in.read(63, {&last, 1});
    return last == std::byte{7} ? 0 : 1;
}

int main() try { return sum_of_one(); } catch (std::exception const& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 2;
}
