// SPDX-License-Identifier: BSL-1.0
#include "patterns.hpp"

#include "module.hpp"

#include <sonde/mpi/memory.hpp>

#include <climits>
#include <stdexcept>
#include <utility>

namespace binding {

/// Size of an array in blocks: none, one, one for each rank, one for each message in flight.
enum class extent : unsigned char { none, one, ranks, window };

namespace {

sonde::pairing pairing_of(native_arguments const& a) { return sonde::pair_of(a.ranks.rank(), a.pairs); }

any_pattern make_ping_pong(native_arguments& a, sonde::point at) {
    auto const [role, peer] = pairing_of(a);
    auto const& in = a.recv.exists() ? a.recv : a.send;
    mpi::link const link{a.ranks, peer, {}, {a.send.type()}};
    return sonde::named{std::move(at), ping_pong{link, role, a.send.slice(), in.slice()}};
}

/// The receive regions of a window: those of the user, or of this pattern.
sonde::opaque_rotating window_of(native_arguments& a) {
    auto const stride = a.bytes == 0 ? 1 : a.bytes;
    auto bytes = a.recv.region();
    if (!a.recv.exists()) {
        a.own_window.resize(a.window * stride);
        bytes = sonde::region{a.own_window.data(), a.own_window.size()};
    }
    return {bytes, a.bytes, stride};
}

any_pattern make_stream(native_arguments& a, sonde::point at) {
    auto const [role, peer] = pairing_of(a);
    mpi::async_link link{a.ranks, peer, {}, {a.send.type()}};
    mpi::link const back{a.ranks, peer, 1};
    sonde::slice const token{sonde::region{&a.token, 1}};
    return sonde::named{std::move(at),
                        stream{std::move(link), role, a.window, a.send.slice(), window_of(a), back, token}};
}

any_pattern make_bidirectional(native_arguments& a, sonde::point at) {
    auto const [role, peer] = pairing_of(a);
    mpi::async_link link{a.ranks, peer, {}, {a.send.type()}};
    return sonde::named{std::move(at), bidirectional{std::move(link), role, a.window, a.send.slice(), window_of(a)}};
}

/// A block of `bytes` of the elements of the array.
mpi::block block_of(native_arguments const& a, array const& elements) {
    return {elements.type(), a.bytes / elements.element_bytes()};
}

template <class Operation>
any_pattern on_arrays(native_arguments& a, sonde::point at, Operation operation) {
    return sonde::named{std::move(at), collective<Operation>{std::move(operation), a.send.slice(), a.recv.slice()}};
}

template <class Operation>
any_pattern make_rootless(native_arguments& a, sonde::point at) {
    return on_arrays(a, std::move(at), Operation{a.ranks, block_of(a, a.send)});
}
template <class Operation>
any_pattern make_rooted(native_arguments& a, sonde::point at) {
    return on_arrays(a, std::move(at), Operation{a.ranks, block_of(a, a.send.exists() ? a.send : a.recv), a.root});
}
template <class Operation>
any_pattern make_reduction(native_arguments& a, sonde::point at) {
    return on_arrays(a, std::move(at), Operation{a.ranks, block_of(a, a.send), a.operation});
}
any_pattern make_reduce(native_arguments& a, sonde::point at) {
    return on_arrays(a, std::move(at), mpi::reduce{a.ranks, block_of(a, a.send), a.operation, a.root});
}
any_pattern make_barrier(native_arguments& a, sonde::point at) {
    return sonde::named{std::move(at), collective<mpi::barrier>{mpi::barrier{a.ranks}}};
}
any_pattern make_bcast(native_arguments& a, sonde::point at) { // its one buffer is the receive buffer
    mpi::bcast const operation{a.ranks, block_of(a, a.recv), a.root};
    return sonde::named{std::move(at), collective<mpi::bcast>{operation, a.recv.slice()}};
}

} // namespace

struct pattern_kind {
    char const* name;
    extent send;
    extent recv;
    bool has_root;
    bool reduces;
    any_pattern (*make)(native_arguments&, sonde::point);
    bool has_pairs = false;
};

namespace {

using enum extent;

/// With a root, the array with a block for each rank, and the result of a reduction, are needed on the root only.
constexpr pattern_kind kinds[] = {
    {"ping_pong", one, one, false, false, make_ping_pong, true},
    {"stream", one, window, false, false, make_stream, true},
    {"bidirectional", one, window, false, false, make_bidirectional, true},
    {"barrier", none, none, false, false, make_barrier},
    {"bcast", none, one, true, false, make_bcast},
    {"allreduce", one, one, false, true, make_reduction<mpi::allreduce>},
    {"reduce", one, one, true, true, make_reduce},
    {"allgather", one, ranks, false, false, make_rootless<mpi::allgather>},
    {"gather", one, ranks, true, false, make_rooted<mpi::gather>},
    {"scatter", ranks, one, true, false, make_rooted<mpi::scatter>},
    {"alltoall", ranks, ranks, false, false, make_rootless<mpi::alltoall>},
    {"reduce_scatter_block", ranks, one, false, true, make_reduction<mpi::reduce_scatter_block>},
};

pattern_kind const& kind_of(std::string const& name) {
    for (auto const& kind : kinds)
        if (kind.name == name) return kind;
    throw py::value_error{"sonde.patterns: there is no pattern " + name};
}

/// Number of blocks in an array.
std::size_t blocks_of(extent of, native_arguments const& a) {
    return of == extent::ranks ? static_cast<std::size_t>(a.ranks.size()) : of == extent::window ? a.window : 1;
}

/// True if this rank needs the array: with a root, an array for all ranks, or of a result, is needed there only.
bool is_needed(pattern_kind const& kind, bool sends, native_arguments const& a) {
    auto const of = sends ? kind.send : kind.recv;
    if (of == extent::none) return false;
    auto const on_root_only = kind.has_root && (of == extent::ranks || (!sends && kind.reduces));
    return !on_root_only || a.ranks.rank() == a.root;
}

} // namespace

std::vector<double> native_arguments::numbers() const {
    return {static_cast<double>(bytes), static_cast<double>(window), static_cast<double>(pairs),
            static_cast<double>(root)};
}

description::description(std::string const& kind, py::dict values)
    : kind_{&kind_of(kind)}, given_{"sonde.patterns." + kind, std::move(values)} {}

native_arguments description::bind(mpi::group const& ranks) const {
    native_arguments a{ranks};
    auto const size = static_cast<std::size_t>(ranks.size());
    if (kind_->has_pairs) {
        auto const pairs = given_.count("pairs", 1);
        if (pairs > size / 2) given_.refuse_value("pairs", "at most half of the " + std::to_string(size) + " ranks");
        a.pairs = static_cast<int>(pairs);
    }
    if (kind_->recv == extent::window) a.window = given_.count("window", 1);
    if (kind_->has_root) {
        auto const root = given_.count("root");
        if (root >= size) given_.refuse_value("root", "a rank, from 0 to " + std::to_string(size - 1));
        a.root = static_cast<int>(root);
    }
    if (kind_->reduces && !given_.is_none("op"))
        a.operation = handle_of<MPI_Op>(function() + ": op", given_["op"], "Op");
    take_arrays(a);
    return a;
}

void description::take_arrays(native_arguments& a) const {
    auto const& kind = *kind_;
    auto const may_lack_recv = kind.has_pairs; // a ping-pong receives into its send buffer, a window into its own
    if (is_needed(kind, true, a)) a.send = array{function() + ": send", given_["send"], false};
    if (is_needed(kind, false, a) && !(may_lack_recv && given_.is_none("recv")))
        a.recv = array{function() + ": recv", given_["recv"], true};
    for (auto const& [given, key] : {std::pair{&a.send, ": send"}, std::pair{&a.recv, ": recv"}})
        if (given->on_device() && mpi::device_support_of(sonde::device_runtime::cuda) == mpi::device_support::no)
            throw py::value_error{
                function() + key +
                " is on a device, whose addresses this MPI library does not take; copy it to the host"};
    auto const divisible = [&](array const& whole, extent of, char const* key) {
        auto const blocks = blocks_of(of, a);
        if (whole.count() % blocks != 0)
            throw py::value_error{function() + ": " + key + " has " + std::to_string(whole.count()) +
                                  " elements, which are no " + std::to_string(blocks) + " equal blocks"};
        return whole.size() / blocks;
    };
    auto const by_send = kind.send == extent::one || (kind.send == extent::ranks && kind.recv == extent::ranks);
    a.bytes = by_send                     ? divisible(a.send, kind.send, "send")
              : kind.recv == extent::none ? 0
                                          : divisible(a.recv, kind.recv, "recv");
    auto const require = [&](array const& given, char const* key, extent of) {
        auto const needed = a.bytes * blocks_of(of, a);
        if (given.size() < needed)
            throw py::value_error{function() + ": " + key + " has " + std::to_string(given.size()) +
                                  " bytes; it needs " + std::to_string(needed)};
    };
    if (is_needed(kind, true, a)) require(a.send, "send", kind.send);
    if (a.recv.exists()) require(a.recv, "recv", kind.recv);
    if (kind.recv == extent::window && !a.recv.exists() && a.send.on_device())
        throw py::value_error{function() + ": recv is None; device memory needs window times as many bytes there"};
    if (kind_->has_pairs && !a.recv.exists() && kind.recv == extent::one && a.send.read_only())
        throw py::value_error{function() + ": send is read-only, and recv is None"};
    if (kind.reduces && !a.send.is_typed())
        throw py::value_error{function() + ": send has elements of a type that MPI cannot reduce"};
}

any_pattern make_pattern(pattern_kind const& kind, native_arguments& arguments, sonde::point at) {
    return kind.make(arguments, std::move(at));
}

void bind_patterns(py::module_& module) {
    py::class_<description>(module, "Pattern", "A native pattern, for sonde.run and sonde.compare.")
        .def(py::init<std::string const&, py::dict>())
        .def_property_readonly(
            "name", [](description const& of) { return of.function().substr(15); }, "Name of the pattern.")
        .def("__repr__", [](description const& of) { return "<" + of.function() + ">"; });
}

} // namespace binding
