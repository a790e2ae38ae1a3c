// SPDX-License-Identifier: BSL-1.0
#pragma once

// Reporters that draw: `html` and `size_plot`, `sample_plot`. A program that includes this header links the component
// sonde-drawing; one that does not writes JSON Lines, which sonde-report draws after the job.

#include <sonde/drawing/html.hpp>
#include <sonde/drawing/plot.hpp>
