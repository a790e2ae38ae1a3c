// SPDX-License-Identifier: BSL-1.0
#pragma once

// Stand-in for the header of RCCL where that is not installed: declarations of what Sonde and the fake library use, by
// the names and values that RCCL documents.

#include <hip/hip_runtime_api.h>

#include <stddef.h>

#define NCCL_VERSION_CODE 22200

typedef struct ncclComm* ncclComm_t;
typedef struct {
    char internal[128];
} ncclUniqueId;

typedef enum {
    ncclSuccess,
    ncclUnhandledCudaError,
    ncclSystemError,
    ncclInternalError,
    ncclInvalidArgument,
    ncclInvalidUsage,
    ncclRemoteError,
    ncclInProgress,
    ncclNumResults
} ncclResult_t;

typedef enum { ncclSum, ncclProd, ncclMax, ncclMin, ncclAvg, ncclNumOps } ncclRedOp_t;

typedef enum {
    ncclInt8 = 0,
    ncclChar = 0,
    ncclUint8 = 1,
    ncclInt32 = 2,
    ncclInt = 2,
    ncclUint32 = 3,
    ncclInt64 = 4,
    ncclUint64 = 5,
    ncclFloat16 = 6,
    ncclHalf = 6,
    ncclFloat32 = 7,
    ncclFloat = 7,
    ncclFloat64 = 8,
    ncclDouble = 8,
    ncclBfloat16 = 9,
    ncclFloat8e4m3 = 10,
    ncclFloat8e5m2 = 11,
    ncclNumTypes = 12
} ncclDataType_t;

extern "C" {
ncclResult_t ncclGetVersion(int* version);
ncclResult_t ncclGetUniqueId(ncclUniqueId* id);
ncclResult_t ncclCommInitRank(ncclComm_t* comm, int ranks, ncclUniqueId id, int rank);
ncclResult_t ncclCommDestroy(ncclComm_t comm);
ncclResult_t ncclCommAbort(ncclComm_t comm);
ncclResult_t ncclCommGetAsyncError(ncclComm_t comm, ncclResult_t* error);
char const* ncclGetErrorString(ncclResult_t code);
char const* ncclGetLastError(ncclComm_t comm);

ncclResult_t ncclReduce(void const* sendbuf, void* recvbuf, size_t count, ncclDataType_t type, ncclRedOp_t op, int root,
                        ncclComm_t comm, hipStream_t stream);
ncclResult_t ncclBroadcast(void const* sendbuf, void* recvbuf, size_t count, ncclDataType_t type, int root,
                           ncclComm_t comm, hipStream_t stream);
ncclResult_t ncclAllReduce(void const* sendbuf, void* recvbuf, size_t count, ncclDataType_t type, ncclRedOp_t op,
                           ncclComm_t comm, hipStream_t stream);
ncclResult_t ncclReduceScatter(void const* sendbuf, void* recvbuf, size_t count, ncclDataType_t type, ncclRedOp_t op,
                               ncclComm_t comm, hipStream_t stream);
ncclResult_t ncclAllGather(void const* sendbuf, void* recvbuf, size_t count, ncclDataType_t type, ncclComm_t comm,
                           hipStream_t stream);
ncclResult_t ncclSend(void const* sendbuf, size_t count, ncclDataType_t type, int peer, ncclComm_t comm,
                      hipStream_t stream);
ncclResult_t ncclRecv(void* recvbuf, size_t count, ncclDataType_t type, int peer, ncclComm_t comm, hipStream_t stream);
ncclResult_t ncclGroupStart();
ncclResult_t ncclGroupEnd();
}
