// SPDX-License-Identifier: BSL-1.0
// On the last rank the function of nccl::abort_on_exception throws, while the others wait for it.
#include <sonde/cuda.hpp>
#include <sonde/mpi/group.hpp>
#include <sonde/nccl.hpp>

#include <cuda_runtime_api.h>
#include <mpi.h>

#include <stdexcept>

using namespace sonde;

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    mpi::group ranks{MPI_COMM_WORLD};
    cuda::check(cudaSetDevice(ranks.rank()), "cudaSetDevice");
    cuda::stream stream;
    nccl::communicator comm{ranks};
    return nccl::abort_on_exception(comm, [&] {
        if (ranks.rank() == ranks.size() - 1) throw std::runtime_error{"the fifth wheel came off"};
        ranks.barrier();
        return 0;
    });
}
