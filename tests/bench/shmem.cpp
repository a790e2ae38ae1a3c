// SPDX-License-Identifier: BSL-1.0

// OpenSHMEM by Sonde and by hand-written loops: a put of 8 bytes and of 64 KiB with a quiet, an atomic fetch_add.

#include "pairs.hpp"

#include <sonde/shmem.hpp>
#include <sonde/sonde.hpp>

#include <shmem.h>

#include <cstddef>
#include <span>
#include <string>

namespace {

/// Symmetric memory for the largest block; PE 0 is the initiator, PE 1 the target.
struct setup {
    sonde::shmem::group world;
    sonde::shmem::symmetric_allocation from{65536}, into{65536};
    sonde::shmem::symmetric_array<long> counter{1};
    sonde::pairing pair = sonde::pair_of(world.rank(), 1);

    bool is_origin() const { return pair.role == sonde::role::initiator; }
};

/// Compares `pattern` with `iterate`, a hand-written batch of the initiator.
template <sonde::Pattern P, class Iterate>
int compare(setup& s, std::string const& what, amount much, P pattern, Iterate iterate) {
    auto const by_loop = [&](std::size_t batch) {
        if (s.is_origin()) iterate(batch);
    };
    auto const found =
        ratios([&] { return by_sonde(s.world, much, pattern); }, [&] { return by_hand(s.world, much, by_loop); });
    return s.world.rank() == 0 ? judge(what.c_str(), found, 0.03) : 0;
}

int put_and_quiet(setup& s, std::size_t bytes, amount much) {
    auto* const into = s.into.bytes().data();
    auto const* const from = s.from.bytes().data();
    auto const by_loop = [&](std::size_t batch) {
        for (std::size_t i = 0; i < batch; ++i) {
            shmem_putmem(into, from, bytes, s.pair.peer);
            shmem_quiet();
        }
    };
    return compare(s, "a put of " + std::to_string(bytes) + " bytes and a quiet", much,
                   sonde::rma{sonde::shmem::quiet{}, s.pair.role, 1,
                              sonde::shmem::put{s.pair.peer, s.into.bytes(), s.from.bytes(), bytes}},
                   by_loop);
}

/// f(), called `frames` frames of 208 bytes or more deeper in the stack.
template <class F>
[[gnu::noinline]] sonde::seconds at_depth(std::size_t frames, F f) {
    char volatile frame[160];
    frame[0] = 0;
    auto const found = frames == 0 ? f() : at_depth(frames - 1, f);
    frame[1] = frame[0]; // after the call, so that it is no jump
    return found;
}

/// Each pair of measurements has another place in the stack, all pairs together a page of them: a call of 20 ns whose
/// stack and whose data have equal addresses in their lowest 12 bits is slower by a tenth, on the one side or the
/// other.
int fetch_add(setup& s, amount much) {
    auto const counter = s.counter.elements();
    long previous = 0;
    std::size_t calls = 0;
    sonde::rma const pattern{sonde::shmem::no_completion{}, s.pair.role, 1,
                             sonde::shmem::fetch_add{s.pair.peer, counter, 1, std::span{&previous, 1}}};
    auto const by_loop = [&](std::size_t batch) {
        for (std::size_t i = 0; s.is_origin() && i < batch; ++i)
            previous = shmem_long_atomic_fetch_add(counter.data(), 1, s.pair.peer);
    };
    auto const found =
        ratios([&] { return at_depth(calls++ / 2, [&] { return by_sonde(s.world, much, sonde::rma{pattern}); }); },
               [&] { return at_depth(calls++ / 2, [&] { return by_hand(s.world, much, by_loop); }); });
    return s.world.rank() == 0 ? judge("an atomic fetch_add", found, 0.03) : 0;
}

int compare() {
    setup s;
    return put_and_quiet(s, 8, {500, 200}) | put_and_quiet(s, 65536, {200, 20}) | fetch_add(s, {500, 200});
}

} // namespace

int main() {
    sonde::shmem::session const session;
    return sonde::shmem::abort_on_exception([] { return compare(); });
}
