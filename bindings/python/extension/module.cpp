// SPDX-License-Identifier: BSL-1.0
#include "module.hpp"

#include <sonde/measure/environment.hpp>
#include <sonde/version.hpp>

#include <exception>
#include <system_error>

namespace {

/// Errors of files are OSError, with their number and text.
void translate(std::exception_ptr failure) {
    try {
        std::rethrow_exception(failure);
    } catch (std::system_error const& e) {
        auto const arguments = pybind11::make_tuple(e.code().value(), e.what());
        PyErr_SetObject(PyExc_OSError, arguments.ptr());
    }
}

} // namespace

PYBIND11_MODULE(_sonde, module) {
    pybind11::register_local_exception_translator(translate);
    module.attr("__version__") = SONDE_VERSION;
    module.attr("schema_version") = sonde::schema_version;
    binding::bind_patterns(module);
    binding::bind_records(module);
    binding::bind_reports(module);
    binding::bind_lateness(module);
    binding::bind_probe(module);
    binding::bind_measure(module);
}
