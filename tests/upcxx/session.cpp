// SPDX-License-Identifier: BSL-1.0

// session WAY: the session and the end of a program.
//
//     alone      returns 0
//     failed     the last rank returns 3, after all work is done
//     throws     the last rank throws in abort_on_exception, while the others wait for it

#include <sonde/upcxx.hpp>

#include <upcxx/upcxx.hpp>

#include <cstdio>
#include <stdexcept>
#include <string_view>

namespace {

int work(std::string_view way) {
    sonde::upcxx::group ranks;
    auto const is_last = ranks.rank() == ranks.size() - 1;
    sonde::upcxx::shared_allocation const memory{1 << 20};
    if (way == "throws" && is_last) throw std::runtime_error{"the fifth wheel came off"};
    ranks.barrier();
    return way == "failed" && is_last ? 3 : 0;
}

} // namespace

int main(int argc, char** argv) {
    std::string_view const way{argc > 1 ? argv[1] : ""};
    sonde::upcxx::session const session;
    auto const status = sonde::upcxx::abort_on_exception([&] { return work(way); });
    if (way == "alone" && status == 0) std::puts("ended");
    return status;
}
