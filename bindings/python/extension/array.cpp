// SPDX-License-Identifier: BSL-1.0
#include "array.hpp"

#include <bit>
#include <cstdint>
#include <utility>

namespace binding {

namespace {

struct element_type {
    char const* kind_and_size; // as numpy writes it, without the order of bytes
    char const* name;          // of numpy
    MPI_Datatype type;
};

element_type const element_types[] = {
    {"i1", "int8", MPI_INT8_T},
    {"i2", "int16", MPI_INT16_T},
    {"i4", "int32", MPI_INT32_T},
    {"i8", "int64", MPI_INT64_T},
    {"u1", "uint8", MPI_UINT8_T},
    {"u2", "uint16", MPI_UINT16_T},
    {"u4", "uint32", MPI_UINT32_T},
    {"u8", "uint64", MPI_UINT64_T},
    {"f4", "float32", MPI_FLOAT},
    {"f8", "float64", MPI_DOUBLE},
    {"b1", "bool", MPI_C_BOOL},
    {"c8", "complex64", MPI_C_FLOAT_COMPLEX},
    {"c16", "complex128", MPI_C_DOUBLE_COMPLEX},
};

/// The order of bytes of this machine, as formats write it.
constexpr char native_order = std::endian::native == std::endian::little ? '<' : '>';
constexpr char foreign_order = native_order == '<' ? '>' : '<';

/// Kind and size of a format of the module struct, such as "d" or "=i", as numpy writes them, with the order of bytes
/// if it is another one: ">f8". The format itself of structs.
std::string kind_and_size(std::string const& format, std::size_t size) {
    auto code = format;
    std::string order;
    if (!code.empty() && std::string{"@=|<>!"}.find(code.front()) != std::string::npos) {
        if (std::string{"@=|"}.append(1, native_order).find(code.front()) == std::string::npos) order = foreign_order;
        code.erase(0, 1);
    }
    auto const is_complex = code.size() == 2 && code.front() == 'Z';
    if (is_complex) code.erase(0, 1);
    if (code.size() != 1) return format;
    for (auto const& [codes, kind] : {std::pair{"bhilqn", 'i'}, {"BHILQNc", 'u'}, {"efdg", 'f'}, {"?", 'b'}})
        if (std::string{codes}.find(code) != std::string::npos)
            return order + (is_complex ? 'c' : kind) + std::to_string(size);
    return format;
}

/// True if a format of the module struct has elements that are Python objects; the names of fields are between colons.
bool has_objects(std::string const& format) {
    bool in_name = false;
    for (auto const c : format) {
        if (c == ':') in_name = !in_name;
        else if (c == 'O' && !in_name) return true;
    }
    return false;
}

std::size_t product(py::handle shape) {
    std::size_t all = 1;
    for (auto const extent : shape) all *= extent.cast<std::size_t>();
    return all;
}

/// True if the strides, in bytes, are those of an array in C order without gaps.
bool is_contiguous(py::handle strides, py::sequence const& shape, std::size_t element) {
    if (strides.is_none()) return true;
    auto const all = py::reinterpret_borrow<py::sequence>(strides);
    auto expected = element;
    for (auto i = shape.size(); i != 0; --i) {
        auto const extent = shape[i - 1].cast<std::size_t>();
        if (extent > 1 && all[i - 1].cast<std::size_t>() != expected) return false;
        expected *= extent;
    }
    return true;
}

/// An array on a device as its __cuda_array_interface__ describes it.
struct device_array {
    std::string type; // of the elements, as "<f8"
    std::uintptr_t address;
    std::size_t bytes;
    bool read_only, contiguous;
};

/// Throws an exception of any class for a dict without the members of the protocol.
device_array device_array_of(py::dict const& interface) {
    auto const type = interface["typestr"].cast<std::string>();
    auto const element = std::stoul(type.substr(2));
    py::sequence const shape = interface["shape"];
    auto const strides = interface.contains("strides") ? py::object{interface["strides"]} : py::none{};
    py::tuple const data = interface["data"];
    return {type, data[0].cast<std::uintptr_t>(), product(shape) * element, data[1].cast<bool>(),
            is_contiguous(strides, shape, element)};
}

/// None for an object that is not on a device. PyTorch refuses the attribute to arrays that cannot be given away.
py::object device_interface_of(std::string const& what, py::handle object) {
    try {
        return object.attr("__cuda_array_interface__");
    } catch (py::error_already_set const& e) {
        if (e.matches(PyExc_AttributeError)) return py::none{};
        throw py::value_error{what + " gives no device array: " + py::str(e.value()).cast<std::string>()};
    }
}

} // namespace

array::array(std::string const& what, py::object object, bool written) : object_{std::move(object)} {
    auto const device_interface = device_interface_of(what, object_);
    auto const is_device_array = !device_interface.is_none();
    if (!is_device_array && PyObject_CheckBuffer(object_.ptr()) == 0)
        throw py::type_error{what + " is of type " +
                             py::str(py::type::handle_of(object_).attr("__name__")).cast<std::string>() +
                             ", which has neither the buffer protocol nor __cuda_array_interface__"};
    if (is_device_array) take_device(what, device_interface, written);
    else take_host(what, written);
}

void array::take_host(std::string const& what, bool written) {
    try {
        view_ = py::reinterpret_borrow<py::buffer>(object_).request();
    } catch (py::error_already_set const& e) {
        throw py::value_error{what + " gives no buffer: " + py::str(e.value()).cast<std::string>()};
    }
    if (has_objects(view_->format)) throw py::value_error{what + " has elements that are Python objects"};
    if (PyBuffer_IsContiguous(view_->view(), 'A') == 0) throw py::value_error{what + " is not contiguous"};
    auto const is_of_c = PyBuffer_IsContiguous(view_->view(), 'C') != 0;
    if (!is_of_c || PyBuffer_IsContiguous(view_->view(), 'F') == 0) order_ = is_of_c ? 'C' : 'F';
    read_only_ = view_->readonly;
    if (written && read_only_) throw py::value_error{what + " is read-only"};
    auto const element = static_cast<std::size_t>(view_->itemsize);
    bytes_ = sonde::region{static_cast<std::byte*>(view_->ptr), static_cast<std::size_t>(view_->size) * element};
    set_type(kind_and_size(view_->format, element));
}

void array::take_device(std::string const& what, py::object const& interface, bool written) {
    device_array of;
    try {
        of = device_array_of(interface);
    } catch (std::exception const&) {
        throw py::type_error{what + " has a __cuda_array_interface__ that is not one of this protocol"};
    }
    if (!of.contiguous) throw py::value_error{what + " is not contiguous"};
    read_only_ = of.read_only;
    if (written && read_only_) throw py::value_error{what + " is read-only"};
    bytes_ = {reinterpret_cast<std::byte*>(of.address), of.bytes, true};
    set_type(of.type.front() == foreign_order ? of.type : of.type.substr(1));
}

void array::set_type(std::string const& numpy_kind_and_size) {
    dtype_ = numpy_kind_and_size;
    for (auto const& known : element_types) {
        if (known.kind_and_size != numpy_kind_and_size) continue;
        dtype_ = known.name;
        type_ = known.type;
        element_bytes_ = std::stoul(numpy_kind_and_size.substr(1));
        typed_ = true;
    }
}

} // namespace binding
