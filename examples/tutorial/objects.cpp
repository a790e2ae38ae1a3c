// SPDX-License-Identifier: BSL-1.0

// Three ways to send an object with Boost.MPI.

#include <sonde/boost.hpp>
#include <sonde/mpi.hpp>
#include <sonde/sonde.hpp>

#include <boost/mpi.hpp>
#include <boost/serialization/vector.hpp>

#include <cstddef>
#include <cstdio>
#include <span>
#include <vector>

// [objects]
struct atom {
    int kind;
    double place[3];
    void serialize(auto& archive, unsigned) { archive& kind& place; }
};
BOOST_IS_MPI_DATATYPE(atom)

struct molecule {
    double energy;
    std::vector<atom> atoms;
    void serialize(auto& archive, unsigned) { archive& energy& atoms; }
};
// [/objects]

void measure_objects(boost::mpi::communicator const& world, std::size_t n) {
    // [measure]
    molecule out{1, std::vector<atom>(n)}, in{};
    sonde::mpi::group ranks{world};
    auto const pair = sonde::pair_of(ranks.rank(), ranks.size() / 2);
    auto const plan = sonde::plan<>{}.batch(sonde::by_timer).until(sonde::samples{200});
    auto const measure = [&](char const* name, auto pattern) {
        auto const r = sonde::run(ranks, plan, pattern);
        if (ranks.rank() == 0 && r.initiators != 0)
            std::printf("%-22s %8.2f us of %6zu bytes\n", name, 1e6 * sonde::latency(r).count(),
                        r.total.bytes / r.total.messages);
    };
    using namespace sonde::boost_mpi; // object_link, content_link, objects, elements_of
    measure("serialized object",
            sonde::ping_pong{object_link<molecule>{ranks, pair.peer}, pair.role, objects{out}, objects{in}});
    measure("skeleton and content",
            sonde::ping_pong{content_link<molecule>{ranks, pair.peer}, pair.role, objects{out}, objects{in}});
    // [/measure]
    auto const array = [](molecule& m) { return sonde::slice{std::as_writable_bytes(std::span{m.atoms})}; };
    sonde::mpi::link const datatype{ranks, pair.peer, 0, elements_of<atom>()};
    in.atoms.resize(n);
    measure("derived datatype", sonde::ping_pong{datatype, pair.role, array(out), array(in)});
}

int main(int argc, char** argv) {
    boost::mpi::environment const environment{argc, argv};
    measure_objects(boost::mpi::communicator{}, 300);
}
