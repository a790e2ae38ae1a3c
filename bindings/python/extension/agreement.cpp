// SPDX-License-Identifier: BSL-1.0
#include "agreement.hpp"

#include <sonde/group.hpp>
#include <sonde/group/agreement.hpp>
#include <sonde/mpi/error.hpp>

#include <mpi.h>

#include <cstddef>
#include <stdexcept>
#include <string>
#include <system_error>

namespace binding {

namespace {

/// The message of a Python exception without its class and its place; empty if the exception has no text.
std::string message_of(py::error_already_set const& e) {
    try {
        return py::str(e.value());
    } catch (py::error_already_set const&) {
        return {};
    }
}

/// "ZeroDivisionError: division by zero"
std::string class_and_message_of(py::error_already_set const& e) {
    std::string const name = py::str(e.type().attr("__name__"));
    auto const message = message_of(e);
    return message.empty() ? name : name + ": " + message;
}

py::module_ mpi4py() { return py::module_::import("mpi4py.MPI"); }

/// Throws RuntimeError unless mpi4py calls the MPI library that this module calls.
void require_same_library(std::string const& function) {
    static bool checked = false;
    if (checked) return;
    auto const mpi = mpi4py();
    auto const theirs = py::cast<std::string>(mpi.attr("Get_library_version")());
    auto const ours = sonde::mpi::detail::text_from<MPI_MAX_LIBRARY_VERSION_STRING>(MPI_Get_library_version,
                                                                                    "MPI_Get_library_version");
    auto const line = [](std::string const& text) { return text.substr(0, text.find('\n')); };
    if (theirs.c_str() != ours)
        throw std::runtime_error{function + ": mpi4py calls " + line(theirs) + ", and sonde was built with " +
                                 line(ours)};
    if (py::cast<std::size_t>(mpi.attr("_sizeof")(mpi.attr("Comm"))) != sizeof(MPI_Comm))
        throw std::runtime_error{function + ": communicators of mpi4py have another size than those of " + line(ours)};
    checked = true;
}

/// True if the object is an instance of a class of mpi4py, which the program then has imported.
bool is_instance(py::handle object, char const* type) {
    auto const modules = py::module_::import("sys").attr("modules");
    return modules.contains("mpi4py.MPI") && py::isinstance(object, mpi4py().attr(type));
}

std::string type_name(py::handle object) { return py::str(py::type::handle_of(object).attr("__name__")); }

} // namespace

void const* handle_address(std::string const& what, py::handle object, char const* type) {
    if (!is_instance(object, type))
        throw py::type_error{what + " is of type " + type_name(object) + "; it must be an mpi4py.MPI." + type};
    return reinterpret_cast<void const*>(py::cast<std::size_t>(mpi4py().attr("_addressof")(object)));
}

fault fault_of(std::exception_ptr const& failure) {
    try {
        std::rethrow_exception(failure);
    } catch (py::error_already_set const& e) {
        return {'R', class_and_message_of(e)};
    } catch (py::type_error const& e) {
        return {'T', e.what()};
    } catch (std::system_error const& e) {
        return {'O', e.what()};
    } catch (std::logic_error const& e) { // invalid_argument, length_error
        return {'V', e.what()};
    } catch (py::value_error const& e) {
        return {'V', e.what()};
    } catch (std::exception const& e) {
        return {'R', e.what()};
    } catch (...) {
        return {'R', "an unknown exception"};
    }
}

void throw_on_all(sonde::mpi::group const& ranks, std::exception_ptr const& failure) {
    sonde::detail::throw_on_all(ranks, failure, [&](int first) {
        auto const mine = failure ? fault_of(failure) : fault{};
        auto text = mine.kind + mine.text;
        sonde::broadcast(ranks, text, first);
        if (failure) std::rethrow_exception(failure);
        auto const message = "rank " + std::to_string(first) + ": " + text.substr(1);
        switch (text.front()) {
        case 'T':
            throw py::type_error{message};
        case 'V':
            throw py::value_error{message};
        case 'O':
            PyErr_SetString(PyExc_OSError, message.c_str());
            throw py::error_already_set{};
        default:
            return std::runtime_error{message};
        }
    });
}

MPI_Comm communicator_of(std::string const& function, py::handle comm) {
    if (!is_instance(comm, "Comm"))
        throw py::type_error{function + ": comm is of type " + type_name(comm) +
                             "; it must be a communicator of mpi4py"};
    require_same_library(function);
    auto const handle = handle_of<MPI_Comm>("comm", comm, "Comm");
    if (handle == MPI_COMM_NULL) throw py::value_error{function + ": the communicator is MPI.COMM_NULL"};
    return handle;
}

sonde::mpi::group group_of(std::string const& function, py::handle comm) {
    return sonde::mpi::group{communicator_of(function, comm)};
}

} // namespace binding
