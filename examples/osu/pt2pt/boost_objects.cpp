// SPDX-License-Identifier: BSL-1.0
#include "osu/pt2pt/boost_objects.hpp"

#include "osu/driver/osu_contents.hpp"
#include "osu/pt2pt/pt2pt_driver.hpp"

#include <sonde/boost.hpp>
#include <sonde/measure/run.hpp>
#include <sonde/pattern/point_to_point.hpp>

#include <boost/serialization/vector.hpp>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace osu {

namespace {

/// An object that Boost.MPI serializes. Its vector enters the archive as one block.
struct object {
    std::vector<char> characters;

    template <class Archive>
    void serialize(Archive& archive, unsigned) {
        archive& characters;
    }
};

sonde::region bytes_of(std::vector<char>& all) { return std::as_writable_bytes(std::span{all}); }
sonde::region bytes_of(object& of) { return bytes_of(of.characters); }

object make(object const*, std::size_t size) { return {std::vector<char>(size, 'a')}; }
std::vector<char> make(std::vector<char> const*, std::size_t size) { return std::vector<char>(size, 'a'); }

/// Number of wrong characters of all ranks, in rounds of `-u` unchecked repetitions and a checked one. Collective.
template <class Object>
std::size_t validate(pt2pt_driver& d, sonde::Pattern auto& pattern, Object& out, Object& in, point const& at) {
    auto const& check = d.options().check;
    std::optional<wrong_log> log;
    if (check.log) log.emplace(*check.log, d.world().rank());
    auto const prepare = [&](std::size_t round) {
        write(bytes_of(out), {at.type.kind, at.size, round});
        for (std::size_t i = 0; i != check.warmup; ++i) pattern();
        auto const received = bytes_of(in);
        std::fill(received.begin(), received.end(), std::byte{0});
    };
    auto const verify = [&](std::size_t round) {
        contents const expected{at.type.kind, at.size, round};
        auto const wrong = find_wrong(bytes_of(in), expected);
        if (log) (*log)(expected, wrong);
        return wrong.size() + (bytes_of(in).size() == at.size ? 0 : 1);
    };
    return sonde::validate(d.world(), pattern, prepare, verify, check_rounds(d.options()));
}

template <template <class> class L, class Object>
sonde::record run_as(pt2pt_driver& d, point const& at, sweep_plan const& sweep, sonde::pairing pair) {
    auto out = make(static_cast<Object const*>(nullptr), at.size), in = out;
    sonde::ping_pong pattern{L<Object>{d.world(), pair.peer, 1}, pair.role, sonde::boost_mpi::objects{out},
                             sonde::boost_mpi::objects{in}};
    auto found = sonde::run(d.world(), d.plan(sweep, at.size), pattern, point_of(d.about(), d.options(), at));
    if (d.options().check.on) found.errors = validate(d, pattern, out, in, at);
    return found;
}

} // namespace

sonde::record run_objects(pt2pt_driver& d, point const& at, sweep_plan const& sweep, sonde::pairing pair) {
    using namespace sonde::boost_mpi;
    switch (d.options().message) {
    case payload::content:
        return run_as<content_link, object>(d, at, sweep, pair);
    case payload::datatype:
        return run_as<object_link, std::vector<char>>(d, at, sweep, pair);
    default:
        return run_as<object_link, object>(d, at, sweep, pair);
    }
}

} // namespace osu
