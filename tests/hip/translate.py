#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""translate.py SOURCE TARGET

Writes a source of the tests of CUDA as one of HIP: both runtimes have the same functions, by other names. Differences of more
than a name stand in the source, within `#ifdef __HIP_PLATFORM_AMD__`.
"""
import re
import sys

NAMES = [  # the first one that fits
    ("cuda_runtime_api.h", "hip/hip_runtime_api.h"),
    ("<nccl.h>", "<rccl/rccl.h>"),
    ("NCCL needs", "RCCL needs"),
    ("cudaDevAttrMultiProcessorCount", "hipDeviceAttributeMultiprocessorCount"),
    ("cudaDevAttr", "hipDeviceAttribute"),
    ("cudaDeviceAttr", "hipDeviceAttribute_t"),
    ("cudaDeviceProp", "hipDeviceProp_t"),
    ("cudaPointerAttributes", "hipPointerAttribute_t"),
    ("cudaUUID_t", "hipUUID"),
    ("cudaErrorLaunchTimeout", "hipErrorLaunchTimeOut"),
    ("cudaHostAlloc", "hipHostMalloc"),  # and cudaHostAllocDefault
    ("cudaFreeHost", "hipHostFree"),
    ("CUDART_VERSION", "HIP_VERSION"),
    ("NVIDIA", "AMD"),
    ("(?<!MPIX_Query_)cuda", "hip"),
    ("CUDA", "HIP")]
PATTERN = re.compile("|".join(f"({found})" for found, _ in NAMES))


def translated(line):
    if line.startswith("#if"):  # of the versions of CUDA
        return line
    return PATTERN.sub(lambda match: NAMES[match.lastindex - 1][1], line)


source, target = sys.argv[1:]
with open(source) as lines, open(target, "w") as out:
    out.writelines(map(translated, lines))
