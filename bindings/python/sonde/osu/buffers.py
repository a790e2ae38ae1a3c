# SPDX-License-Identifier: BSL-1.0
"""Memory of messages: the kinds that `--buffer` names. The module of a kind is imported when the kind is opened."""
from __future__ import annotations

import ctypes
import importlib
from typing import Any

import numpy as np
from mpi4py import MPI
from numpy.typing import NDArray

from .refusal import Refusal

Bytes = NDArray[np.uint8]


class NumpyMemory:
    """Arrays of numpy. Arguments named `content` are bytes in host memory."""

    on_device = False

    def __init__(self, local_rank: int) -> None:
        """Imports the module, and selects a device by the rank's number on its node."""

    def allocate(self, content: Bytes) -> Any:
        """A buffer with this content, which is there on return."""
        return content.copy()

    def read(self, buffer: Any) -> Bytes:
        """The bytes of a buffer, or of an array that was received as an object."""
        return np.frombuffer(self.on_host(buffer), np.uint8)

    def floats(self, buffer: Any) -> Any:
        """The same memory as an array of floats, which `+` adds."""
        return buffer.view(np.float32)

    def on_host(self, buffer: Any) -> Any:
        """The buffer, or a copy of it, in host memory."""
        return buffer


class BytearrayMemory(NumpyMemory):
    """Python's bytearray; floats are an array of numpy over it."""

    def allocate(self, content: Bytes) -> Any:
        return bytearray(content)

    def floats(self, buffer: Any) -> Any:
        return np.frombuffer(buffer, np.float32)


class CupyMemory(NumpyMemory):
    """Arrays of CuPy."""

    on_device = True

    def __init__(self, local_rank: int) -> None:
        self._cupy: Any = importlib.import_module("cupy")
        self._cupy.cuda.Device(local_rank % self._cupy.cuda.runtime.getDeviceCount()).use()

    def allocate(self, content: Bytes) -> Any:
        buffer = self._cupy.asarray(content)
        self._cupy.cuda.runtime.deviceSynchronize()
        return buffer

    def on_host(self, buffer: Any) -> Any:
        return self._cupy.asnumpy(buffer)


class NumbaMemory(NumpyMemory):
    """Device arrays of Numba."""

    on_device = True

    def __init__(self, local_rank: int) -> None:
        self._cuda: Any = importlib.import_module("numba.cuda")
        self._cuda.select_device(local_rank % len(self._cuda.gpus))

    def allocate(self, content: Bytes) -> Any:
        buffer = self._cuda.to_device(content)
        self._cuda.synchronize()
        return buffer

    def on_host(self, buffer: Any) -> Any:
        return buffer.copy_to_host()


class PycudaMemory(NumpyMemory):
    """Arrays of PyCUDA, in the primary context of the device, which other libraries use as well."""

    on_device = True

    def __init__(self, local_rank: int) -> None:
        self._driver: Any = importlib.import_module("pycuda.driver")
        self._driver.init()
        self._driver.Device(local_rank % self._driver.Device.count()).retain_primary_context().push()
        self._arrays: Any = importlib.import_module("pycuda.gpuarray")

    def allocate(self, content: Bytes) -> Any:
        buffer = self._arrays.to_gpu(content)
        self._driver.Context.synchronize()
        return buffer

    def on_host(self, buffer: Any) -> Any:
        return buffer.get()


# The names of OMB.
MEMORIES: dict[str, type[NumpyMemory]] = {"bytearray": BytearrayMemory, "numpy": NumpyMemory, "cupy": CupyMemory,
                                          "numba": NumbaMemory, "pycuda": PycudaMemory}


def open_memory(name: str, local_rank: int) -> NumpyMemory:
    """The kind of memory of this name. Raises Refusal without its module, its device or an MPI library that takes it."""
    try:
        memory = MEMORIES[name](local_rank)
    except ImportError as e:
        raise Refusal(f"Cannot import the module of the buffer [--buffer {name}]: {e}") from e
    except Exception as e:  # whatever class the module has for an error of the device
        raise Refusal(f"Cannot use a device [--buffer {name}]: {e}") from e
    if memory.on_device and not _takes_device_addresses():
        raise Refusal(f"The MPI library does not take device addresses [--buffer {name}]; accepted: bytearray, numpy")
    return memory


def _takes_device_addresses() -> bool:
    """The answer of the MPI library; True if it has no function for this question."""
    try:
        return bool(ctypes.CDLL(MPI.__file__).MPIX_Query_cuda_support())
    except (AttributeError, OSError):
        return True


def require_objects(memory: NumpyMemory, name: str, are_added: bool) -> None:
    """Raises Refusal if mpi4py cannot pickle the memory: during a message, the other ranks would wait for it."""
    one = memory.allocate(np.zeros(4, np.uint8))
    try:
        MPI.pickle.loads(MPI.pickle.dumps(one))
        if are_added:
            memory.floats(one) + memory.floats(one)
    except Exception as e:
        raise Refusal(f"Objects of this kind cannot be pickled and added [--pickle --buffer {name}]: {e}") from e
