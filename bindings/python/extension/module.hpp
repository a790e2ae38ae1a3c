// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <pybind11/pybind11.h>

namespace binding {

namespace py = pybind11;

// Each adds its part to the module `sonde._sonde`.

void bind_measure(py::module_& module);  // run, compare
void bind_records(py::module_& module);  // Record, Comparison
void bind_patterns(py::module_& module); // Pattern
void bind_probe(py::module_& module);    // Probe, ScopeRecord, Monitor
void bind_lateness(py::module_& module); // Lateness
void bind_reports(py::module_& module);  // Reporter

} // namespace binding
