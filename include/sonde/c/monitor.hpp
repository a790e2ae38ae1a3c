// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <sonde/c/measure.hpp>
#include <sonde/c/probe.hpp>
#include <sonde/c/sonde.h>
#include <sonde/c/status.hpp>
#include <sonde/monitor.hpp>

#include <memory>
#include <string>

/// A monitor of the C interface. The probes that it shows own it, too, because their passes count in its page.
struct sonde_monitor : std::enable_shared_from_this<sonde_monitor> {
    static constexpr auto noun = "the monitor"; // in messages

    sonde_monitor(std::string path, int rank, sonde::monitor_options const& options)
        : monitor{std::move(path), rank, options} {}

    sonde::monitor monitor; // of this rank
};

namespace sonde::inline v0_1::detail::c {

extern "C" {

sonde_status sonde_monitor_create(sonde_group const* group, char const* path, double interval, sonde_monitor** monitor,
                                  sonde_error* error) {
    return guarded(error, [&] {
        auto const rank = checked(group).ranks.rank();
        require(path, "the path of the file");
        require(monitor, "the result");
        monitor_options options;
        if (interval != 0) options.interval = seconds{interval};
        *monitor = make_handle<sonde_monitor>(path, rank, options);
    });
}

sonde_status sonde_monitor_add(sonde_monitor* monitor, sonde_probe* probe, sonde_error* error) {
    return guarded(error, [&] {
        auto& by = checked(monitor);
        auto& shown = checked(probe);
        shown.tables.push_back(by.shared_from_this());
        by.monitor.add(shown.probe);
    });
}

sonde_status sonde_monitor_write(sonde_monitor* monitor, int* written, sonde_error* error) {
    return guarded(error, [&] {
        auto const wrote = checked(monitor).monitor.write();
        if (written != nullptr) *written = wrote ? 1 : 0;
    });
}

void sonde_monitor_free(sonde_monitor** monitor) { destroy(monitor); }

} // extern "C"

} // namespace sonde::detail::c
