// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "fit_data.hpp"

#include <initializer_list>

namespace multi_ping_pong_data {

constexpr auto both = {sonde::model::latency_form::published, sonde::model::latency_form::time_line};

/// Two pairs on the link of a typical cluster.
constexpr sonde::model::multi_ping_pong truth(sonde::model::latency_form form, double chunk = 3e5) {
    return {sonde::model::bytes{chunk}, sonde::model::rate{1.4e9}, sonde::seconds{4e-6}, form};
}

} // namespace multi_ping_pong_data
