// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/probe/best.hpp>
#include <sonde/probe/collect.hpp>
#include <sonde/probe/probe.hpp>
#include <sonde/probe/region.hpp>
#include <sonde/probe/region_record.hpp>
