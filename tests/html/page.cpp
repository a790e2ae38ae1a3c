// SPDX-License-Identifier: BSL-1.0
// page FILE
//
// A page of a comparison, and of many records, some with wrong data, markup in names, and long names; another of a
// single record; more curves than fit one figure, with names of several lines.
#include <sonde/drawing/html.hpp>
#include <sonde/measure/environment.hpp>
#include <sonde/measure/record.hpp>

#include <cstddef>
#include <string>

namespace {

std::string const hostile = "<img src=x onerror=alert(1)><script>alert(2)</script>\"'&\xff";

/// A time that grows with the size, with samples around it: the same in every run.
sonde::record measured(std::string name, std::string link, std::size_t bytes) {
    sonde::record r;
    r.point = {std::move(name), {{"bytes", bytes}, {"link", std::move(link)}}};
    r.total = {2 * bytes, 2, 2};
    r.ranks = 4;
    r.initiators = 2;
    r.batch = bytes < 1024 ? 100 : 1;
    for (int i = 0; i != 400; ++i)
        r.series.push_back(sonde::seconds{(2e-6 + static_cast<double>(bytes) / 5e9) * (1 + 0.001 * (i * 7 % 100))});
    r.stop = {sonde::stop_reason::samples, 400};
    r.errors = bytes == 4096 ? 17 : 0;
    r.flags.timer_limited = bytes < 4;
    return r;
}

sonde::environment somewhere() {
    char const* const command[] = {"/opt/osu_latency", hostile.c_str()};
    auto where = sonde::local_environment(2, command);
    where.hosts = {hostile, "node-with-a-name-that-is-as-long-as-the-names-of-nodes-of-large-machines-are.example.org"};
    where.ranks_per_host = {2, 2};
    where.bindings.assign(4, std::string(600, '1')); // nothing to break a line at
    return where;
}

} // namespace

int main(int, char** arguments) {
    sonde::html page{arguments[1], somewhere()};
    for (auto const* link : {"send", "synchronous_send_with_a_long_name"})
        for (std::size_t bytes = 1; bytes <= 4 << 20; bytes *= 2) page(measured("osu_latency", link, bytes));
    for (std::size_t bytes = 1; bytes <= 1 << 10; bytes *= 2) page(measured(hostile, hostile, bytes));
    auto barrier = measured("barrier", "", 0);
    barrier.point.parameters.clear();
    barrier.total = {0, 1, 1};
    page(barrier);
    for (auto const* peer : {"one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven"})
        for (std::size_t const bytes : {8u, 16u})
            page(measured("many", "sent through a rendezvous with a copy in the middle to peer " + std::string{peer},
                          bytes));
    page({{measured("blocking", "send", 8192),
           measured("an exchange whose name has several lines beside the axis", "send", 8192),
           measured(hostile, "send", 8192)}},
         {.gain = 0.02});
}
