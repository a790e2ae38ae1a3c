// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/memory/buffer.hpp>

#include <mpi.h>
#include <pybind11/pybind11.h>

#include <cstddef>
#include <optional>
#include <string>

namespace binding {

namespace py = pybind11;

/// Contiguous memory of a Python object: of the buffer protocol (numpy, bytearray, memoryview), or on a device by
/// `__cuda_array_interface__` (CuPy, Numba). The object and its memory stay alive with it.
class array {
public:
    /// No memory, for a rank that needs none.
    array() = default;
    /// Throws, with `what` at the beginning of the message: TypeError for an object without memory, ValueError for
    /// memory that is not contiguous or, if it is to be written, read-only.
    array(std::string const& what, py::object object, bool written);

    sonde::opaque_slice slice() const { return sonde::opaque_slice{bytes_}; }
    std::size_t size() const { return bytes_.size(); }
    bool on_device() const { return bytes_.on_device(); }
    /// False if there is no object.
    bool exists() const { return static_cast<bool>(object_); }
    bool read_only() const { return read_only_; }
    sonde::opaque_region region() const { return bytes_; }
    /// Number of elements, and their datatype; bytes for elements that MPI has no datatype for.
    std::size_t count() const { return size() / element_bytes_; }
    MPI_Datatype type() const { return type_; }
    /// numpy's name of the type of the elements: "float64", ">f8" in another order of bytes; the format of structs.
    std::string const& dtype() const { return dtype_; }
    /// 'C' or 'F' if the order of the elements in memory is that of C or of Fortran; 0 if it is both.
    char order() const { return order_; }
    std::size_t element_bytes() const { return element_bytes_; }
    /// False if the elements are only known as bytes, so that MPI cannot reduce them.
    bool is_typed() const { return typed_; }

private:
    void take_host(std::string const& what, bool written);
    void take_device(std::string const& what, py::object const& interface, bool written);
    void set_type(std::string const& numpy_kind_and_size);

    py::object object_;
    std::optional<py::buffer_info> view_;
    sonde::opaque_region bytes_;
    MPI_Datatype type_ = MPI_BYTE;
    std::string dtype_;
    std::size_t element_bytes_ = 1;
    char order_ = 0;
    bool typed_ = false;
    bool read_only_ = false;
};

} // namespace binding
