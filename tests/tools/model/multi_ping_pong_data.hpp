// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "tools/model/regression/max_rate_fit.hpp"

#include "fit_data.hpp"

#include <initializer_list>

namespace multi_ping_pong_data {

using sonde::seconds;
using sonde::model::bytes;
using sonde::model::latency_form;
using sonde::model::multi_ping_pong;
using sonde::model::rate;
using tools::regression::fit;

constexpr auto both = {latency_form::published, latency_form::time_line};

/// Two pairs on the link of a typical cluster.
constexpr multi_ping_pong truth(latency_form form, double chunk = 3e5) {
    return {bytes{chunk}, rate{1.4e9}, seconds{4e-6}, form};
}

} // namespace multi_ping_pong_data
