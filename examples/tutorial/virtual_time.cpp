// SPDX-License-Identifier: BSL-1.0

// A pattern of the application is tested in virtual time: exact to the nanosecond, in every run, without MPI.

#include <sonde/sim.hpp>
#include <sonde/sonde.hpp>

#include <chrono>
#include <cstddef>
#include <cstdio>
#include <vector>

using namespace std::chrono_literals;

// [pattern]
/// Each rank sends to its right neighbor, then receives from its left neighbor. The links are of MPI or of any library.
template <sonde::Link L>
class ring_shift {
public:
    ring_shift(L right, L left, std::size_t bytes) : right_{right}, left_{left}, out_(bytes), in_(bytes) {}

    void operator()() {
        right_.send(out_);
        left_.recv(in_);
    }
    sonde::traffic traffic() const { return {.bytes = out_.size(), .messages = 1}; }

private:
    L right_, left_;
    std::vector<std::byte> out_, in_;
};
// [/pattern]

// [measure]
/// The record of 20 samples on four simulated ranks. Before each exchange, the last rank works for `work`.
sonde::record measured(std::size_t bytes, sonde::sim::picoseconds work) {
    // LogGP: 1 us of the processor for each send and receive, a latency of 5 us, no gap, 2 ns for each byte.
    sonde::sim::world world{4, {.overhead = 1us, .latency = 5us, .gap = 0us, .gap_per_byte = 2ns}};
    std::vector<sonde::record> found(4);
    world.run([&](sonde::sim::process& self) {
        auto group = self.group();
        auto const me = self.rank(), size = self.size();
        ring_shift shift{self.link((me + 1) % size), self.link((me + size - 1) % size), bytes};
        auto const plan = sonde::plan<>{}.timed_by(self.clock()).until(sonde::samples{20});
        auto step = sonde::with_traffic(shift.traffic(), [&] {
            if (me + 1 == size) self.work(work);
            shift();
        });
        found[static_cast<std::size_t>(me)] = sonde::run(group, plan, step, {"shift", {{"bytes", bytes}}});
    });
    return found[0];
}
// [/measure]

// [test]
bool is(sonde::record const& r, std::chrono::nanoseconds expected) {
    auto const found = std::chrono::round<std::chrono::nanoseconds>(sonde::median(r));
    std::printf("%s: %lld ns, expected %lld ns\n", r.point.parameters[0].text.c_str(),
                static_cast<long long>(found.count()), static_cast<long long>(expected.count()));
    return found == expected;
}

int main() {
    // A shift takes the overhead of the send, the bytes after the first, the latency, and the overhead of the receive.
    auto const one_byte = is(measured(1, 0us), 1us + 5us + 1us);
    auto const kilobyte = is(measured(1001, 0us), 1us + 1000 * 2ns + 5us + 1us);
    // The slowest rank's time has the work: its own, and the wait of its right neighbor.
    auto const late = is(measured(1, 3us), 3us + 1us + 5us + 1us);
    return one_byte && kilobyte && late ? 0 : 1;
}
// [/test]
