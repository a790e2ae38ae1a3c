// SPDX-License-Identifier: BSL-1.0

// An MPI library and a CUDA runtime whose functions do nothing, so that a loop over them has the caller's own
// instructions alone. The program's own definitions precede those of the linked library. They are not inlined, because
// this file is compiled separately.

#include <mpi.h>

#ifdef SONDE_CUDA_FOUND
#include <cuda_runtime_api.h>

#include <cstddef>

extern "C" {

cudaError_t cudaMalloc(void** p, std::size_t) { return *p = p, cudaSuccess; } // the program never reads this memory
cudaError_t cudaFree(void*) { return cudaSuccess; }
cudaError_t cudaMemGetInfo(std::size_t*, std::size_t*) { return cudaSuccess; }
cudaError_t cudaGetLastError() { return cudaSuccess; }
char const* cudaGetErrorString(cudaError_t) { return ""; }

} // extern "C"
#endif

extern "C" {

int MPI_Send(void const*, int, MPI_Datatype, int, int, MPI_Comm) { return MPI_SUCCESS; }
int MPI_Recv(void*, int, MPI_Datatype, int, int, MPI_Comm, MPI_Status*) { return MPI_SUCCESS; }

int MPIX_Query_cuda_support() { return 1; }
int MPIX_Query_hip_support() { return 1; }
int MPIX_GPU_query_support(int, int* is) { return *is = 1, MPI_SUCCESS; }

int MPI_Allreduce(void const*, void*, int, MPI_Datatype, MPI_Op, MPI_Comm) { return MPI_SUCCESS; }
int MPI_Bcast(void*, int, MPI_Datatype, int, MPI_Comm) { return MPI_SUCCESS; }
int MPI_Get_processor_name(char* name, int* length) { return *name = 'h', *length = 1, MPI_SUCCESS; }
int MPI_Gather(void const*, int, MPI_Datatype, void*, int, MPI_Datatype, int, MPI_Comm) { return MPI_SUCCESS; }
int MPI_Comm_set_errhandler(MPI_Comm, MPI_Errhandler) { return MPI_SUCCESS; }
int MPI_Comm_test_inter(MPI_Comm, int* flag) { return *flag = 0, MPI_SUCCESS; }
int MPI_Comm_get_info(MPI_Comm, MPI_Info* info) { return *info = MPI_INFO_NULL, MPI_SUCCESS; }
int MPI_Info_get_nkeys(MPI_Info, int* keys) { return *keys = 1, MPI_SUCCESS; }
int MPI_Comm_dup(MPI_Comm comm, MPI_Comm* copy) { return *copy = comm, MPI_SUCCESS; }
int MPI_Comm_dup_with_info(MPI_Comm comm, MPI_Info, MPI_Comm* copy) { return *copy = comm, MPI_SUCCESS; }
int MPI_Comm_free(MPI_Comm* comm) { return *comm = MPI_COMM_NULL, MPI_SUCCESS; }
int MPI_Comm_rank(MPI_Comm, int* rank) { return *rank = 0, MPI_SUCCESS; }
int MPI_Comm_size(MPI_Comm, int* size) { return *size = 2, MPI_SUCCESS; }
int MPI_Initialized(int* flag) { return *flag = 1, MPI_SUCCESS; }
int MPI_Finalized(int* flag) { return *flag = 0, MPI_SUCCESS; }
int MPI_Query_thread(int* level) { return *level = MPI_THREAD_SINGLE, MPI_SUCCESS; }
int MPI_Is_thread_main(int* flag) { return *flag = 1, MPI_SUCCESS; }
#if MPI_VERSION >= 4
int MPI_Type_size_c(MPI_Datatype, MPI_Count* size) { return *size = 1, MPI_SUCCESS; }
int MPI_Type_get_extent_c(MPI_Datatype, MPI_Count* low, MPI_Count* extent) {
    return *low = 0, *extent = 1, MPI_SUCCESS;
}
int MPI_Type_get_true_extent_c(MPI_Datatype, MPI_Count* low, MPI_Count* extent) {
    return *low = 0, *extent = 1, MPI_SUCCESS;
}
#endif
int MPI_Type_size_x(MPI_Datatype, MPI_Count* size) { return *size = 1, MPI_SUCCESS; }
int MPI_Type_get_extent_x(MPI_Datatype, MPI_Count* low, MPI_Count* extent) {
    return *low = 0, *extent = 1, MPI_SUCCESS;
}
int MPI_Type_get_true_extent_x(MPI_Datatype, MPI_Count* low, MPI_Count* extent) {
    return *low = 0, *extent = 1, MPI_SUCCESS;
}

} // extern "C"
